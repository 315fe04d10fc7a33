// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.Bars.Bar;
import dev.baton.bench.Bars.Verdict;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Suites whose peers are too heavy to be built and shaded with the others. They live in a module of their own, in the packages of this one, and
 * are there if its jar is on the class path.
 */
interface MoreSuites {
  List<MoreSuites> FOUND = ServiceLoader.load(MoreSuites.class).stream().map(ServiceLoader.Provider::get).toList();

  List<Suite> suites();

  /** What is promised of single rows. */
  List<Bar> bars();

  /** What is promised of several rows together. */
  void compare(List<Row> rows, List<Verdict> verdicts);
}
