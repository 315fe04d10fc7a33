// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.sync.AlreadySetException;
import dev.baton.sync.InitializingException;
import dev.baton.sync.OnceCell;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Initializers that succeed, fail or are given up.
 *
 * <p>A set that is refused because an initializer runs takes place at no single instant: a look after it may still find nothing,
 * and the initializer may fail. So sets are kept apart from looks and from failures.
 */
class OnceCellModelTest {

  @Test
  void oneInitializerSucceedsAndAllSeeItsValue() {
    Search.randomBriefly(3, 2).sequentialSpecification(Spec.class).check(Initializers.class);
  }

  @Test
  void ofSetsAndInitializersOneComesFirst() {
    Search.randomBriefly(3, 2).sequentialSpecification(Spec.class).check(Sets.class);
  }

  @Test
  void aFailedInitializerLetsTheNextOneTry() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(
            scenario(
                List.of(),
                List.of(List.of(call("fail")), List.of(call("getOrInit", 1)), List.of(call("getOrInit", 2))),
                List.of(call("get"))))
        .check(Initializers.class);
  }

  @Test
  void aWaitThatIsGivenUpTakesNoTurnWithIt() {
    Search.scriptedBriefly()
        .sequentialSpecification(Unspecified.class)
        .addCustomScenario(scenario(List.of(turn("fail")), List.of(turn("unlessInterrupted")), List.of(turn("patiently"))))
        .addCustomScenario(scenario(List.of(turn("fail"), turn("patiently")), List.of(turn("unlessInterrupted"))))
        .check(Turns.class);
  }

  private static Actor call(String operation, Object... arguments) {
    return Search.call(Initializers.class, operation, arguments);
  }

  private static Actor turn(String operation) {
    return Search.call(Turns.class, operation);
  }

  private static int initialize(OnceCell<Integer> cell, int value) {
    int[] result = new int[1];
    Ends.whenWoken(() -> result[0] = cell.getOrInit(() -> value));
    return result[0];
  }

  /** With failures, without sets. */
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public static class Initializers {
    private final OnceCell<Integer> cell = new OnceCell<>();

    @Operation
    public int getOrInit(@Param(name = "value") int value) {
      return initialize(cell, value);
    }

    @Operation
    public int fail() {
      int[] result = new int[1];
      Ends.whenWoken(
          () -> {
            try {
              result[0] =
                  cell.getOrInit(
                      () -> {
                        throw new UnsupportedOperationException("on purpose");
                      });
            } catch (UnsupportedOperationException e) {
              result[0] = -1;
            }
          });
      return result[0];
    }

    @Operation
    public int get() {
      return cell.get().orElse(0);
    }
  }

  /** With sets, without failures. */
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public static class Sets {
    private final OnceCell<Integer> cell = new OnceCell<>();

    @Operation
    public int getOrInit(@Param(name = "value") int value) {
      return initialize(cell, value);
    }

    @Operation
    public boolean trySet(@Param(name = "value") int value) {
      return cell.trySet(value);
    }

    @Operation
    public boolean set(@Param(name = "value") int value) {
      try {
        cell.set(value);
        return true;
      } catch (AlreadySetException | InitializingException e) {
        return false;
      }
    }
  }

  /** The shortest form we know. */
  public static class Spec {
    private int value;

    public int getOrInit(int mine) {
      trySet(mine);
      return value;
    }

    public int fail() {
      return value == 0 ? -1 : value;
    }

    public int get() {
      return value;
    }

    public boolean trySet(int mine) {
      if (value != 0) {
        return false;
      }
      value = mine;
      return true;
    }

    public boolean set(int mine) {
      return trySet(mine);
    }
  }

  /** Each scenario has one who waits as long as it takes: in the end there is a value, made once. */
  public static class Turns {
    private final OnceCell<Integer> cell = new OnceCell<>();
    private final AtomicInteger made = new AtomicInteger();

    @Operation
    public void fail() {
      Ends.whenWoken(
          () -> {
            try {
              cell.getOrInit(
                  () -> {
                    throw new UnsupportedOperationException("on purpose");
                  });
            } catch (UnsupportedOperationException e) {
              // The next one tries.
            }
          });
    }

    @Operation
    public void unlessInterrupted() {
      Ends.byInterrupt(() -> cell.getOrInit(made::incrementAndGet));
    }

    @Operation
    public void patiently() {
      Ends.whenWoken(() -> cell.getOrInit(made::incrementAndGet));
    }

    @Validate
    public void madeOnce() {
      if (made.get() != 1 || !cell.isSet() || cell.waiting() != 0) {
        throw new IllegalStateException(made + " made, " + cell.waiting() + " waiting, " + cell);
      }
    }
  }

  /** Nothing is said about results. */
  public static class Unspecified {
    public void fail() {}

    public void unlessInterrupted() {}

    public void patiently() {}
  }
}
