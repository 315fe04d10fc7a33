// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.time.Duration;
import java.util.List;
import kotlin.coroutines.Continuation;
import kotlin.jvm.functions.Function1;
import kotlin.jvm.functions.Function2;
import kotlinx.coroutines.channels.Channel;
import kotlinx.coroutines.selects.OnTimeoutKt;
import kotlinx.coroutines.selects.SelectImplementation;
import org.jspecify.annotations.Nullable;

/**
 * What {@code select { a.onReceive { it }; b.onReceive { it }; onTimeout(…) { error(…) } }} is once inlined. The Kotlin compiler
 * would make an object of each block for each message; here they are made once.
 */
final class KotlinSelect implements SuspendTap {
  private static final Function2<Integer, Continuation<? super Integer>, Object> IT = (message, caller) -> message;

  private final List<Channel<Integer>> channels;
  private final @Nullable Duration timeout;
  private final Function1<Continuation<? super Integer>, Object> late;
  private final long millis;

  KotlinSelect(List<SuspendPipe> pipes, @Nullable Duration timeout) {
    this.channels = pipes.stream().map(pipe -> ((KotlinPipe) pipe).channel()).toList();
    this.timeout = timeout;
    millis = timeout == null ? 0 : timeout.toMillis();
    late =
        caller -> {
          throw new IllegalStateException("no message within " + timeout);
        };
  }

  @Override
  public @Nullable Object receive(Continuation<? super Integer> caller) {
    SelectImplementation<Integer> select = new SelectImplementation<>(caller.getContext());
    for (Channel<Integer> channel : channels) {
      select.invoke(channel.getOnReceive(), IT);
    }
    if (timeout != null) {
      OnTimeoutKt.onTimeout(select, millis, late);
    }
    return select.doSelect(caller);
  }
}
