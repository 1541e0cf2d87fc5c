// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClientConfiguration;
import org.springframework.cloud.loadbalancer.core.ReactorLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.type.MethodMetadata;

/**
 * Runs in the child context of every service. It replaces Spring's default balancer there, after all configurations have been
 * read: default configurations reach a child context in the order of a hash map, so a condition on a missing bean would see a
 * user's balancer or not by chance, and two balancers make Spring find none at all. A balancer of the user's own, however
 * declared, stays.
 *
 * <p>Not a {@code @Configuration}, and outside of any component scan, lest it be taken up by an application's own context.
 */
public class AetherLoadBalancerClientConfiguration {

    @Bean
    static BeanDefinitionRegistryPostProcessor aetherLoadBalancerInstaller() {
        return new Installer();
    }

    /** Makes the balancer of the child context's service; called by the container. */
    public static ReactorServiceInstanceLoadBalancer aetherLoadBalancer(
            Environment environment, LoadBalancerClientFactory clients, ServiceFleets fleets) {
        String service = environment.getRequiredProperty(LoadBalancerClientFactory.PROPERTY_NAME);
        ObjectProvider<ServiceInstanceListSupplier> suppliers =
                clients.getLazyProvider(service, ServiceInstanceListSupplier.class);
        return new AetherLoadBalancer(suppliers, service, fleets);
    }

    private static final class Installer implements BeanDefinitionRegistryPostProcessor {

        private static final String DEFAULT_NAME = "reactorServiceInstanceLoadBalancer";

        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            if (!(registry instanceof ListableBeanFactory beans)) {
                return;
            }
            String[] names =
                    BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, ReactorLoadBalancer.class, true, false);
            if (names.length == 0) {
                registry.registerBeanDefinition(DEFAULT_NAME, definition());
            } else if (names.length == 1 && isSpringsOwn(registry, names[0])) {
                registry.removeBeanDefinition(names[0]);
                registry.registerBeanDefinition(names[0], definition());
            }
        }

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
            // All is done on the registry.
        }

        private static boolean isSpringsOwn(BeanDefinitionRegistry registry, String name) {
            if (!registry.containsBeanDefinition(name)) {
                return false;
            }
            BeanDefinition definition = registry.getBeanDefinition(name);
            MethodMetadata factory = definition instanceof AnnotatedBeanDefinition annotated
                    ? annotated.getFactoryMethodMetadata()
                    : null;
            return factory != null
                    && factory.getDeclaringClassName().equals(LoadBalancerClientConfiguration.class.getName());
        }

        private static RootBeanDefinition definition() {
            RootBeanDefinition definition = new RootBeanDefinition(AetherLoadBalancerClientConfiguration.class);
            definition.setTargetType(ReactorServiceInstanceLoadBalancer.class);
            definition.setFactoryMethodName("aetherLoadBalancer");
            definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
            return definition;
        }
    }
}
