// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.aether.sample.Service.Stage;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Does the work of a service: waits for its own service time, then makes its calls stage by stage. Thread-safe. */
@Component
class Worker {

    private final WebClient client;

    Worker(WebClient.Builder balanced) {
        this.client = balanced.build();
    }

    /** Completes when own work and every mandatory call are done; fails with the first mandatory call that fails. */
    Mono<Void> work(Service service, Draw draw) {
        Mono<Void> own = Mono.delay(service.time().draw(draw.random())).then();
        Mono<Void> mandatory = Flux.fromIterable(service.stages())
                .filter(stage -> !stage.optional())
                .concatMap(stage -> calls(service, stage, draw))
                .then();
        return own.then(mandatory).doOnSuccess(done -> startOptional(service, draw));
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
