// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

/**
 * One thing looked at.
 *
 * @param group heading under which it is shown
 * @param name what was looked at
 * @param level how it is
 * @param value what was found
 * @param fix what to do; empty when there is nothing to do
 */
public record Check(String group, String name, Level level, String value, String fix) {
    /** How a thing is. */
    public enum Level {
        OK,
        /** Something is less than it could be; what depends on it goes without. */
        NOTE,
        /** The agent cannot do what it is for. */
        PROBLEM
    }

    static Check ok(String group, String name, String value) {
        return new Check(group, name, Level.OK, value, "");
    }

    static Check note(String group, String name, String value, String fix) {
        return new Check(group, name, Level.NOTE, value, fix);
    }

    static Check problem(String group, String name, String value, String fix) {
        return new Check(group, name, Level.PROBLEM, value, fix);
    }
}
