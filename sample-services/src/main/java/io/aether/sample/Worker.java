// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.aether.sample.Service.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Does the work of a service: waits for its own service time, then makes its calls stage by stage. Thread-safe. */
@Component
class Worker {

    private final WebClient client;
    private final SampleProperties properties;
    private final Served served;
    private final @Nullable Desk desk;

    Worker(WebClient.Builder balanced, SampleProperties properties, Served served, ObjectProvider<Desk> desk) {
        this.client = balanced.build();
        this.properties = properties;
        this.served = served;
        this.desk = desk.getIfAvailable();
    }

    /** Completes when own work and every mandatory call are done; fails with the first mandatory call that fails. */
    Mono<Void> work(Service service, Draw draw) {
        Mono<Void> own = own(service, draw).doOnSuccess(nothing -> served.done(service.id()));
        Mono<Void> mandatory = Flux.fromIterable(service.stages())
                .filter(stage -> !stage.optional())
                .concatMap(stage -> calls(service, stage, draw))
                .then();
        return own.then(mandatory).doOnSuccess(done -> startOptional(service, draw));
    }

    private Mono<Void> own(Service service, Draw draw) {
        double nanos = service.time().draw(draw.random()).toNanos() * properties.slower();
        Duration time = Duration.ofNanos((long) nanos);
        return desk == null ? Mono.delay(time).then() : desk.work(time);
    }

    private void startOptional(Service service, Draw draw) {
        service.stages().stream()
                .filter(Stage::optional)
                .forEach(stage -> calls(service, stage, draw).subscribe());
    }

    private Mono<Void> calls(Service service, Stage stage, Draw draw) {
        int position = 100 * service.stages().indexOf(stage);
        List<Mono<Void>> calls = new ArrayList<>();
        for (String id : stage.calls()) {
            Mono<Void> call = call(service, id, draw.of(++position));
            calls.add(stage.optional() ? call.onErrorComplete() : call);
        }
        return Mono.when(calls);
    }

    private Mono<Void> call(Service caller, String id, Draw draw) {
        return client.get()
                .uri("http://" + id + "/" + id)
                .attribute(EdgeConvention.CALLER, caller.id())
                .header(Draw.HEADER, draw.value())
                .retrieve()
                .bodyToMono(byte[].class)
                .then();
    }
}
