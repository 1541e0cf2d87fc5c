// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.aether.sample.Service.Stage;
import java.util.List;
import java.util.Random;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Does the work of a service: waits for its own service time, then makes its calls stage by stage. Thread-safe. */
@Component
class Worker {

    private final WebClient client;
    private final Random random;

    Worker(WebClient.Builder balanced, Random random) {
        this.client = balanced.build();
        this.random = random;
    }

    /** Completes when own work and every mandatory call are done; fails with the first mandatory call that fails. */
    Mono<Void> work(Service service) {
        Mono<Void> own =
                Mono.defer(() -> Mono.delay(service.time().draw(random))).then();
        Mono<Void> mandatory = Flux.fromIterable(service.stages())
                .filter(stage -> !stage.optional())
                .concatMap(stage -> calls(stage, false))
                .then();
        return own.then(mandatory).doOnSuccess(done -> startOptional(service));
    }

    private void startOptional(Service service) {
        service.stages().stream()
                .filter(Stage::optional)
                .forEach(stage -> calls(stage, true).subscribe());
    }

    private Mono<Void> calls(Stage stage, boolean optional) {
        List<Mono<Void>> calls = stage.calls().stream()
                .map(id -> optional ? call(id).onErrorComplete() : call(id))
                .toList();
        return Mono.when(calls);
    }

    private Mono<Void> call(String id) {
        return client.get()
                .uri("http://" + id + "/" + id)
                .retrieve()
                .bodyToMono(byte[].class)
                .then();
    }
}
