// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.aether.agent", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {
    @ArchTest
    static final ArchRule noCycles =
            slices().matching("io.aether.agent.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule bridgeKnowsNoSpring = noClasses()
            .that()
            .resideInAPackage("..agent.bpf..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework..")
            .because("the bridge to the kernel is used without Spring by tests and benchmarks");

    @ArchTest
    static final ArchRule doctorKnowsNoSpring = noClasses()
            .that()
            .resideInAPackage("..agent.doctor..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework..")
            .because("the doctor answers before a context would have started");

    @ArchTest
    static final ArchRule timeIsPassedIn = noClasses()
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .because("a clock that is passed in can be turned by a test");
}
