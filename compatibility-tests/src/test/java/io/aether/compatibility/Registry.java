// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import io.aether.starter.testing.Backend;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A registry of each kind, as its client sees it over HTTP: it has instances of {@code shop}, and nothing else. */
enum Registry {
    EUREKA {
        @Override
        String[] properties(Backend registry) {
            return new String[] {
                "eureka.client.enabled=true",
                "eureka.client.register-with-eureka=false",
                "eureka.client.service-url.defaultZone=" + registry.uri() + "/eureka/"
            };
        }

        @Override
        String answer(String path, List<Backend> shops) {
            if (!path.startsWith("/eureka/apps")) {
                return "";
            }
            return """
                    {"applications":{"versions__delta":"1","apps__hashcode":"UP_2_","application":[
                      {"name":"SHOP","instance":[%s]}]}}
                    """.formatted(each(shops, """
                    {"instanceId":"shop-%1$d","hostName":"127.0.0.1","app":"SHOP","ipAddr":"127.0.0.1","status":"UP",
                     "overriddenStatus":"UNKNOWN","port":{"$":%2$d,"@enabled":"true"},
                     "securePort":{"$":443,"@enabled":"false"},"countryId":1,
                     "dataCenterInfo":{"@class":"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo","name":"MyOwn"},
                     "metadata":{"zone":"one"},"vipAddress":"shop","secureVipAddress":"shop","actionType":"ADDED"}
                    """));
        }
    },

    CONSUL {
        @Override
        String[] properties(Backend registry) {
            return new String[] {
                "spring.cloud.consul.enabled=true",
                "spring.cloud.consul.host=127.0.0.1",
                "spring.cloud.consul.port=" + registry.port(),
                "spring.cloud.consul.discovery.register=false",
                "spring.cloud.consul.discovery.catalog-services-watch.enabled=false"
            };
        }

        @Override
        String answer(String path, List<Backend> shops) {
            return path.equals("/v1/health/service/shop") ? "[" + each(shops, """
                            {"Node":{"ID":"n","Node":"node","Address":"127.0.0.1"},
                             "Service":{"ID":"shop-%1$d","Service":"shop","Address":"127.0.0.1","Port":%2$d,
                                        "Tags":[],"Meta":{"zone":"one"}},
                             "Checks":[]}
                            """) + "]" : "";
        }
    },

    KUBERNETES {
        /** Pods of a service listen on the same port, which two servers on one address cannot. */
        @Override
        List<Backend> listed(List<Backend> shops) {
            return shops.subList(0, 1);
        }

        @Override
        String[] properties(Backend registry) {
            return new String[] {
                "spring.main.cloud-platform=KUBERNETES",
                "spring.cloud.kubernetes.enabled=true",
                "spring.cloud.kubernetes.client.master-url=" + registry.uri(),
                "spring.cloud.kubernetes.client.namespace=default",
                "spring.cloud.kubernetes.discovery.namespaces[0]=default"
            };
        }

        @Override
        String answer(String path, List<Backend> shops) {
            String list =
                    "{\"apiVersion\":\"v1\",\"kind\":\"%s\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[%s]}";
            String metadata = "\"metadata\":{\"name\":\"shop\",\"namespace\":\"default\",\"uid\":\"u\"}";
            return switch (path) {
                case "/api/v1/namespaces/default/services" ->
                    list.formatted("ServiceList", "{" + metadata + ",\"spec\":{\"type\":\"ClusterIP\",\"ports\":[]}}");
                case "/api/v1/namespaces/default/services/shop" ->
                    "{\"apiVersion\":\"v1\",\"kind\":\"Service\"," + metadata + ",\"spec\":{\"type\":\"ClusterIP\"}}";
                case "/api/v1/namespaces/default/endpoints" ->
                    list.formatted("EndpointsList", "{" + metadata + ",\"subsets\":[" + each(shops, """
                                    {"addresses":[{"ip":"127.0.0.1"}],"ports":[{"name":"http","port":%2$d}]}
                                    """) + "]}");
                default -> "";
            };
        }
    };

    abstract String[] properties(Backend registry);

    /** The body of the answer to a request, empty for what is not there. */
    abstract String answer(String path, List<Backend> shops);

    /** Of these instances those that it knows. */
    List<Backend> listed(List<Backend> shops) {
        return shops;
    }

    /** Makes {@code registry} one of this kind. */
    void servedBy(Backend registry, List<Backend> shops) {
        registry.does(exchange -> {
            String body = answer(exchange.getRequestURI().getPath(), listed(shops));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("X-Consul-Index", "1");
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(bytes.length == 0 ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    private static String each(List<Backend> shops, String format) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < shops.size(); i++) {
            all.append(i == 0 ? "" : ",")
                    .append(format.formatted(i, shops.get(i).port()));
        }
        return all.toString();
    }
}
