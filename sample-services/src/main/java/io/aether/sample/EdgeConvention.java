// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.micrometer.common.KeyValues;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientRequestObservationContext;
import org.springframework.web.reactive.function.client.DefaultClientRequestObservationConvention;

/**
 * Spring's own measurements of calls, with the service that calls: several share a process here, so that the process
 * alone does not tell which edge of the graph a call belongs to. Stateless.
 */
final class EdgeConvention extends DefaultClientRequestObservationConvention {

    /** Attribute of a request and key of its measurements: id of the calling service. */
    static final String CALLER = "caller";

    @Override
    public KeyValues getLowCardinalityKeyValues(ClientRequestObservationContext context) {
        ClientRequest request = context.getRequest();
        Object caller = request == null ? null : request.attributes().get(CALLER);
        return super.getLowCardinalityKeyValues(context).and(CALLER, caller == null ? "none" : caller.toString());
    }
}
