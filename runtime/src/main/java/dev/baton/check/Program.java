// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

/**
 * What is checked: run again and again, each time as the first task of a new run. It makes all of its state itself, so that every
 * run begins alike.
 */
@FunctionalInterface
public interface Program {

  /**
   * Runs once. Whatever it throws is a failure.
   *
   * @throws Exception what a check reports as a failure
   */
  void run() throws Exception;
}
