// SPDX-License-Identifier: Apache-2.0
package io.aether.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

@AnalyzeClasses(packages = "io.aether.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {
    @ArchTest
    static final ArchRule noCycles =
            slices().matching("io.aether.core.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule plainJava = noClasses()
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("io.aether.core..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule timeIsPassedIn = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(NanoClock.class.getName())
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule chanceIsPassedIn = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(Dice.class.getName())
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ThreadLocalRandom.class)
            .orShould()
            .callMethod(Math.class, "random");
}
