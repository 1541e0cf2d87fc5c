// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Priority;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How much the requests of a handler method matter, or of all methods of a controller; a method's own counts for it. A request
 * that arrives with less importance keeps it, and {@code aether.server.routes} overrules the annotation.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface RequestPriority {
    Priority value();
}
