/*
 * Two clerks book into one account.
 *
 * shows: an update that is not atomic: read, add, write
 * expect: assertion line 26
 * fault: line 13 "void deposit(int amount) {": another thread can book between the read and the write
 * mend: line 13:         synchronized void deposit(int amount) {
 * pattern: lost-update */
public class LostUpdate {
    static class Account {
        int balance;

        void deposit(int amount) {
            balance = balance + amount;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account account = new Account();
        Thread one = new Thread(() -> account.deposit(10));
        Thread two = new Thread(() -> account.deposit(20));
        one.start();
        two.start();
        one.join();
        two.join();
        assert account.balance == 30;
    }
}
