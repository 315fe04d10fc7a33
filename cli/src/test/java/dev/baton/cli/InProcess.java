// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The outcome of a command that ran in this JVM: good for what the command says itself. */
record InProcess(int exitCode, String out, String err) {
  static InProcess baton(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine baton = Main.commandLine();
    baton.setOut(new PrintWriter(out, true));
    baton.setErr(new PrintWriter(err, true));
    int exitCode = baton.execute(args);
    return new InProcess(exitCode, out.toString(), err.toString());
  }
}
