// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.Errors;

/** Collects what is wrong with properties, each by its name in the record. A value that is not set is never wrong. */
final class Checks {
    /** Largest first. */
    private static final List<Unit> UNITS = List.of(
            new Unit("h", Duration.ofHours(1)),
            new Unit("m", Duration.ofMinutes(1)),
            new Unit("s", Duration.ofSeconds(1)),
            new Unit("ms", Duration.ofMillis(1)));

    private final Errors errors;

    private record Unit(String name, Duration length) {}

    Checks(Errors errors) {
        this.errors = errors;
    }

    /** The same for what stands below a property. */
    void in(String path, Consumer<Checks> checks) {
        errors.pushNestedPath(path);
        checks.accept(this);
        errors.popNestedPath();
    }

    /** Both ends are allowed. */
    <T extends Comparable<T>> void range(String property, @Nullable T value, T least, T most) {
        if (value != null && (value.compareTo(least) < 0 || value.compareTo(most) > 0)) {
            that(property, false, "must be " + text(least) + " to " + text(most));
        }
    }

    void matches(String property, @Nullable String value, Pattern pattern, String message) {
        that(property, value == null || pattern.matcher(value).matches(), message);
    }

    void that(String property, boolean right, String message) {
        if (!right) {
            errors.rejectValue(property, "wrong", message);
        }
    }

    /** As one would write it in a property. */
    private static String text(Object value) {
        if (!(value instanceof Duration duration)) {
            return value instanceof Double number
                    ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
                    : value.toString();
        }
        for (Unit unit : UNITS) {
            long times = duration.dividedBy(unit.length());
            if (unit.length().multipliedBy(times).equals(duration)) {
                return times + unit.name();
            }
        }
        return duration.toNanos() / 1000 + "us";
    }
}
