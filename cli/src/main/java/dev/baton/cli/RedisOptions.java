// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Where leases are kept. Names no type of theirs: commands that have nothing to do with leases load this too. */
final class RedisOptions {
  /** The environment variable that says where Redis is, if the option does not. */
  static final String VARIABLE = "BATON_REDIS";

  @Option(
      names = "--redis",
      paramLabel = "URI",
      scope = ScopeType.INHERIT,
      description = {
        "Where Redis is: redis://host:6379, or with TLS",
        "rediss://user:password@host:6379/0. Default: the environment variable BATON_REDIS.",
        "A password belongs there: others can see options.",
      })
  private @Nullable String uri;

  @Option(
      names = "--namespace",
      paramLabel = "NS",
      scope = ScopeType.INHERIT,
      defaultValue = "baton",
      description = "What all keys begin with: baton unless set. The same name elsewhere is another one.")
  private String namespace = "baton";

  /** Where Redis is, or null if nobody has said. Not to be shown: there may be a password in it. */
  @Nullable String uri() {
    return uri != null ? uri : System.getenv(VARIABLE);
  }

  String namespace() {
    return namespace;
  }
}
