// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * While it is open, what is printed is kept instead of shown, and there is nothing to read. Of a run that prints very much, only the
 * beginning is kept. Streams that a run has put in the place of ours are its own: the next one finds ours again.
 */
public final class KeptOutput implements AutoCloseable {
  private static final int MOST_BYTES = 64 * 1024;

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final InputStream in = System.in;
  private final PrintStream stream = new PrintStream(new Keeper(), true, StandardCharsets.UTF_8);

  /** Guarded by this. */
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

  /** Guarded by this. */
  private boolean cut;

  /** Takes the place of the standard streams. */
  public KeptOutput() {
    takePlace();
  }

  private void takePlace() {
    System.setOut(stream);
    System.setErr(stream);
    System.setIn(InputStream.nullInputStream());
  }

  /** A run begins: what the last one has printed is forgotten, and where it has sent it. */
  public synchronized void clear() {
    takePlace();
    kept.reset();
    cut = false;
  }

  /** What was printed since then. */
  public synchronized String text() {
    return kept.toString(StandardCharsets.UTF_8) + (cut ? "\n... (and more, which was not kept)\n" : "");
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
    System.setIn(in);
  }

  private synchronized void keep(byte[] bytes, int from, int count) {
    int room = Math.min(count, MOST_BYTES - kept.size());
    kept.write(bytes, from, room);
    cut |= room < count;
  }

  private final class Keeper extends OutputStream {
    @Override
    public void write(int b) {
      keep(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      keep(bytes, from, count);
    }
  }
}
