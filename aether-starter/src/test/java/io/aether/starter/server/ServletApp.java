// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Priority;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** A servlet application whose handlers wait, call, tell of pressure, and answer on other threads. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(ServletApp.Controller.class)
class ServletApp {
    @Bean
    ContextPropagatingTaskDecorator decorator() {
        return new ContextPropagatingTaskDecorator();
    }

    @RestController
    static class Controller {
        static volatile CountDownLatch downstream = new CountDownLatch(0);
        private final AsyncTaskExecutor pool;

        Controller(AsyncTaskExecutor applicationTaskExecutor) {
            pool = applicationTaskExecutor;
        }

        @GetMapping({"/context", "/ruled/{id}", "/bulk/urgent"})
        String context() {
            return RequestContexts.current().toString().replaceAll("until -?[0-9]+", "until then");
        }

        @GetMapping("/bulk/{id}")
        @RequestPriority(Priority.BULK)
        String bulk(@PathVariable String id) {
            return context();
        }

        @GetMapping("/sleeps/{millis}")
        String sleeps(@PathVariable long millis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
            return "slept";
        }

        @GetMapping("/heard/{pressure}")
        Map<String, String> heard(@PathVariable int pressure) {
            RequestContexts.current().work().heard(pressure);
            return Map.of("heard", "it");
        }

        @GetMapping("/large/{pressure}")
        byte[] large(@PathVariable int pressure) {
            RequestContexts.current().work().heard(pressure);
            return new byte[1 << 20];
        }

        @GetMapping("/calls")
        String calls() throws InterruptedException {
            RequestContext context = RequestContexts.current();
            context.work().callBegins();
            try {
                downstream.await();
            } finally {
                context.work().callEnds();
            }
            return "called";
        }

        @GetMapping("/async")
        String async() throws Exception {
            return pool.submit(this::context).get();
        }

        @GetMapping("/callable")
        Callable<String> callable() {
            return this::context;
        }

        @GetMapping("/deferred/{pressure}")
        DeferredResult<String> deferred(@PathVariable int pressure) {
            DeferredResult<String> result = new DeferredResult<>();
            RequestContext context = RequestContexts.current();
            Thread thread = new Thread(() -> {
                context.work().heard(pressure);
                result.setResult(context.toString());
            });
            thread.setDaemon(true);
            thread.start();
            return result;
        }
    }
}
