// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a process has seen, line by line: verb, time, and what belongs to it. It is in the file at once, so that it outlives kill -9. */
final class Journal {
  private final FileChannel file;

  Journal(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  /** Something that was so at {@code time}. */
  void write(String verb, long time, Object... what) {
    StringBuilder line = new StringBuilder(verb).append(' ').append(time);
    for (Object one : what) {
      line.append(' ').append(one);
    }
    ByteBuffer bytes = ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
    try {
      synchronized (this) {
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
