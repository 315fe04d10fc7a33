// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.sync.Promise;
import dev.baton.sync.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A promise that several want to keep, and those who wait for it. */
class PromiseModelTest {

  @Test
  void theFirstCompletionStands() {
    Search.randomBriefly(3, 2).sequentialSpecification(Spec.class).check(Completions.class);
  }

  @Test
  void allWhoWaitGetTheSame() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(scenario(List.of(call("await")), List.of(call("await")), List.of(call("complete", 1))))
        .addCustomScenario(scenario(List.of(call("await")), List.of(call("complete", 1)), List.of(call("fail", 2))))
        .addCustomScenario(
            scenario(List.of(call("mirror")), List.of(List.of(call("await")), List.of(call("complete", 1))), List.of()))
        .addCustomScenario(
            scenario(
                List.of(call("mirror")),
                List.of(List.of(call("cancelMirror")), List.of(call("complete", 1)), List.of(call("await"))),
                List.of()))
        .check(Completions.class);
  }

  private static Actor call(String operation, Object... arguments) {
    return Search.call(Completions.class, operation, arguments);
  }

  /** Errors are shown as negative numbers. */
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public static class Completions {
    private final Promise<Integer> promise = new Promise<>();
    private @Nullable CompletableFuture<Integer> mirror;

    @Operation
    public boolean complete(@Param(name = "value") int value) {
      return promise.complete(value);
    }

    @Operation
    public boolean fail(@Param(name = "value") int value) {
      return promise.fail(new Numbered(value));
    }

    @Operation
    public int outcome() {
      return promise.future().outcome().map(Completions::number).orElse(0);
    }

    @Operation
    public boolean isDone() {
      return promise.isDone();
    }

    /** By scenario only: somebody must complete it. */
    public int await() {
      int[] number = new int[1];
      Ends.onlyWhenWoken(
          () -> {
            try {
              number[0] = promise.future().awaitUninterruptibly();
            } catch (Numbered error) {
              number[0] = -error.number;
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      return number[0];
    }

    /** By scenario only. */
    public void mirror() {
      mirror = promise.future().toCompletableFuture();
    }

    /** By scenario only. */
    public void cancelMirror() {
      if (mirror != null) {
        mirror.cancel(false);
      }
    }

    @Validate
    public void theMirrorHasEndedOnce() {
      CompletableFuture<Integer> future = mirror;
      if (future != null && promise.isDone() && !future.isDone()) {
        throw new IllegalStateException(promise + ", but " + future);
      }
    }

    private static int number(Result<Integer> result) {
      return switch (result) {
        case Result.Ok<Integer> ok -> ok.value();
        case Result.Err<Integer> err -> -((Numbered) err.error()).number;
      };
    }
  }

  private static final class Numbered extends RuntimeException {
    final int number;

    Numbered(int number) {
      super(null, null, false, false);
      this.number = number;
    }
  }

  /** An order in which somebody would have to wait does not count: its results differ from the real ones. */
  public static class Spec {
    private int outcome;

    public boolean complete(int value) {
      boolean first = outcome == 0;
      outcome = first ? value : outcome;
      return first;
    }

    public boolean fail(int value) {
      return complete(-value);
    }

    public int outcome() {
      return outcome;
    }

    public boolean isDone() {
      return outcome != 0;
    }

    public int await() {
      return outcome;
    }

    public void mirror() {}

    public void cancelMirror() {}
  }
}
