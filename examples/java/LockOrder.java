/*
 * Money goes from one account to another, and back at the same time.
 *
 * shows: two locks taken in both orders
 * expect: deadlock
 * fault: line 22 "synchronized (to) {": the order of the locks depends on the direction of the transfer
 * mend: line 21:         synchronized (from.number < to.number ? from : to) {
 * mend: line 22:             synchronized (from.number < to.number ? to : from) {
 * pattern: lock-order */
public class LockOrder {
    static class Account {
        final int number;
        int balance = 100;

        Account(int number) {
            this.number = number;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            synchronized (to) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) {
        Account a = new Account(1);
        Account b = new Account(2);
        new Thread(() -> transfer(a, b, 10)).start();
        new Thread(() -> transfer(b, a, 20)).start();
    }
}
