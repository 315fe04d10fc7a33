// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that perform effects, the handlers that answer them, and the runners.
 *
 * {@snippet :
 * Program<List<Integer>> program = () -> {
 *   Semaphore two = Effects.semaphore(2);
 *   List<Task<Integer>> tasks = new ArrayList<>();
 *   for (int i = 0; i < 5; i++) {
 *     int n = i;
 *     tasks.add(Effects.spawn(() -> Effects.withPermit(two, () -> n * n)));
 *   }
 *   return Effects.gather(tasks);
 * };
 * System.out.println(Effects.run(program, Handlers.defaults()).value()); // [0, 1, 4, 9, 16]
 * }
 *
 * <p>A {@link dev.baton.effect.Program} is plain direct code. What it wants from the world it asks for by an {@link
 * dev.baton.effect.Effect}; {@link dev.baton.effect.Handlers} answer; a {@link dev.baton.effect.Runner} runs it and gives a {@link
 * dev.baton.effect.RunResult}. Tasks are those of the cooperative runtime: one runs at a time, in an order that can be chosen,
 * repeated, and searched by {@link dev.baton.effect.Runner#check}. A semaphore is {@link dev.baton.sync.Semaphore} itself, a task is
 * a {@link dev.baton.scope.Task}, and all that can be waited for is a {@link dev.baton.sync.Waitable}.
 *
 * <table>
 * <caption>What {@link dev.baton.effect.Effects} offers, and the effect that it performs</caption>
 * <tr><th>helper</th><th>effect</th><th>answer</th></tr>
 * <tr><td>{@code spawn([name,] program[, priority])}</td><td>{@code Spawn}</td><td>{@code Task<T>}</td></tr>
 * <tr><td>{@code join(waitable)}</td><td>{@code Wait}</td><td>{@code T}</td></tr>
 * <tr><td>{@code gather(waitables)}</td><td>{@code Gather}</td><td>{@code List<T>}</td></tr>
 * <tr><td>{@code race(waitables)}</td><td>{@code Race}</td><td>{@code RaceResult<T>}</td></tr>
 * <tr><td>{@code cancel(task)}</td><td>{@code Cancel}</td><td></td></tr>
 * <tr><td>{@code promise()}</td><td>{@code CreatePromise}</td><td>{@code Promise<T>}</td></tr>
 * <tr><td>{@code complete(promise, value)}</td><td>{@code CompletePromise}</td><td></td></tr>
 * <tr><td>{@code fail(promise, error)}</td><td>{@code FailPromise}</td><td></td></tr>
 * <tr><td>{@code externalPromise()}</td><td>{@code CreateExternalPromise}</td><td>{@code ExternalPromise<T>}</td></tr>
 * <tr><td>{@code await(callable or stage)}, {@code awaitStage(supplier)}</td><td>{@code Await}</td><td>{@code T}</td></tr>
 * <tr><td>{@code attempt(program)}</td><td>{@code Try}</td><td>{@code Result<T>}</td></tr>
 * <tr><td>{@code semaphore(permits)}</td><td>{@code CreateSemaphore}</td><td>{@code Semaphore}</td></tr>
 * <tr><td>{@code acquire(semaphore[, n])}</td><td>{@code AcquireSemaphore}</td><td></td></tr>
 * <tr><td>{@code tryAcquire(semaphore[, n][, timeout])}</td><td>{@code TryAcquireSemaphore}</td><td>{@code boolean}</td></tr>
 * <tr><td>{@code release(semaphore[, n])}</td><td>{@code ReleaseSemaphore}</td><td></td></tr>
 * <tr><td>{@code withPermit(semaphore, body)}</td><td>{@code AcquireSemaphore}, {@code ReleaseSemaphore}</td><td>{@code T}</td></tr>
 * <tr><td>{@code ask(key)}</td><td>{@code Ask}</td><td>{@code T}</td></tr>
 * <tr><td>{@code local(overrides, program)}</td><td>{@code Local}</td><td>{@code T}</td></tr>
 * <tr><td>{@code get(key)}</td><td>{@code Get}</td><td>{@code T}</td></tr>
 * <tr><td>{@code put(key, value)}</td><td>{@code Put}</td><td></td></tr>
 * <tr><td>{@code modify(key, function)}</td><td>{@code Modify}</td><td>{@code T}, the new one</td></tr>
 * <tr><td>{@code tell(message)}</td><td>{@code Tell}</td><td></td></tr>
 * <tr><td>{@code listen(program)}</td><td>{@code Listen}</td><td>{@code Listened<T>}</td></tr>
 * <tr><td>{@code sleep(duration)}</td><td>{@code Delay}</td><td></td></tr>
 * <tr><td>{@code now()}</td><td>{@code GetTime}</td><td>{@code Instant}</td></tr>
 * <tr><td>{@code yieldNow()}</td><td>none: it only gives up the turn</td><td></td></tr>
 * <tr><td>{@code handle(handlers, program)}</td><td>none: it brings handlers into scope</td><td>{@code T}</td></tr>
 * </table>
 */
@NullMarked
package dev.baton.effect;

import org.jspecify.annotations.NullMarked;
