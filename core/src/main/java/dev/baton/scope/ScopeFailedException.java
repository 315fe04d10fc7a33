// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

/**
 * A task of a {@link Scope} failed, and its block was left without joining. The cause is what {@link Scope#join} would have
 * thrown; it is wrapped because the block may be throwing that very object.
 */
public final class ScopeFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ScopeFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
