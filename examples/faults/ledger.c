/*
 * Double-entry bookkeeping: every posting takes from one account what it gives to another, fees go to an account of
 * their own, some accounts may not be overdrawn, and a month is closed by carrying income and expenses over to equity.
 */
#include <assert.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int condition);

enum account { CASH, BANK, INCOME, EXPENSES, EQUITY, FEES, ACCOUNTS };
enum answer { BOOKED, SAME_ACCOUNT, NOT_POSITIVE, NOT_COVERED, BOOK_FULL };

#define ENTRIES    6
#define FEE        2        /* for taking cash from the bank */
#define FREE_FROM  100      /* larger amounts are free of it */

struct entry {
    enum account from, to;
    int amount;
};

static int balance[ACCOUNTS];
static struct entry book[ENTRIES];
static int entries;

/* Cash and bank may not be overdrawn; the others are what they are. */
static int is_covered(enum account from, int amount)
{
    if (from != CASH && from != BANK)
        return 1;
    return balance[from] >= amount;
}

static int fee_for(enum account from, enum account to, int amount)
{
    if (from != BANK || to != CASH)
        return 0;
    if (amount >= FREE_FROM)
        return 0;
    return FEE;
}

static void move(enum account from, enum account to, int amount)
{
    balance[from] = balance[from] - amount;
    balance[to] = balance[to] + amount;
}

static void write_down(enum account from, enum account to, int amount)
{
    book[entries].from = from;
    book[entries].to = to;
    book[entries].amount = amount;
    entries = entries + 1;
}

static enum answer post(enum account from, enum account to, int amount)
{
    int fee;
    int needed;
    if (from == to)
        return SAME_ACCOUNT;
    if (amount <= 0)
        return NOT_POSITIVE;
    fee = fee_for(from, to, amount);
    if (!is_covered(from, amount + fee))
        return NOT_COVERED;
    needed = fee > 0 ? 2 : 1;
    if (entries + needed > ENTRIES)
        return BOOK_FULL;
    move(from, to, amount);
    write_down(from, to, amount);
    if (fee > 0) {
        move(from, FEES, fee);
        write_down(from, FEES, fee);
    }
    return BOOKED;
}

/* What an account got and gave, by the book. */
static int turnover(enum account account)
{
    int at;
    int sum = 0;
    for (at = 0; at < entries; at++) {
        if (book[at].to == account)
            sum = sum + book[at].amount;
        if (book[at].from == account)
            sum = sum - book[at].amount;
    }
    return sum;
}

static void carry_over(enum account account)
{
    if (balance[account] == 0)
        return;
    move(account, EQUITY, balance[account]);
}

static void close_month(void)
{
    carry_over(INCOME);
    carry_over(EXPENSES);
    carry_over(FEES);
}

static enum account any_account(void)
{
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= CASH && number <= EXPENSES);
    return (enum account)number;
}

static int any_amount(void)
{
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_assume(amount >= -1000 && amount <= 1000);
    return amount;
}

static int total(void)
{
    int account, sum = 0;
    for (account = 0; account < ACCOUNTS; account++)
        sum += balance[account];
    return sum;
}

int main(void)
{
    int step, account;
    int start[ACCOUNTS] = { 0 };
    start[BANK] = any_amount();
    start[CASH] = any_amount();
    __VERIFIER_assume(start[BANK] >= 0 && start[CASH] >= 0);
    start[EQUITY] = -(start[BANK] + start[CASH]);
    for (account = 0; account < ACCOUNTS; account++)
        balance[account] = start[account];
    for (step = 0; step < 2; step++) {
        enum account from = any_account(), to = any_account();
        int amount = any_amount();
        int before = balance[from], other = balance[to], fees = balance[FEES];
        int fee = from == BANK && to == CASH && amount > 0 && amount < 100 ? 2 : 0;
        enum answer answer = post(from, to, amount);
        if (answer == BOOKED) {
            assert(from != to && amount > 0);
            assert(balance[from] == before - amount - fee);
            assert(balance[to] == other + amount);
            assert(balance[FEES] == fees + fee);
        } else {
            assert(balance[from] == before && balance[to] == other && balance[FEES] == fees);
            assert(from == to || amount <= 0 || (from <= BANK && before < amount + fee));
        }
        assert(balance[CASH] >= 0 && balance[BANK] >= 0);
    }
    for (account = 0; account < ACCOUNTS; account++)
        assert(balance[account] == start[account] + turnover((enum account)account));
    close_month();
    assert(balance[INCOME] == 0 && balance[EXPENSES] == 0 && balance[FEES] == 0);
    assert(total() == 0);
    return 0;
}
