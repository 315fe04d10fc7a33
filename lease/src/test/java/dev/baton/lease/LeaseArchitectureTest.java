// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leases reach threads, clocks and randomness only through their host, and nothing of Baton's that is not exported. */
class LeaseArchitectureTest {
  /** An empty set forbids the whole class. */
  private static final Map<String, Set<String>> FORBIDDEN =
      Map.of(
          "java.util.concurrent.locks.LockSupport", Set.of(),
          "java.lang.Thread",
              Set.of("sleep", "yield", "start", "startVirtualThread", "ofVirtual", "ofPlatform", "join", "<init>"),
          "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
          "java.time.Instant", Set.of("now"),
          "java.time.Clock", Set.of(),
          "java.util.Random", Set.of(),
          "java.util.concurrent.ThreadLocalRandom", Set.of(),
          "java.util.UUID", Set.of("randomUUID"),
          "java.lang.Object", Set.of("wait", "notify", "notifyAll"),
          "java.util.concurrent.Executors", Set.of());

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("/core/") && !location.contains("baton-core"))
          .withImportOption(location -> !location.contains("/runtime/") && !location.contains("baton-runtime"))
          .importPackages("dev.baton.lease");

  private static boolean isForbidden(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    Set<String> names = FORBIDDEN.get(target.getOwner().getName());
    return names != null && (names.isEmpty() || names.contains(target.getName()));
  }

  @Test
  void onlyHostsTouchTheWorld() {
    noClasses()
        .should()
        .accessTargetWhere(describe("parks, sleeps, reads a clock or starts a thread", LeaseArchitectureTest::isForbidden))
        .check(classes);
  }

  @Test
  void nothingThatIsNotExportedIsUsed() {
    noClasses().should().dependOnClassesThat().resideInAPackage("dev.baton.internal..").check(classes);
  }

  @Test
  void theMemoryStoreIsKnownByTheEntranceOnly() {
    classes()
        .that()
        .resideInAPackage("dev.baton.lease.memory")
        .should()
        .onlyBeAccessed()
        .byClassesThat()
        .haveFullyQualifiedName("dev.baton.lease.Leases")
        .orShould()
        .onlyBeAccessed()
        .byAnyPackage("dev.baton.lease.memory", "dev.baton.lease")
        .check(classes);
  }
}
