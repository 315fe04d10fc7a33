// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static dev.baton.bench.peer.SuspendGate.suspended;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.peer.SuspendPipe;
import dev.baton.bench.peer.SuspendTap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.jvm.internal.ContinuationImpl;
import kotlinx.coroutines.Dispatchers;
import org.jspecify.annotations.Nullable;

/**
 * Traffic of coroutines on {@code Dispatchers.Default}, Kotlin's pool with one thread per core. Their loops are what the Kotlin
 * compiler would make of them, as in {@link CoroutineCrowd}: all that is needed to go on is written down before a call that may
 * suspend.
 */
final class CoroutineTraffic extends Traffic {
  private final Peer peer;
  private final List<SuspendPipe> pipes = new ArrayList<>();
  private final List<Worker> coroutines = new ArrayList<>();

  CoroutineTraffic(Peer peer) {
    this.peer = peer;
  }

  @Override
  int pipe(int capacity) {
    pipes.add(peer.suspendPipe(capacity));
    return pipes.size() - 1;
  }

  @Override
  void addSender(int to, int messages) {
    coroutines.add(new Sender(pipes.get(to), messages));
  }

  @Override
  void addReceiver(int from, int messages) {
    coroutines.add(new Receiver(pipes.get(from), messages));
  }

  @Override
  void addSelector(List<Integer> from, @Nullable Duration timeout, int messages) {
    coroutines.add(new Receiver(peer.suspendSelect(from.stream().map(pipes::get).toList(), timeout), messages));
  }

  @Override
  void addPasser(int from, int to, int messages) {
    coroutines.add(new Passer(pipes.get(from), pipes.get(to), messages));
  }

  @Override
  void start() {
    for (Worker coroutine : coroutines) {
      // What startCoroutine does: dispatch the first step through the context's interceptor.
      coroutine.intercepted().resumeWith(Unit.INSTANCE);
    }
  }

  /** Nothing to do: a coroutine without a job cannot be cancelled. */
  @Override
  void interrupt() {}

  private abstract class Worker extends ContinuationImpl {
    private static final long serialVersionUID = 1;

    Worker() {
      super(new Completion());
    }

    @SuppressWarnings("unchecked") // a continuation only consumes values: one of Object takes all others as well
    final <T> Continuation<T> asCaller() {
      return (Continuation<T>) (Continuation<?>) this;
    }
  }

  private final class Sender extends Worker {
    private static final long serialVersionUID = 1;

    private final transient SuspendPipe pipe;
    private final int messages;
    private int next;

    Sender(SuspendPipe pipe, int messages) {
      this.pipe = pipe;
      this.messages = messages;
    }

    @Override
    protected @Nullable Object invokeSuspend(Object result) {
      ResultKt.throwOnFailure(result);
      while (next < messages) {
        Object sent = pipe.send(message(next++), asCaller());
        if (suspended(sent)) {
          return sent;
        }
      }
      return Unit.INSTANCE;
    }
  }

  private final class Receiver extends Worker {
    private static final long serialVersionUID = 1;

    private final transient SuspendTap tap;
    private int left;
    private long sum;

    Receiver(SuspendTap tap, int messages) {
      this.tap = tap;
      left = messages;
    }

    /** Called with a message, but for the first time. */
    @Override
    protected @Nullable Object invokeSuspend(Object result) {
      ResultKt.throwOnFailure(result);
      Object message = result;
      while (true) {
        if (message instanceof Integer number) {
          sum += number;
          left--;
        }
        if (left == 0) {
          received(sum);
          return Unit.INSTANCE;
        }
        message = tap.receive(asCaller());
        if (suspended(message)) {
          return message;
        }
      }
    }
  }

  private final class Passer extends Worker {
    private static final long serialVersionUID = 1;

    private final transient SuspendPipe source;
    private final transient SuspendPipe target;
    private int left;

    Passer(SuspendPipe source, SuspendPipe target, int messages) {
      this.source = source;
      this.target = target;
      left = messages;
    }

    /** Called with a message once it is received, and with something else at first and after each send. */
    @Override
    protected @Nullable Object invokeSuspend(Object result) {
      ResultKt.throwOnFailure(result);
      Object last = result;
      while (true) {
        if (last instanceof Integer message) {
          left--;
          last = target.send(message, asCaller());
        } else if (left == 0) {
          return Unit.INSTANCE;
        } else {
          last = source.receive(asCaller());
        }
        if (suspended(last)) {
          return last;
        }
      }
    }
  }

  /** Told when a worker's loop has returned or thrown; its context is where the worker runs. */
  private final class Completion implements Continuation<@Nullable Object> {
    @Override
    public CoroutineContext getContext() {
      return Dispatchers.getDefault();
    }

    @Override
    public void resumeWith(Object result) {
      try {
        ResultKt.throwOnFailure(result);
        ended();
      } catch (Throwable e) {
        failed(e);
      }
    }
  }
}
