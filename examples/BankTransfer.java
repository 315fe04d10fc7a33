// SPDX-License-Identifier: Apache-2.0
import dev.baton.scope.Scope;
import dev.baton.sync.Mutex;

// Two clerks move money between two accounts at the same time. Every read and every write of a balance is done under the
// lock of the account. Yet now and then money appears or disappears: between the read and the write that belongs to it,
// the other clerk may have booked something, and that is overwritten.
//
//   ./baton run examples/BankTransfer.java

void main() throws Exception {
  var ann = new Account(100);
  var bob = new Account(100);
  try (Scope bank = Scope.open()) {
    bank.fork(() -> transfer(ann, bob, 30));
    bank.fork(() -> transfer(bob, ann, 50));
    bank.join();
  }
  int total = ann.balance() + bob.balance();
  if (total != 200) {
    throw new IllegalStateException("The accounts held 200 together and now hold " + total + ": an update was lost.");
  }
  IO.println("Ann has %d, Bob has %d.".formatted(ann.balance(), bob.balance()));
}

void transfer(Account from, Account to, int amount) throws InterruptedException {
  from.add(-amount);
  to.add(amount);
}

static final class Account {
  private final Mutex lock = new Mutex();
  private int balance;

  Account(int balance) {
    this.balance = balance;
  }

  int balance() throws InterruptedException {
    return lock.withLock(() -> balance);
  }

  void add(int amount) throws InterruptedException {
    int before = balance();
    lock.withLock(() -> { balance = before + amount; }); // it may be another one by now
  }
}
