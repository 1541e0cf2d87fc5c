// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What this process is.
 *
 * @param services ids of the graph's services that this process serves, one or more
 * @param workers how many requests it works on at a time, 1 to 1000; 0 for as many as come
 * @param slower what its own work takes is multiplied by this, 0.01 to 1000
 * @param connectTimeout longest wait for a connection to a called service
 * @param responseTimeout longest wait for the answer of a called service
 */
@ConfigurationProperties("sample")
public record SampleProperties(
        List<String> services,
        @DefaultValue("0") int workers,
        @DefaultValue("1") double slower,
        @DefaultValue("1s") Duration connectTimeout,
        @DefaultValue("5s") Duration responseTimeout) {

    public SampleProperties {
        services = services == null ? List.of() : List.copyOf(services);
        if (services.isEmpty()) {
            throw new IllegalArgumentException("sample.services is empty: name one or more of "
                    + Graph.services().keySet());
        }
        if (workers < 0 || workers > 1000) {
            throw new IllegalArgumentException("sample.workers must be 0 to 1000, is " + workers);
        }
        if (!(slower >= 0.01 && slower <= 1000)) {
            throw new IllegalArgumentException("sample.slower must be 0.01 to 1000, is " + slower);
        }
        for (String id : services) {
            if (!Graph.services().containsKey(id)) {
                throw new IllegalArgumentException("sample.services names '" + id + "', which is not one of "
                        + Graph.services().keySet());
            }
        }
    }
}
