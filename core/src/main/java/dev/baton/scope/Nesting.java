// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.host.Hosts;
import org.jspecify.annotations.Nullable;

/**
 * Where a scope stands among those that are open: who has opened it, and inside of which.
 *
 * <pre>
 *   scope ◀─enclosing─ scope ◀─enclosing─ scope ◀─innermost─ the owner: a fork, or a thread that is none
 *     ▲
 *     └─scope()─ the owner, if that is a fork
 * </pre>
 */
final class Nesting {
  /** The innermost open scope of a thread that is not itself a fork; forks keep their own. */
  private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();

  private final Scope scope;
  private final Object owner;

  /** Of the thread and not of the task, which may have others that work for it: what is open is known by thread. */
  private final long ownerId = Thread.currentThread().threadId();

  /** The fork that opened the scope, or null if no fork did. */
  private final @Nullable Fork<?> ownerFork;

  /** The scope around it that was opened by the same task. */
  private final @Nullable Scope enclosing;

  /** Whether a refused setting has taken it out of the chain of open scopes. */
  private boolean aside;

  /** The calling task, {@code owner}, is about to open {@code scope}. */
  Nesting(Scope scope, Object owner) {
    this.scope = scope;
    this.owner = owner;
    ownerFork = Fork.current(owner);
    enclosing = innermost();
  }

  /** The innermost open scope around the calling task, {@code task}, whoever has opened it; or null. */
  static @Nullable Scope around(Object task) {
    Fork<?> fork = Fork.current(task);
    return fork == null ? INNERMOST.get() : fork.innermost != null ? fork.innermost : fork.scope();
  }

  // ---- around ----

  /** The scope around it that was opened by the same task, or null. */
  @Nullable Scope enclosing() {
    return enclosing;
  }

  /** The scope around it, whoever has opened that: its deadline and carriers are inherited. */
  @Nullable Scope outer() {
    return enclosing != null || ownerFork == null ? enclosing : ownerFork.scope();
  }

  /** Whether the owner is a fork that was told to stop, or who lives in it was told to end. */
  boolean isOwnerStopping() {
    return (ownerFork != null && ownerFork.isStopping()) || scope.host().isResidentEnding(owner);
  }

  // ---- inside ----

  /** Whether the calling task has opened the scope. */
  boolean isCallersOwn() {
    return Thread.currentThread().threadId() == ownerId;
  }

  /** Whether the calling task is the owner, or a task inside: nobody else is known to end before the scope. */
  boolean hasCallerInside() {
    if (isCallersOwn()) {
      return true;
    }
    Fork<?> fork = Fork.current(Hosts.current().currentTask());
    while (fork != null && !isAround(fork.scope())) {
      fork = fork.scope().nesting().ownerFork;
    }
    return fork != null;
  }

  /** Whether {@code other} is the scope, or was opened inside by the same task, and so is closed before it. */
  private boolean isAround(Scope other) {
    Scope inner = other;
    while (inner != null && inner != scope) {
      inner = inner.nesting().enclosing;
    }
    return inner != null;
  }

  /** The innermost of those that the owner has opened inside and not closed; the scope itself or null if there is none. */
  @Nullable Scope innermostInside() {
    return aside ? null : innermost();
  }

  /** Whether the owner has opened another scope inside, and not closed it. */
  boolean hasInside() {
    return !aside && innermost() != scope;
  }

  /** Whether the scope stands aside and cannot come back, since something else has come in its place. Asked by the owner. */
  boolean isShutOut() {
    return aside && isCallersOwn() && innermost() != enclosing;
  }

  // ---- coming and going, by the owner ----

  /** From now on the scope is the innermost. */
  void enter() {
    setInnermost(scope);
  }

  /** The scope is closed, and all inside are. */
  void leave() {
    if (!aside) {
      setInnermost(enclosing);
    }
  }

  /** Takes the scope out for a while, if it is the innermost. False: it is not, or the caller is not the owner. */
  boolean standAside() {
    boolean can = isCallersOwn() && innermost() == scope;
    if (can) {
      aside = true;
      setInnermost(enclosing);
    }
    return can;
  }

  /** Puts a scope that stands aside back. False: it does not, or something else has come in its place. */
  boolean stepIn() {
    boolean can = aside && isCallersOwn() && innermost() == enclosing;
    if (can) {
      aside = false;
      setInnermost(scope);
    }
    return can;
  }

  private @Nullable Scope innermost() {
    return ownerFork != null ? ownerFork.innermost : INNERMOST.get();
  }

  private void setInnermost(@Nullable Scope innermost) {
    if (ownerFork != null) {
      ownerFork.innermost = innermost;
    } else if (innermost == null) {
      INNERMOST.remove();
    } else {
      INNERMOST.set(innermost);
    }
  }
}
