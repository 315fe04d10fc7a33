// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import dev.baton.lease.LeaseStats;
import dev.baton.lease.ReleaseResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where leases are kept. Called with arguments that have been looked at; safe for use by several threads. */
public interface LeaseStore {

  /** What kind of store it is, for people. */
  String kind();

  /**
   * Begins a request. It is decided by whoever has {@linkplain LeaseRequest#claim claimed} it: granted, refused if it {@linkplain
   * LeaseRequest#mayWait may not wait}, or failed. If that happens before this returns it is not woken.
   */
  void acquire(LeaseRequest request);

  /**
   * {@code request}, which was claimed by whoever gave it up, leaves the line, and the next one is considered in the same step. Also told of one
   * that was refused because it may not wait, if that counts as out of time.
   */
  void withdraw(LeaseRequest request, boolean timedOut);

  /** Gives back the permits of a lease that has {@linkplain HeldLease#end ended} as released. Does not throw. */
  void giveBack(HeldLease lease);

  /**
   * The {@linkplain HeldLease#checkAt time} of a lease has come: it is lost, unless that was put off meanwhile. Those who want to know are {@linkplain
   * HeldLease#tellOfLoss told} when its permits have gone back.
   */
  void expire(HeldLease lease);

  /**
   * Sees to it that the permits of a lease that was lost have gone back when this returns, as far as that depends on us: whoever has brought it to its
   * end may be about to. They go back once, whoever comes first. Does not throw.
   */
  void settle(HeldLease lease);

  /** Releases a lease of which only the id is known. */
  ReleaseResult release(String name, String id);

  /** Has a lease end so many nanoseconds from now, or later. False: it is not held, or has no end. */
  boolean extend(String name, String id, long nanos);

  /** Takes a lease away from its holder. False: it is not held. */
  boolean revoke(String name, String id);

  /** Sets the limit of a name; revokes nobody. */
  void resize(Terms terms, int limit);

  /** Whether one who asks now would not be granted anything at once. */
  boolean isFull(String name);

  /** How a name is doing; null if nothing is known of it. */
  @Nullable LeaseStats stats(String name);

  /** What can be seen of a name; {@link NameView#EMPTY} if nothing is known of it. */
  NameView inspect(String name);

  /** The names that are known. */
  List<String> names();

  /** Refuses those who wait and those who come, and gives back what is held. Closing again does nothing. Does not throw. */
  void close();

  /** Whether {@link #close} has been called. */
  boolean isClosed();
}
