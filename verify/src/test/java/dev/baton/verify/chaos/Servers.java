// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import io.lettuce.core.KillArgs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A primary server and its replica, one after the other, and what was done to them. */
final class Servers implements AutoCloseable {
  private static final Pattern CLIENT = Pattern.compile("id=(\\d+) .*name=(\\S*) .*flags=(\\S+) .*");

  private final Path directory;
  private final Collection<Wire> wires = new CopyOnWriteArrayList<>();
  private final List<Epoch> epochs = new ArrayList<>();
  private final Wire replication;
  private Node primary;
  private Node replica;
  private int count;
  private int marks;
  private boolean replicating = true;

  // Of the epoch that lasts.
  private @Nullable Fault beganBy;
  private long began = System.nanoTime();
  private Map<String, Snapshot> initial;
  private Watch watch;

  Servers(Path directory) {
    Quiet.please();
    this.directory = directory;
    primary = new Node(next(), Node.freePort(), 0);
    replication = new Wire(primary.port);
    replica = new Node(next(), Node.freePort(), replication.port());
    initial = Snapshot.of(primary.admin());
    watch = new Watch(primary.port, initial);
  }

  private Path next() {
    return directory.resolve("server-" + ++count);
  }

  /** A link to whatever is the primary server. */
  Wire newWire() {
    Wire wire = new Wire(primary.port);
    wires.add(wire);
    return wire;
  }

  Node primary() {
    return primary;
  }

  void strike(Plan.Strike strike) {
    switch (strike.fault()) {
      case SCRIPTS_FORGOTTEN -> primary.admin().scriptFlush();
      case CLIENTS_KILLED -> killClients(new Random(strike.seed()));
      case STALL -> primary.admin().clientPause(strike.lasting());
      case RESTART, RESTART_EMPTY -> restart(strike.fault());
      case FAIL_OVER -> failOver(strike.lasting());
      case KILL, PAUSE, LONG_PAUSE, CUT, HALF_OPEN, NO_ANSWERS, LATE ->
          throw new IllegalArgumentException(strike + " does not strike a server");
    }
  }

  private void killClients(Random random) {
    for (String line : primary.admin().clientList().lines().toList()) {
      Matcher client = CLIENT.matcher(line);
      // Not us, neither as those who watch, nor the replica.
      if (client.matches()
          && !client.group(2).equals(Node.DRIVER)
          && !client.group(3).contains("S")
          && !client.group(3).contains("O")
          && random.nextBoolean()) {
        primary.admin().clientKill(KillArgs.Builder.id(Long.parseLong(client.group(1))));
      }
    }
  }

  private void restart(Fault fault) {
    boolean withData = fault == Fault.RESTART;
    if (withData) {
      // One that has just begun as a replica writes its log in the background first.
      Soon.holds("the log is complete", () -> primary.info("persistence", "aof_rewrite_in_progress").equals("0")
          && primary.info("persistence", "aof_rewrite_scheduled").equals("0"));
    }
    long cut = finish();
    int port = primary.port;
    Path data = primary.directory();
    primary.close();
    primary = new Node(withData ? data : next(), port, 0);
    begin(fault, cut);
  }

  /** The replica knows all that was done before. Returns only if nothing is done meanwhile. */
  void awaitReplica() {
    Soon.holds("the replica has caught up",
        () -> replica.info("replication", "slave_repl_offset").equals(primary.info("replication", "master_repl_offset")));
  }

  /** The replica hears of nothing any more that is done from now on. */
  void stopReplicating() {
    Soon.holds("the replica follows", () -> replica.info("replication", "master_link_status").equals("up"));
    replication.become(Wire.State.SWALLOWING);
    replicating = false;
  }

  private void failOver(long unreplicatedMillis) {
    if (replicating) {
      stopReplicating();
    }
    Soon.pause(unreplicatedMillis);
    long cut = finish();
    primary.close();
    replica.admin().replicaofNoOne();
    primary = replica;
    begin(Fault.FAIL_OVER, cut);
    replication.lead(primary.port);
    replication.become(Wire.State.OPEN);
    replicating = true;
    replica = new Node(next(), Node.freePort(), replication.port());
  }

  /** Nobody reaches the primary any more, and all that it has done is known. Since when that is so. */
  private long finish() {
    wires.forEach(Wire::shut);
    long cut = System.nanoTime();
    // Twice: what arrived before the first is done before the second.
    mark();
    mark();
    end();
    return cut;
  }

  private void mark() {
    String text = "mark " + ++marks;
    primary.admin().echo(text);
    watch.awaitMark(text);
  }

  private void end() {
    epochs.add(new Epoch(beganBy, began, initial, watch.events()));
    watch.close();
  }

  private void begin(Fault why, long cut) {
    beganBy = why;
    began = cut;
    initial = Snapshot.of(primary.admin());
    watch = new Watch(primary.port, initial);
    wires.forEach(wire -> wire.lead(primary.port));
  }

  /** All that was done up to now, to all of them. Nothing more may be done. */
  List<Epoch> epochs() {
    mark();
    end();
    return epochs;
  }

  @Override
  public void close() {
    wires.forEach(Wire::close);
    replication.close();
    primary.close();
    replica.close();
    watch.close();
  }
}
