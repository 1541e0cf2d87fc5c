// SPDX-License-Identifier: Apache-2.0
package io.aether.gateway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The edge of the checkout graph: Spring Cloud Gateway, its routes in {@code application.yaml}. */
@SpringBootApplication(proxyBeanMethods = false)
public class GatewayApplication {

    public static void main(String[] args) {
        SpringApplication.run(GatewayApplication.class, args);
    }
}
