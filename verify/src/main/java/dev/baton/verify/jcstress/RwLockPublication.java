// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.sync.RwLock;
import dev.baton.sync.UpgradableGuard;
import dev.baton.sync.WriteGuard;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What passes from one hold of a read-write lock to the next. The data is plain. */
public class RwLockPublication {

  /** What was written under the write lock is read under the read lock, all of it or nothing. */
  @JCStressTest
  @Outcome(id = {"0, 0", "1, 1"}, expect = ACCEPTABLE, desc = "before or after the writer")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class WriteToRead {
    private final RwLock lock = new RwLock();
    private int left;
    private int right;

    @Actor
    public void write() {
      lock.writeLock().lock();
      left = 1;
      right = 1;
      lock.writeLock().unlock();
    }

    @Actor
    public void read(II_Result r) {
      lock.readLock().lock();
      r.r1 = left;
      r.r2 = right;
      lock.readLock().unlock();
    }
  }

  /** A read ends before the next write begins: the reader sees nothing of it, and the writer what was done before. */
  @JCStressTest
  @Outcome(id = {"0, 1", "1, 0"}, expect = ACCEPTABLE, desc = "the reader first and seen by the writer, or the other way")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ReadToWrite {
    private final RwLock lock = new RwLock();
    private int data;
    private int noted;

    @Actor
    public void read(II_Result r) {
      lock.readLock().lock();
      r.r1 = data;
      noted = 1;
      lock.readLock().unlock();
    }

    @Actor
    public void write(II_Result r) {
      lock.writeLock().lock();
      r.r2 = noted;
      data = 1;
      lock.writeLock().unlock();
    }
  }

  /** What was written before a downgrade is read by those whom it lets in, while the writer goes on reading. */
  @JCStressTest
  @Outcome(id = {"0, 0", "1, 1"}, expect = ACCEPTABLE, desc = "before the writer, or after its downgrade")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class DowngradeToRead {
    private final RwLock lock = new RwLock();
    private int left;
    private int right;

    @Actor
    public void write() {
      lock.writeLock().lock();
      left = 1;
      right = 1;
      lock.downgrade();
      lock.readLock().unlock();
    }

    @Actor
    public void read(II_Result r) {
      lock.readLock().lock();
      r.r1 = left;
      r.r2 = right;
      lock.readLock().unlock();
    }
  }

  /** Never unlocked: only the downgrade itself can have published it. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not let in yet, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class DowngradeAlone {
    private final RwLock lock = new RwLock();
    private final WriteGuard writing = lock.writeLock().lockAsync().join();
    private int data;

    @Actor
    public void write() {
      data = 1;
      writing.downgrade();
    }

    @Actor
    public void read(I_Result r) {
      r.r1 = lock.readLock().tryLock() ? data : -1;
    }
  }

  /** What a reader did before it left is seen by the one whose upgrade waited for that. */
  @JCStressTest
  @Outcome(id = {"0, 1", "1, 0"}, expect = ACCEPTABLE, desc = "the reader left before the upgrade, or came after it")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ReadToUpgrade {
    private final RwLock lock = new RwLock();
    private int data;
    private int noted;

    @Actor
    public void read(II_Result r) {
      lock.readLock().lock();
      r.r1 = data;
      noted = 1;
      lock.readLock().unlock();
    }

    @Actor
    public void upgrade(II_Result r) {
      try (UpgradableGuard guard = lock.upgradable()) {
        guard.upgrade();
        r.r2 = noted;
        data = 1;
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  /** Both upgrade: nothing that one wrote is lost by the other. */
  @JCStressTest
  @Outcome(id = {"1, 2", "2, 1"}, expect = ACCEPTABLE, desc = "one after the other")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class UpgradeToUpgrade {
    private final RwLock lock = new RwLock();
    private int counter;

    @Actor
    public void first(II_Result r) {
      r.r1 = increment();
    }

    @Actor
    public void second(II_Result r) {
      r.r2 = increment();
    }

    private int increment() {
      try (UpgradableGuard guard = lock.upgradable()) {
        int before = counter;
        guard.upgrade();
        counter = before + 1;
        return before + 1;
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }
}
