/*
 * Tickets of a car park. Each line has the time of arrival and the time of departure, as hours and
 * minutes. The first half hour is free, every hour that has begun costs 150 cents, and a day costs
 * no more than 1200.
 */
#include <stdio.h>

#define FREE_MINUTES 30
#define HOUR_CENTS 150
#define DAY_CENTS 1200

static int minutes_between(int from_hour, int from_minute, int to_hour, int to_minute)
{
    int from = 60 * from_hour + from_minute;
    int to = 60 * to_hour + to_minute;

    if (to < from)
        to += 24 * 60; /* the car stayed overnight */
    return to - from;
}

static int fee(int minutes)
{
    int hours, cents;

    if (minutes < FREE_MINUTES)
        return 0;
    hours = (minutes + 59) / 60;
    cents = hours * HOUR_CENTS;
    return cents > DAY_CENTS ? DAY_CENTS : cents;
}

int main(void)
{
    int a, b, c, d, minutes, cents, tickets = 0, total = 0;

    while (scanf("%d:%d %d:%d", &a, &b, &c, &d) == 4) {
        minutes = minutes_between(a, b, c, d);
        cents = fee(minutes);
        printf("%02d:%02d-%02d:%02d %4d min %3d.%02d\n", a, b, c, d, minutes, cents / 100, cents % 100);
        tickets++;
        total += cents;
    }
    printf("%d tickets, %d.%02d\n", tickets, total / 100, total % 100);
    return 0;
}
