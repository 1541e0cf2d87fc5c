// SPDX-License-Identifier: Apache-2.0
package io.aether.starter;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/** Rules of this module, each with its reason. */
@AnalyzeClasses(packages = "io.aether.starter", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    @ArchTest
    static final ArchRule noCycles = slices().matching("io.aether.starter.(**)")
            .should()
            .beFreeOfCycles()
            .because("a part that can be understood alone can be changed alone");

    @ArchTest
    static final ArchRule clocksAreInjected = noClasses()
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .because("tests decide what time it is");

    @ArchTest
    static final ArchRule optionalLibrariesStayInTheirCorner = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "..metrics..",
                    "..actuator..",
                    "..gateway..",
                    "..webclient..",
                    "..webflux..",
                    "..propagation..",
                    "..observation..",
                    "..autoconfigure..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.micrometer..",
                    "org.springframework.boot.actuate..",
                    "org.springframework.cloud.gateway..",
                    "org.springframework.web.reactive..",
                    "reactor.netty..")
            .because("an application without them must still start");

    @ArchTest
    static final ArchRule autoConfigurationsAreFinal = classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .haveModifier(JavaModifier.FINAL)
            .andShould()
            .haveSimpleNameEndingWith("AutoConfiguration")
            .because("they are wiring, not an API");
}
