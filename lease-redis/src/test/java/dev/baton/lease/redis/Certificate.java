// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate for localhost that has signed itself, made for one test. */
record Certificate(Path certificate, Path key) {

  static Certificate in(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve("store.p12");
    String password = "changeit";
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    int status =
        new ProcessBuilder(
                List.of(keytool + "", "-genkeypair", "-alias", "redis", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=localhost",
                    "-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "2", "-storetype", "PKCS12", "-keystore", store + "",
                    "-storepass", password))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException("keytool: " + Files.readString(directory.resolve("keytool.log")));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password.toCharArray());
    }
    Path certificate = pem(directory.resolve("cert.pem"), "CERTIFICATE", keys.getCertificate("redis").getEncoded());
    Path key = pem(directory.resolve("key.pem"), "PRIVATE KEY", keys.getKey("redis", password.toCharArray()).getEncoded());
    return new Certificate(certificate, key);
  }

  private static Path pem(Path file, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }
}
