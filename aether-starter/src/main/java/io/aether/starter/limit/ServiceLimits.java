// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The branches of one service. Thread-safe. */
final class ServiceLimits {

    private final String id;
    private final boolean optional;
    private final RouteGroups groups;
    private final AtomicReferenceArray<@Nullable Branch> branches;

    ServiceLimits(String id, BranchLimits.Own own) {
        this.id = id;
        this.optional = own.optional();
        this.groups = new RouteGroups(own.groups());
        this.branches = new AtomicReferenceArray<>(groups.names().size());
    }

    String id() {
        return id;
    }

    boolean optional() {
        return optional;
    }

    int leftOut() {
        return groups.leftOut();
    }

    /** The branch of a path; null when it has not been made yet. */
    @Nullable
    Branch find(int group) {
        return branches.get(group);
    }

    int groupOf(String path) {
        return groups.of(path);
    }

    String name(int group) {
        return groups.names().get(group);
    }

    void put(int group, Branch branch) {
        branches.set(group, branch);
    }

    void forEach(Consumer<Branch> visitor) {
        for (int i = 0; i < branches.length(); i++) {
            Branch branch = branches.get(i);
            if (branch != null) {
                visitor.accept(branch);
            }
        }
    }

    List<Branch> all() {
        List<Branch> all = new ArrayList<>();
        forEach(all::add);
        return all;
    }
}
