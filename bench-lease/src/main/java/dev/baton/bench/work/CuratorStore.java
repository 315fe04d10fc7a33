// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.io.IOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;

/**
 * Curator on the ZooKeeper of its own tests, which runs in this JVM. That one writes a log; it is not made to reach the disk before it answers
 * (see {@link #FLAGS}), since Redis writes nothing here at all.
 */
final class CuratorStore implements RemoteStore {
  static final String FLAGS = "-Dzookeeper.forceSync=no";

  private final TestingServer server;
  private final CuratorFramework client;

  CuratorStore() throws Exception {
    server = new TestingServer(true);
    client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
    client.start();
    client.blockUntilConnected();
  }

  @Override
  public RemoteGate gate(String name, int permits) {
    InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(client, "/" + name, permits);
    return new RemoteGate() {
      @Override
      public Object acquire() throws Exception {
        return semaphore.acquire();
      }

      @Override
      public void release(Object held) {
        semaphore.returnLease((Lease) held);
      }

      @Override
      public int free() throws Exception {
        return permits - semaphore.getParticipantNodes().size();
      }
    };
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
  }
}
