// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.runtime.Candidates;
import dev.baton.runtime.Policy.Decider;
import dev.baton.runtime.internal.Chance;
import java.util.Arrays;

/**
 * A decider that writes down what it decides, so that it can be repeated and shortened.
 *
 * <p>Choices are counted from the one that changes least: 0 lets the running task go on, or else the one that has been able to for
 * longest; 1 and more are the others, in their order. A task that has gone on for very long while others could run is not the one
 * that changes least any more: a loop that waits without sleeping needs the others to run.
 */
abstract class Decisions implements Decider, Chance {
  private static final int LONG = 200;

  private int[] choices = new int[64];
  private int[] sizes = new int[64];
  private boolean[] preemptible = new boolean[64];
  private int count;
  private int goneOn;

  @Override
  public final int choose(Candidates candidates) {
    int size = candidates.size();
    int running = candidates.running();
    boolean goesOn = running >= 0 && goneOn < LONG;
    int base = goesOn ? running : 0;
    int choice = choice(candidates, base);
    int index = choice == 0 ? base : choice <= base ? choice - 1 : choice;
    goneOn = index == running ? goneOn + 1 : 0;
    note(choice, size, goesOn);
    return index;
  }

  /** The choice; {@code base} is the index that choice 0 stands for. */
  abstract int choice(Candidates candidates, int base);

  /** What is left to chance, such as which of the clauses that are ready a select takes, is a decision too: 0 leaves it as drawn. */
  @Override
  public final int turnFrom(int bound) {
    if (bound < 2) {
      return 0;
    }
    int drawn = draw(bound);
    note(drawn, bound, false);
    return drawn;
  }

  /** From 0 to {@code bound} - 1. */
  int draw(int bound) {
    return 0;
  }

  /** The choice that stands for {@code index}. */
  static int choiceOf(int index, int base) {
    return index == base ? 0 : index < base ? index + 1 : index;
  }

  private void note(int choice, int size, boolean goesOn) {
    if (count == choices.length) {
      choices = Arrays.copyOf(choices, count * 2);
      sizes = Arrays.copyOf(sizes, count * 2);
      preemptible = Arrays.copyOf(preemptible, count * 2);
    }
    choices[count] = choice;
    sizes[count] = size;
    preemptible[count] = goesOn;
    count++;
  }

  /** How many decisions there were so far. */
  final int count() {
    return count;
  }

  /** How many could be chosen from. */
  final int sizeAt(int decision) {
    return sizes[decision];
  }

  /** Whether any choice but 0 took the turn from a task that could have gone on. */
  final boolean isPreemptible(int decision) {
    return preemptible[decision];
  }

  /** All choices, without those at the end that change nothing. */
  final int[] choices() {
    int length = count;
    while (length > 0 && choices[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(choices, length);
  }
}
