// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.channels.BufferOverflow;
import kotlinx.coroutines.channels.Channel;
import kotlinx.coroutines.channels.ChannelKt;
import org.jspecify.annotations.Nullable;

record KotlinPipe(Channel<Integer> channel) implements SuspendPipe {
  KotlinPipe(int capacity) {
    this(ChannelKt.<Integer>Channel(capacity, BufferOverflow.SUSPEND, null));
  }

  @Override
  public @Nullable Object send(Integer message, Continuation<? super Unit> caller) {
    return channel.send(message, caller);
  }

  @Override
  public @Nullable Object receive(Continuation<? super Integer> caller) {
    return channel.receive(caller);
  }
}
