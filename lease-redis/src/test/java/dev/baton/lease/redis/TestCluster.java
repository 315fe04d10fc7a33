// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.world.Eventually;
import dev.baton.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Real servers that are one cluster. */
final class TestCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;

  final List<TestServer> nodes = new ArrayList<>();
  private final World world;

  TestCluster(World world, Path directory, int size) {
    this.world = world;
    for (int i = 0; i < size; i++) {
      TestServer node =
          new TestServer("cluster-enabled yes", "cluster-config-file " + directory.resolve("node-" + i), "cluster-node-timeout 3000");
      nodes.add(node);
      // Nodes that begin with the same epoch sort that out later, in the midst of a move.
      node.admin().clusterSetConfigEpoch(i + 1);
      node.admin().clusterAddSlots(IntStream.range(SLOTS * i / size, SLOTS * (i + 1) / size).toArray());
      if (i > 0) {
        node.admin().clusterMeet("127.0.0.1", nodes.get(0).port());
      }
    }
    Eventually.holds(world, () -> nodes.stream().allMatch(node -> isComplete(node, size)));
  }

  private static boolean isComplete(TestServer node, int size) {
    String about = node.admin().clusterInfo();
    return about.contains("cluster_state:ok") && about.contains("cluster_size:" + size + "\r\n");
  }

  String uri() {
    return nodes.get(0).uri();
  }

  /** Moves the slot of {@code key}, with everything in it, to the node {@code to}, unless that has it. */
  void move(String key, TestServer to) {
    int slot = Math.toIntExact(to.admin().clusterKeyslot(key));
    TestServer from = nodes.stream().filter(node -> owns(node, slot)).findFirst().orElseThrow();
    if (from == to) {
      return;
    }
    // The new owner takes the next epoch that it knows of. If that is not above all others, who had the slot before can take it back.
    Eventually.holds(
        world,
        () -> nodes.stream().allMatch(node -> epoch(node, "cluster_my_epoch") <= epoch(to, "cluster_current_epoch")));
    to.admin().clusterSetSlotImporting(slot, from.admin().clusterMyId());
    from.admin().clusterSetSlotMigrating(slot, to.admin().clusterMyId());
    List<String> keys = from.admin().clusterGetKeysInSlot(slot, 100);
    while (!keys.isEmpty()) {
      keys.forEach(one -> from.admin().migrate("127.0.0.1", to.port(), one, 0, 5_000));
      keys = from.admin().clusterGetKeysInSlot(slot, 100);
    }
    to.admin().clusterSetSlotNode(slot, to.admin().clusterMyId());
    nodes.stream().filter(node -> node != to).forEach(node -> node.admin().clusterSetSlotNode(slot, to.admin().clusterMyId()));
  }

  private static long epoch(TestServer node, String which) {
    return node.admin().clusterInfo().lines()
        .filter(line -> line.startsWith(which + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(which.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static boolean owns(TestServer node, int slot) {
    String own = node.admin().clusterNodes().lines().filter(line -> line.contains("myself")).findFirst().orElseThrow();
    // Eight fields, then what it owns.
    return Arrays.stream(own.split(" "))
        .skip(8)
        .filter(range -> range.matches("\\d+(-\\d+)?"))
        .map(range -> range.split("-"))
        .anyMatch(ends -> Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]));
  }

  @Override
  public void close() {
    nodes.forEach(TestServer::close);
  }
}
