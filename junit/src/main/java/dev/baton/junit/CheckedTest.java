// SPDX-License-Identifier: Apache-2.0
package dev.baton.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test whose body is run under many schedules, in virtual time, as {@link dev.baton.check.Check} does. It fails if one of them
 * deadlocks, throws, leaks a task or a permit, or does not end.
 *
 * {@snippet :
 * class TransferTest {
 *   @CheckedTest(seeds = 2_000)
 *   void twoTransfersEnd() throws Exception {
 *     Mutex ann = new Mutex();
 *     Mutex bob = new Mutex();
 *     Scope.run(scope -> {
 *       scope.fork(() -> ann.withLock(() -> bob.withLock(() -> "to bob")));
 *       scope.fork(() -> ann.withLock(() -> bob.withLock(() -> "to ann")));
 *       scope.join();
 *     });
 *   }
 * }
 * }
 *
 * <p><b>Replay.</b> The message of a failed test is the whole report; the line that begins with {@code Replay:} names the schedule,
 * and so does the entry {@code baton.replay} that is published for the test. Run that one schedule again with {@link #replay}, or
 * without touching the source by the system property (or JUnit's configuration parameter) {@code baton.replay}.
 *
 * <p><b>State.</b> Every schedule gets a test instance of its own, and its {@code @BeforeEach} and {@code @AfterEach} methods run
 * with the body, as part of what is checked: fields do not survive from one schedule to the next. Parameters of the method are
 * resolved once. A class with {@code @TestInstance(PER_CLASS)} keeps its one instance, also for tests in classes that are nested in it.
 * Otherwise the instance that JUnit itself makes, and that other extensions fill, is used by nobody else.
 *
 * <p>The body runs on threads of the check: thread locals of the test's own thread are not seen. A failed assumption aborts the test.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(CheckedTestExtension.class)
public @interface CheckedTest {

  /**
   * {@return how many schedules are run at most; 0 for as many as a check runs by itself: 1,000, or 100,000 of an
   * exhaustive search}
   */
  long seeds() default 0;

  /**
   * {@return which schedules: {@code random}, {@code pct}, {@code pct:DEPTH}, {@code exhaustive} or {@code
   * exhaustive:PREEMPTIONS}}
   */
  String strategy() default "random";

  /** {@return the first seed} */
  long firstSeed() default 0;

  /**
   * {@return how many steps one schedule may take before it counts as a livelock; 0 for as many as a check allows by
   * itself: 20,000}
   */
  long steps() default 0;

  /**
   * Stops after so many milliseconds, however many schedules were run; 0 for no such limit.
   *
   * @return so many milliseconds; 0 for no such limit
   */
  long timeMillis() default 0;

  /**
   * Lets the body end with tasks alive and permits held.
   *
   * @return true if what is left is no failure
   */
  boolean allowLeaks() default false;

  /** {@return the one schedule to run, as a report names it: {@code random:5}; empty to search} */
  String replay() default "";
}
