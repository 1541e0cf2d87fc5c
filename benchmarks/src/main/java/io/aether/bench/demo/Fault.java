// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What goes wrong, each with one instance of a service of its own. */
enum Fault {
    PAUSE("catalog", false, "the process is stopped for 300 ms every 2 s"),
    NOISY("shard", true, "a busy loop shares the instance's CPU quota of 25 ms in 100 ms"),
    LINK("model", true, "the instance's link is squeezed to 512 kbit/s with a 3 KB buffer, and loses packets"),
    ERRORS("tax", false, "the instance answers 500 at once"),
    RESTART("shipping", false, "the process is killed and started again");

    /** Instances of a service that a fault hits. */
    static final int REPLICAS = 3;

    private final String service;
    private final boolean needsRoot;
    private final String description;

    Fault(String service, boolean needsRoot, String description) {
        this.service = service;
        this.needsRoot = needsRoot;
        this.description = description;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String service() {
        return service;
    }

    /** Name of the instance that is hit. */
    String instance() {
        return service + "-1";
    }

    boolean needsRoot() {
        return needsRoot;
    }

    String description() {
        return description;
    }

    static Fault of(String label) throws UsageException {
        return Arrays.stream(values())
                .filter(fault -> fault.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new UsageException("--faults: '" + label + "' is not one of " + labels()));
    }

    static String labels() {
        return Arrays.stream(values()).map(Fault::label).collect(Collectors.joining(","));
    }
}
