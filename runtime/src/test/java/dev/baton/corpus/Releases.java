// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.EXCEPTION;
import static dev.baton.check.Kind.INVARIANT;

import dev.baton.check.Check;
import dev.baton.corpus.Bug.Shared;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Mutex;
import dev.baton.sync.Notify;
import dev.baton.sync.Permit;
import dev.baton.sync.Promise;
import dev.baton.sync.Semaphore;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Something is given back, answered or taken twice, or by one who never had it; often because a wait has timed out. */
final class Releases {
  private Releases() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
                "released without acquiring",
                EXCEPTION,
                "A release in finally runs also when the permit was not to be had, and takes it from who holds it.",
                () -> tryToWork(false),
                () -> tryToWork(true))
            .andSmall(),
        new Bug(
                "returned twice",
                INVARIANT,
                "What was given back early is given back again in finally: now there is one more than there are.",
                Releases::returnedTwice,
                Releases::returnedOnce)
            .andSmall(),
        new Bug(
                "time-out taken for success",
                EXCEPTION,
                "Whether the timed wait got the lock is not looked at, and a lock that is not held is unlocked.",
                () -> waitAndUnlock(false),
                () -> waitAndUnlock(true))
            .andSmall(),
        new Bug(
                "answered twice",
                EXCEPTION,
                "The answer and the time-out both find the promise open, and both believe that they have settled it.",
                () -> answer(false),
                () -> answer(true))
            .andSmall(),
        new Bug(
                "answer to an earlier question",
                EXCEPTION,
                "After a time-out the next question is asked over the same mailbox, and gets the late answer to the first.",
                Releases::oneMailbox,
                Releases::oneMailboxEach)
            .andSmall());
  }

  private static void tryToWork(boolean onlyIfAcquired) throws Exception {
    Semaphore permits = Semaphore.of(1);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  boolean acquired = false;
                  try {
                    acquired = permits.tryAcquire();
                  } finally {
                    if (acquired || !onlyIfAcquired) {
                      permits.release();
                    }
                  }
                });
          }
          scope.join();
        });
  }

  private static void returnedTwice() throws Exception {
    Semaphore item = Semaphore.unbounded(1); // cannot know that there is only one
    Shared users = new Shared(0);
    Check.always("the item has one user at most", () -> users.value <= 1);
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                item.acquire();
                try {
                  item.release(); // no longer needed
                } finally {
                  item.release();
                }
              });
          scope.fork(() -> use(item, users));
          scope.fork(() -> use(item, users));
          scope.join();
        });
  }

  private static void returnedOnce() throws Exception {
    Semaphore item = Semaphore.of(1);
    Shared users = new Shared(0);
    Check.always("the item has one user at most", () -> users.value <= 1);
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                Permit held = item.hold();
                try {
                  held.close(); // no longer needed
                } finally {
                  held.close(); // goes back once
                }
              });
          scope.fork(() -> use(item, users));
          scope.fork(() -> use(item, users));
          scope.join();
        });
  }

  private static void use(Semaphore item, Shared users) throws InterruptedException {
    item.acquire();
    users.value++;
    Time.sleep(Bug.ms(0)); // others may come meanwhile
    users.value--;
    item.release();
  }

  private static void waitAndUnlock(boolean look) throws Exception {
    Mutex lock = new Mutex();
    Scope.run(
        scope -> {
          scope.fork(() -> lock.withLock(() -> Time.sleep(Bug.ms(5))));
          scope.fork(
              () -> {
                boolean locked = lock.tryLock(Bug.ms(5));
                if (locked || !look) {
                  lock.unlock();
                }
              });
          scope.join();
        });
  }

  private static void answer(boolean firstWins) throws Exception {
    Promise<String> answer = new Promise<>();
    Shared replies = new Shared(0);
    Mutex connection = new Mutex();
    Scope.run(
        scope -> {
          for (String reply : List.of("42", "timed out")) {
            scope.fork(
                () -> {
                  Time.sleep(Bug.ms(10));
                  boolean mine = !answer.isDone();
                  boolean settled = answer.complete(reply);
                  if (firstWins ? settled : mine) {
                    connection.withLock(() -> replies.value++);
                  }
                });
          }
          scope.join();
        });
    Bug.require(replies.value == 1, replies.value + " replies to one question");
  }

  private static void oneMailbox() throws Exception {
    Notify arrived = new Notify();
    Shared mailbox = new Shared(0);
    Scope.run(
        scope -> {
          for (int i = 1; i <= 2; i++) {
            int question = i;
            scope.fork(
                () -> {
                  Time.sleep(Bug.ms(10));
                  mailbox.value = question;
                  arrived.notifyOne();
                });
            if (arrived.await(Bug.ms(10))) {
              Bug.require(mailbox.value == question, "asked " + question + ", got the answer to " + mailbox.value);
            }
          }
          scope.join();
        });
  }

  private static void oneMailboxEach() throws Exception {
    Scope.run(
        scope -> {
          for (int i = 1; i <= 2; i++) {
            int question = i;
            Promise<Integer> answer = new Promise<>();
            scope.fork(
                () -> {
                  Time.sleep(Bug.ms(10));
                  answer.complete(question);
                });
            try {
              int got = answer.future().await(Bug.ms(10));
              Bug.require(got == question, "asked " + question + ", got the answer to " + got);
            } catch (TimeoutException late) {
              // no answer is better than another's
            }
          }
          scope.join();
        });
  }
}
