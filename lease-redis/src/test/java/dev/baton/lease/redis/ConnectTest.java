// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.ReleaseResult;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways to a server: encrypted, as a user, to a database, in a namespace; and wrong ones. Secrets are seen nowhere. */
class ConnectTest {
  private static final String SECRET = "s3cr3t-Pa55word";

  @TempDir
  private Path directory;

  private static void use(Leases leases) throws Exception {
    LeaseSemaphore semaphore = leases.semaphore("door", 1);
    Lease lease = semaphore.acquire();
    assertThat(semaphore.tryAcquire()).isEmpty();
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  private static String all(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void anAnswerMayBeWaitedForForEver() throws Exception {
    try (TestServer server = new TestServer();
        Leases leases = RedisLeases.builder().uri(server.uri()).commandTimeout(Lease.FOREVER).connect()) {
      use(leases);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // as one who does not heed what is marked
  void whatIsMissingIsNamed() {
    RedisLeases.Builder builder = RedisLeases.builder();
    assertThatThrownBy(() -> builder.commandTimeout(null)).isInstanceOf(NullPointerException.class).hasMessage("time");
    assertThatThrownBy(() -> builder.namespace(null)).isInstanceOf(NullPointerException.class).hasMessage("prefix");
  }

  @Test
  void anEncryptedConnectionIsUsedIfItsCertificateIsTrusted() throws Exception {
    Certificate certificate = Certificate.in(directory);
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    try (TestServer server =
        new TestServer(
            "tls-port " + port,
            "tls-cert-file " + certificate.certificate(),
            "tls-key-file " + certificate.key(),
            "tls-ca-cert-file " + certificate.certificate(),
            "tls-auth-clients no",
            "requirepass " + SECRET)) {
      String address = "rediss://:" + SECRET + "@localhost:" + port;
      SslOptions trusted = SslOptions.builder().jdkSslProvider().trustManager(certificate.certificate().toFile()).build();
      try (Leases leases = RedisLeases.builder().uri(address).ssl(trusted).connect()) {
        use(leases);
      }
      for (String wrong : List.of(address, "redis://:" + SECRET + "@localhost:" + port, "rediss://:" + SECRET + "@localhost:" + server.port())) {
        assertThatThrownBy(() -> RedisLeases.builder().uri(wrong).commandTimeout(Duration.ofMillis(700)).connect())
            .isInstanceOf(BackendUnavailableException.class)
            .hasMessageContaining("TLS")
            .satisfies(error -> assertThat(all(error)).doesNotContain(SECRET));
      }
    }
  }

  @Test
  void aUserWithFewRightsIsEnoughAndTooFewAreNamed() throws Exception {
    try (TestServer server =
        new TestServer(
            "user worker on >" + SECRET + " ~billing:* resetchannels &billing:* +@all -@admin -@dangerous",
            "user reader on >" + SECRET + " ~other:* +@all")) {
      String host = "@localhost:" + server.port();
      try (Leases leases = RedisLeases.builder().uri("redis://worker:" + SECRET + host).namespace("billing").connect()) {
        use(leases);
        assertThat(leases + "").doesNotContain(SECRET).doesNotContain("worker");
      }
      assertThatThrownBy(() -> RedisLeases.builder().uri("redis://worker:" + SECRET + host).namespace("elsewhere").connect())
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("may not do this")
          .satisfies(error -> assertThat(all(error)).doesNotContain(SECRET));
      try (Leases leases = RedisLeases.builder().uri("redis://reader:" + SECRET + host).namespace("billing").connect()) {
        assertThatThrownBy(() -> leases.semaphore("door", 1).acquire())
            .isInstanceOf(BackendUnavailableException.class)
            .hasMessageContaining("door")
            .satisfies(error -> assertThat(all(error)).doesNotContain(SECRET));
      }
      assertThatThrownBy(() -> RedisLeases.connect("redis://worker:wr0ng" + host))
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("password")
          .satisfies(error -> assertThat(all(error)).doesNotContain("wr0ng"));
    }
  }

  @Test
  void aDatabaseAndANamespaceKeepTheirKeysToThemselves() throws Exception {
    RedisClient client = RedisClient.create();
    try (TestServer server = new TestServer();
        Leases zero = RedisLeases.connect(server.uri());
        Leases three = RedisLeases.builder().uri(server.uri() + "/3").namespace("other.name_space-1").connect();
        Leases plain = RedisLeases.connect(server.uri() + "/3");
        var database = client.connect(RedisURI.create(server.uri() + "/3"))) {
      Lease lease = zero.semaphore("door", 1).acquire();
      use(three);
      use(plain);
      assertThat(lease.isValid()).isTrue();
      assertThat(server.admin().keys("*")).allMatch(key -> key.startsWith("baton:{door}:"));
      assertThat(database.sync().keys("*")).containsExactlyInAnyOrder("baton:{door}:cfg", "other.name_space-1:{door}:cfg");
    } finally {
      client.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost", "http://localhost:6379", "redis://:" + SECRET + "@:port", "redis:/x", "redis-sentinel://:" + SECRET + "@"})
  void whatIsNoAddressIsRefusedAndNotRepeated(String address) {
    assertThatThrownBy(() -> RedisLeases.connect(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("redis://host:6379")
        .satisfies(error -> assertThat(all(error)).doesNotContain(SECRET));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:" + SECRET + "@more@localhost:6379",
        "redis://me:" + SECRET + "#more@localhost:6379",
        "redis://me:" + SECRET + "/more@localhost:6379",
        "redis://me:" + SECRET + "?more@localhost:6379"
      })
  void aPasswordThatBreaksTheAddressIsRefusedWithAHint(String address) {
    assertThatThrownBy(() -> RedisLeases.connect(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("%40 for @")
        .satisfies(error -> assertThat(all(error)).doesNotContain(SECRET));
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://localhost:port", "redis://my_redis:6379", "redis://fe80::1"})
  void aHostWithSomethingElseInItIsRefusedWithAHint(String address) {
    assertThatThrownBy(() -> RedisLeases.connect(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the number of a port");
  }

  @Test
  void aSocketIsRefusedWhereNobodyCanOpenOne() {
    RedisURI socket = RedisURI.create("redis-socket:///tmp/redis.sock");
    assertThatThrownBy(() -> RedisLeases.connect("redis-socket:///tmp/redis.sock"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("netty-transport-native-epoll")
        .hasMessageContaining("redis://localhost:6379");
    assertThatThrownBy(() -> RedisLeases.builder().uri(socket)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMissingPasswordAndAMissingDatabaseAreNamed() {
    try (TestServer server = new TestServer("requirepass " + SECRET)) {
      assertThatThrownBy(() -> RedisLeases.connect(server.uri()))
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("asks for a password, and was given none");
      assertThatThrownBy(() -> RedisLeases.connect("redis://:" + SECRET + "@localhost:" + server.port() + "/99"))
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("no database 99")
          .satisfies(error -> assertThat(all(error)).doesNotContain(SECRET));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a{b}", "a:b", "ü", "line\nbreak", "*"})
  void whatIsNoNamespaceIsRefused(String namespace) {
    assertThatThrownBy(() -> RedisLeases.builder().namespace(namespace)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAnswerIsWaitedForForSomeTime() {
    assertThatThrownBy(() -> RedisLeases.builder().commandTimeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RedisLeases.builder().commandTimeout(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aServerThatIsTooOldIsRefused() {
    try (OldServer old = new OldServer("5.0.14")) {
      assertThatThrownBy(() -> RedisLeases.connect("redis://:" + SECRET + "@localhost:" + old.port()))
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("5.0.14")
          .hasMessageContaining("6.0 or later")
          .satisfies(error -> assertThat(all(error)).doesNotContain(SECRET));
    }
  }

  @Test
  void noSecretIsLogged() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord log) {
            lines.add(log.getMessage() + (log.getThrown() == null ? "" : all(log.getThrown())));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger("dev.baton.lease");
    Level before = log.getLevel();
    log.setLevel(Level.ALL);
    log.addHandler(handler);
    try (TestServer server = new TestServer("requirepass " + SECRET, "maxmemory 50mb", "maxmemory-policy allkeys-lru")) {
      RedisLeases.Builder builder = RedisLeases.builder().uri("redis://:" + SECRET + "@localhost:" + server.port());
      try (Leases leases = builder.connect()) {
        use(leases);
        Lease lease = leases.semaphore("door", 1).ttl(Duration.ofMillis(50)).acquire();
        dev.baton.world.Eventually.holds(dev.baton.world.Worlds.VIRTUAL.create(), () -> !lease.isValid());
        assertThat(List.of(leases + "", builder + "", lease + "", leases.semaphore("door", 1) + "")).noneMatch(text -> text.contains(SECRET));
      }
    } finally {
      log.removeHandler(handler);
      log.setLevel(before);
    }
    assertThat(lines).anyMatch(line -> line.contains("maxmemory-policy")).anyMatch(line -> line.contains("acquired"));
    assertThat(lines).noneMatch(line -> line.contains(SECRET));
  }

  @Test
  void aServerThatIsBackIsFoundWithinASecondHoweverLongItWasAway() {
    RedisClient client = Clients.create(Duration.ofSeconds(1), null);
    try {
      for (long attempt = 1; attempt < 100; attempt++) {
        assertThat(client.getResources().reconnectDelay().createDelay(attempt)).isLessThanOrEqualTo(Clients.LONGEST_RETRY);
      }
    } finally {
      Clients.end(client);
    }
  }
}
