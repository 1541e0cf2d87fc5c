// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

/**
 * Properties that say themselves what they may be. Spring Boot asks those that are a {@link Validator} as it would ask Bean
 * Validation, and tells of what is wrong in the same words; but the start of Bean Validation would cost an application more than all
 * the rest of the starter.
 */
interface SelfChecked extends Validator {

    /** Tells of everything that is wrong. */
    void check(Checks checks);

    @Override
    default boolean supports(Class<?> type) {
        return getClass() == type;
    }

    @Override
    default void validate(Object target, Errors errors) {
        check(new Checks(errors));
    }
}
