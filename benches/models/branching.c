/*
 * Twelve readings of 32 bits are rated one after the other and together; no rating may end above its limit. Long
 * and full of branches, so that there are far more ways through it than can be tried.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int alarms, warnings, rating;

static void warn(int weight)
{
    warnings++;
    rating += weight;
}

static void alarm(int weight)
{
    alarms++;
    rating += 2 * weight;
}

static int between(int low, int value, int high)
{
    return low <= value && value <= high;
}

int main(void)
{
    int pressure = __VERIFIER_nondet_int();
    int speed = __VERIFIER_nondet_int();
    int level = __VERIFIER_nondet_int();
    int voltage = __VERIFIER_nondet_int();
    int current = __VERIFIER_nondet_int();
    int torque = __VERIFIER_nondet_int();
    int angle = __VERIFIER_nondet_int();
    int heat = __VERIFIER_nondet_int();
    int flow = __VERIFIER_nondet_int();
    int load = __VERIFIER_nondet_int();
    int phase = __VERIFIER_nondet_int();
    int draft = __VERIFIER_nondet_int();

    if (!between(-2348, pressure, 20772)) {
        if (pressure > 62316)
            alarm(1);
        else
            warn(1);
        pressure = pressure < 0 ? -2348 : 20772;
    } else if (pressure == 9212 && torque > pressure) {
        warn(1);
    }
    if (!between(-1766, speed, 86319)) {
        if (speed > 258957)
            alarm(2);
        else
            warn(2);
        speed = speed < 0 ? -1766 : 86319;
    } else if (speed == 42276 && angle > speed) {
        warn(2);
    }
    if (!between(-4605, level, 10494)) {
        if (level > 31482)
            alarm(3);
        else
            warn(3);
        level = level < 0 ? -4605 : 10494;
    } else if (level == 2944 && heat > level) {
        warn(3);
    }
    if (!between(-611, voltage, 13337)) {
        if (voltage > 40011)
            alarm(4);
        else
            warn(1);
        voltage = voltage < 0 ? -611 : 13337;
    } else if (voltage == 6363 && flow > voltage) {
        warn(4);
    }
    if (!between(-2005, current, 77387)) {
        if (current > 232161)
            alarm(5);
        else
            warn(2);
        current = current < 0 ? -2005 : 77387;
    } else if (current == 37691 && load > current) {
        warn(1);
    }
    if (!between(-4525, torque, 67510)) {
        if (torque > 202530)
            alarm(1);
        else
            warn(3);
        torque = torque < 0 ? -4525 : 67510;
    } else if (torque == 31492 && phase > torque) {
        warn(2);
    }
    if (!between(-3242, angle, 5914)) {
        if (angle > 17742)
            alarm(2);
        else
            warn(1);
        angle = angle < 0 ? -3242 : 5914;
    } else if (angle == 1336 && draft > angle) {
        warn(3);
    }
    if (!between(-4296, heat, 57838)) {
        if (heat > 173514)
            alarm(3);
        else
            warn(2);
        heat = heat < 0 ? -4296 : 57838;
    } else if (heat == 26771 && pressure > heat) {
        warn(4);
    }
    if (!between(-1575, flow, 10156)) {
        if (flow > 30468)
            alarm(4);
        else
            warn(3);
        flow = flow < 0 ? -1575 : 10156;
    } else if (flow == 4290 && speed > flow) {
        warn(1);
    }
    if (!between(-3029, load, 12889)) {
        if (load > 38667)
            alarm(5);
        else
            warn(1);
        load = load < 0 ? -3029 : 12889;
    } else if (load == 4930 && level > load) {
        warn(2);
    }
    if (!between(-486, phase, 56642)) {
        if (phase > 169926)
            alarm(1);
        else
            warn(2);
        phase = phase < 0 ? -486 : 56642;
    } else if (phase == 28078 && voltage > phase) {
        warn(3);
    }
    if (!between(-4516, draft, 75115)) {
        if (draft > 225345)
            alarm(2);
        else
            warn(3);
        draft = draft < 0 ? -4516 : 75115;
    } else if (draft == 35299 && current > draft) {
        warn(4);
    }
    if (speed + voltage > 4554 && load < 1518) {
        rating += speed > voltage ? 1 : 2;
        load = load + 650;
    } else if ((speed ^ load) & 4) {
        rating -= 1;
    }
    if (load + draft > 3749 && angle < 1249) {
        rating += load > draft ? 2 : 3;
        angle = angle + 535;
    } else if ((load ^ angle) & 8) {
        rating -= 1;
    }
    if (voltage + pressure > 9227 && flow < 3075) {
        rating += voltage > pressure ? 3 : 4;
        flow = flow + 1318;
    } else if ((voltage ^ flow) & 16) {
        rating -= 1;
    }
    if (current + angle > 35934 && level < 11978) {
        rating += current > angle ? 4 : 5;
        level = level + 5133;
    } else if ((current ^ level) & 32) {
        rating -= 1;
    }
    if (speed + load > 37217 && current < 12405) {
        rating += speed > load ? 5 : 6;
        current = current + 5316;
    } else if ((speed ^ current) & 64) {
        rating -= 1;
    }
    if (phase + level > 38615 && speed < 12871) {
        rating += phase > level ? 6 : 7;
        speed = speed + 5516;
    } else if ((phase ^ speed) & 128) {
        rating -= 1;
    }
    if (load + phase > 24905 && voltage < 8301) {
        rating += load > phase ? 7 : 8;
        voltage = voltage + 3557;
    } else if ((load ^ voltage) & 256) {
        rating -= 1;
    }
    if (speed + flow > 37486 && draft < 12495) {
        rating += speed > flow ? 8 : 9;
        draft = draft + 5355;
    } else if ((speed ^ draft) & 512) {
        rating -= 1;
    }
    assert(alarms + warnings <= 24);
    assert(alarms <= 12);
    assert(rating > -9);
    if (alarms == 11 && warnings == 1)
        assert(load != 4711 || rating < 40);
    return 0;
}
