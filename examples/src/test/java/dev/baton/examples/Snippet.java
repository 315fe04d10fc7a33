// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import java.nio.file.Path;

/**
 * Code in the documentation.
 *
 * @param file where it stands
 * @param line the line of the file that its first line is
 * @param given declarations it relies on and does not show
 * @param code the code, without the indentation and the asterisks around it
 */
record Snippet(Path file, int line, String given, String code) {
  /** Where line {@code n} of the code stands, counted from 1. */
  String place(long n) {
    return file + ":" + (line + n - 1);
  }
}
