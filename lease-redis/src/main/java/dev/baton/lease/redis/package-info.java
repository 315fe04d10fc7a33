// SPDX-License-Identifier: Apache-2.0
/** Leases on Redis: {@link dev.baton.lease.redis.RedisLeases} is where to begin. */
@NullMarked
package dev.baton.lease.redis;

import org.jspecify.annotations.NullMarked;
