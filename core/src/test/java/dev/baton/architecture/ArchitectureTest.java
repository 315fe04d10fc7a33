// SPDX-License-Identifier: Apache-2.0
package dev.baton.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Only hosts touch the world: parking, sleeping, clocks, randomness, starting threads. */
class ArchitectureTest {
  private static final String HOSTS = "dev.baton.internal.threads..";

  /** An empty set forbids the whole class. */
  private static final Map<Class<?>, Set<String>> FORBIDDEN =
      Map.ofEntries(
          Map.entry(LockSupport.class, Set.of()),
          Map.entry(
              Thread.class,
              Set.of("sleep", "yield", "start", "startVirtualThread", "ofVirtual", "ofPlatform", "join", "<init>")),
          Map.entry(System.class, Set.of("nanoTime", "currentTimeMillis")),
          Map.entry(Instant.class, Set.of("now")),
          Map.entry(Clock.class, Set.of()),
          Map.entry(Random.class, Set.of()),
          Map.entry(ThreadLocalRandom.class, Set.of()),
          Map.entry(Math.class, Set.of("random")),
          Map.entry(UUID.class, Set.of("randomUUID")),
          Map.entry(Object.class, Set.of("wait", "notify", "notifyAll")),
          Map.entry(Executors.class, Set.of()),
          Map.entry(ForkJoinPool.class, Set.of()),
          Map.entry(
              CompletableFuture.class,
              Set.of("orTimeout", "completeOnTimeout", "delayedExecutor", "supplyAsync", "runAsync")));

  /** Calls, constructors and method references alike. */
  private static final DescribedPredicate<JavaAccess<?>> TOUCHES_THE_WORLD =
      describe("parks, sleeps, reads a clock, draws a random number or starts a thread", ArchitectureTest::isForbidden);

  private static final ArchRule ONLY_HOSTS_TOUCH_THE_WORLD =
      noClasses().that().resideOutsideOfPackage(HOSTS).should().accessTargetWhere(TOUCHES_THE_WORLD);

  private final JavaClasses core =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.baton");

  private static boolean isForbidden(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    JavaClass owner = target.getOwner();
    return FORBIDDEN.entrySet().stream()
        .anyMatch(
            e ->
                owner.isEquivalentTo(e.getKey())
                    && (e.getValue().isEmpty() || e.getValue().contains(target.getName())));
  }

  @Test
  void onlyHostsTouchTheWorld() {
    ONLY_HOSTS_TOUCH_THE_WORLD.check(core);
  }

  @Test
  void theRuleSeesWhatItForbids() {
    // This very class reads a clock, makes a thread and refers to a sleep: the rule must say so, or it says nothing.
    assertThat(System.nanoTime()).isNotZero();
    assertThat(new Thread().isAlive()).isFalse();
    LongConsumer park = LockSupport::parkNanos;
    park.accept(1);
    EvaluationResult result =
        ONLY_HOSTS_TOUCH_THE_WORLD.evaluate(new ClassFileImporter().importClasses(ArchitectureTest.class));
    assertThat(result.hasViolation()).isTrue();
    assertThat(result.getFailureReport().toString()).contains("nanoTime", "Thread.<init>", "parkNanos");
  }

  @Test
  void theKernelKnowsNoPrimitive() {
    noClasses()
        .that(resideInAPackage("dev.baton.internal.kernel.."))
        .or(resideInAPackage("dev.baton.internal.threads.."))
        .or(resideInAPackage("dev.baton.host.."))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.baton.sync..", "dev.baton.scope..")
        .check(core);
  }
}
