// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import org.jspecify.annotations.Nullable;

/** Keeps the classes that javac writes. */
final class MemoryFiles extends ForwardingJavaFileManager<JavaFileManager> {
  private final Map<String, ByteArrayOutputStream> written = new LinkedHashMap<>();

  MemoryFiles(JavaFileManager files) {
    super(files);
  }

  Map<String, byte[]> classes() {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      Location location, String className, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    written.put(className, bytes);
    return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/') + kind.extension), kind) {
      @Override
      public OutputStream openOutputStream() {
        return bytes;
      }
    };
  }
}
