/*
 * Two consumers wait for one item.
 *
 * shows: a condition that is tested once before waiting, and not again after
 * expect: fault line 18
 * fault: line 14 "if (items == 0) {": whoever is woken second finds the queue empty
 * mend: line 14:             while (items == 0) {
 * pattern: if-for-while */
public class IfForWhile {
    static int items;

    static class Shop {
        synchronized void take() throws InterruptedException {
            if (items == 0) {
                wait();
            }
            if (items == 0) {
                throw new IllegalStateException("sold out");
            }
            items--;
        }

        synchronized void put() {
            items++;
            notifyAll();
        }
    }

    public static void main(String[] args) {
        Shop shop = new Shop();
        Runnable customer = () -> {
            try {
                shop.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        new Thread(customer).start();
        new Thread(customer).start();
        shop.put();
        shop.put();
    }
}
