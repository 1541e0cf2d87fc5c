// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardSettings;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the guard.
 *
 * @param interfaces Network interfaces whose arriving packets are judged; the guard is off when none is named.
 * @param mode Whether verdicts drop packets (enforce) or are only counted (observe).
 * @param managementPrefixes Networks that always pass, whatever the lists and rates say; needed in mode enforce.
 * @param synRate New TCP connections that a source may ask for in a second.
 * @param synBurst New TCP connections that a source may ask for at once, in advance of its rate.
 * @param maxEntries Networks that each list can hold, for IPv4 and IPv6 each.
 * @param connections Connections that are remembered, for IPv4 and IPv6 each.
 * @param synCookiesAbove New TCP connections a second of all sources together beyond which they are answered with SYN
 *     cookies before the network stack; 0 leaves that to the kernel.
 * @param block Networks on the block list from the start.
 * @param allow Networks on the allow list from the start.
 */
@Validated
@ConfigurationProperties("aether.agent.guard")
public record GuardProperties(
        @NotNull @DefaultValue List<String> interfaces,
        @NotNull @DefaultValue("observe") Mode mode,
        @NotNull @DefaultValue List<String> managementPrefixes,
        @Min(1) @Max(1_000_000) @DefaultValue("200") int synRate,
        @Min(1) @Max(1_000_000) @DefaultValue("1000") int synBurst,
        @Min(1) @Max(4_000_000) @DefaultValue("131072") int maxEntries,
        @Min(1024) @Max(4_000_000) @DefaultValue("65536") int connections,
        @Min(0) @Max(10_000_000) @DefaultValue("0") int synCookiesAbove,
        @NotNull @DefaultValue List<String> block,
        @NotNull @DefaultValue List<String> allow) {

    private static final String PREFIX = "aether.agent.guard.";
    private static final int LONGEST_NAME = 15;

    /** What verdicts do. */
    public enum Mode {
        OBSERVE,
        ENFORCE
    }

    public GuardProperties {
        networks("management-prefixes", managementPrefixes);
        networks("block", block);
        networks("allow", allow);
        check(
                interfaces.size() <= GuardSettings.MAX_INTERFACES,
                "interfaces must not be more than " + GuardSettings.MAX_INTERFACES);
        check(
                managementPrefixes.size() <= GuardSettings.MAX_MANAGEMENT,
                "management-prefixes must not be more than " + GuardSettings.MAX_MANAGEMENT);
        interfaces.forEach(name -> check(
                !name.isBlank() && name.length() <= LONGEST_NAME,
                "interfaces must be names as 'ip link' shows them, not '" + name + "'"));
        check(
                mode == Mode.OBSERVE || interfaces.isEmpty() || !managementPrefixes.isEmpty(),
                "management-prefixes must name the networks from which this node is operated: in mode enforce"
                        + " nobody else is sure to reach it");
    }

    private static List<Cidr> networks(String property, List<String> texts) {
        try {
            return texts.stream().map(Cidr::parse).toList();
        } catch (IllegalArgumentException e) {
            // Without the cause: the report of a failed start shows the innermost message.
            throw new IllegalArgumentException(PREFIX + property + ": " + e.getMessage());
        }
    }

    private static void check(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(PREFIX + message);
        }
    }

    GuardSettings settings() {
        return new GuardSettings(
                interfaces,
                mode == Mode.ENFORCE,
                networks("management-prefixes", managementPrefixes),
                synRate,
                synBurst,
                maxEntries,
                connections,
                synCookiesAbove);
    }

    List<Cidr> blocked() {
        return networks("block", block);
    }

    List<Cidr> allowed() {
        return networks("allow", allow);
    }
}
