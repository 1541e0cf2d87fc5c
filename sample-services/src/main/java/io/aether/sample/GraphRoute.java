// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@code GET /graph}: the whole graph with the instances of every service, for who wants to draw it. */
@Component
class GraphRoute {

    private final ReactiveDiscoveryClient discovery;

    GraphRoute(ReactiveDiscoveryClient discovery) {
        this.discovery = discovery;
    }

    /** The whole answer. */
    record Answer(List<Node> services) {}

    /** One service. */
    record Node(String id, List<Call> calls, List<Member> instances) {}

    /**
     * Calls of one service to another.
     *
     * @param count how many in one request
     * @param optional whether all of them may fail
     */
    record Call(String to, int count, boolean optional) {}

    /**
     * One instance.
     *
     * @param id its own, or else host and port
     * @param address the host's, as the kernel knows it; the host where it has none
     */
    record Member(String id, String host, int port, String address) {}

    Mono<ServerResponse> tell(ServerRequest request) {
        return Flux.fromIterable(Graph.services().values())
                .concatMap(service -> discovery
                        .getInstances(service.id())
                        .collectList()
                        .publishOn(Schedulers.boundedElastic()) // Names are looked up.
                        .map(instances -> new Node(
                                service.id(),
                                calls(service),
                                instances.stream().map(GraphRoute::member).toList())))
                .collectList()
                .flatMap(services -> ServerResponse.ok().bodyValue(new Answer(services)));
    }

    /** Each called service once; one that is called both ways counts as mandatory. */
    static List<Call> calls(Service service) {
        Map<String, List<Boolean>> optional = service.stages().stream()
                .flatMap(stage -> stage.calls().stream().map(to -> Map.entry(to, stage.optional())))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey,
                        LinkedHashMap::new,
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        return optional.entrySet().stream()
                .map(entry -> new Call(
                        entry.getKey(),
                        entry.getValue().size(),
                        entry.getValue().stream().allMatch(Boolean::booleanValue)))
                .toList();
    }

    private static Member member(ServiceInstance instance) {
        String id = instance.getInstanceId();
        String host = instance.getHost();
        return new Member(id == null ? host + ":" + instance.getPort() : id, host, instance.getPort(), address(host));
    }

    private static String address(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            return host;
        }
    }
}
