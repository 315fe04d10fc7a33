// SPDX-License-Identifier: Apache-2.0
/**
 * What programs do again and again with threads, permits and channels, done once so that nothing leaks, starves or is forgotten.
 *
 * <p>All of it is built on {@link dev.baton.scope.Scope}, {@link dev.baton.channel.Channel} and the kernel below the primitives, so it
 * runs in every world they run in.
 *
 * <table>
 * <caption>What is behind what</caption>
 * <tr><th>face</th><th>inside</th></tr>
 * <tr><td>{@link dev.baton.pattern.Pool}, {@link dev.baton.pattern.Borrowed}</td><td>{@code Loans} (what is lent, from a permit to its return) and
 * {@code LoanRequest} (the same as a future); {@code Workshop} (makes, checks, destroys), {@code IdleStack}, {@code IdleTimer}</td></tr>
 * <tr><td>{@link dev.baton.pattern.BoundedExecutor}</td><td>{@code Entrance} (how work is handed in), {@code Invocation} (several at once);
 * {@code JobQueue} (jobs, and threads for them), {@code Worker}, {@code Submitted}</td></tr>
 * <tr><td>{@link dev.baton.pattern.Parallel}</td><td>{@code ParallelRun}, {@code Results}</td></tr>
 * <tr><td>{@link dev.baton.pattern.SingleFlight}</td><td>{@code Flight}</td></tr>
 * <tr><td>{@link dev.baton.pattern.BatchQueue}</td><td>the kernel's {@code BatchBuffer}</td></tr>
 * <tr><td>{@link dev.baton.pattern.Producer}, {@link dev.baton.pattern.Idler}</td><td>a scope and a channel; an outcome</td></tr>
 * </table>
 */
@NullMarked
package dev.baton.pattern;

import org.jspecify.annotations.NullMarked;
