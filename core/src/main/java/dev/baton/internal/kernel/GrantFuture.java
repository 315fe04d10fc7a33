// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.RequestFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The future of a request for permits, or for what comes with them. */
final class GrantFuture<T extends @Nullable Object> extends RequestFuture<T> {
  private final AsyncRequest<T> request;

  GrantFuture(AsyncRequest<T> request) {
    this.request = request;
  }

  @Override
  protected Object blocker() {
    return request.primitive();
  }

  @Override
  protected boolean endBy(BooleanSupplier completion) {
    return request.endBy(completion);
  }
}
