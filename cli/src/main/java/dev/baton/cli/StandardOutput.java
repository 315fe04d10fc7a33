// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** What we print, with the error that it met: {@link System#out} keeps that to itself. */
final class StandardOutput extends FilterOutputStream {
  private @Nullable IOException failure;

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(OutputStream out) {
    super(out);
  }

  PrintWriter writer() {
    return new PrintWriter(new OutputStreamWriter(this, System.out.charset()), true);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException failed) {
      failure = failed;
      throw failed;
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Why not all was written, or null if it was. */
  @Nullable IOException failure() {
    return failure;
  }
}
