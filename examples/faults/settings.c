/*
 * Settings as text, `name=number;` again and again: a reader that knows three names, keeps their bounds, and says
 * where it stopped and why; and a writer that makes the text again.
 */
#include <assert.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int condition);

#define LONGEST  10
#define NAMES    3
#define NOTHING  (-1)

enum problem { NONE, NO_NAME, NO_EQUALS, NO_NUMBER, TOO_LARGE, NO_END };

struct setting {
    char name;
    int largest;
    int value;              /* or NOTHING */
};

struct reader {
    const char *text;
    int length;
    int at;
    enum problem problem;
};

static struct setting settings[NAMES] = {
    { 'w', 99, NOTHING },
    { 'h', 50, NOTHING },
    { 'z', 7, NOTHING },
};

static int peek(const struct reader *r)
{
    if (r->at >= r->length)
        return NOTHING;
    return r->text[r->at];
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static struct setting *find(int name)
{
    int number;
    for (number = 0; number < NAMES; number++)
        if (settings[number].name == name)
            return &settings[number];
    return 0;
}

static int fail(struct reader *r, enum problem problem)
{
    r->problem = problem;
    return 0;
}

static int read_number(struct reader *r)
{
    int value = 0;
    int digits = 0;
    while (is_digit(peek(r))) {
        if (value < 1000)
            value = value * 10 + (peek(r) - '0');
        r->at = r->at + 1;
        digits = digits + 1;
    }
    if (digits == 0)
        return NOTHING;
    return value;
}

static int read_setting(struct reader *r)
{
    int value;
    struct setting *s = find(peek(r));
    if (s == 0)
        return fail(r, NO_NAME);
    r->at = r->at + 1;
    if (peek(r) != '=')
        return fail(r, NO_EQUALS);
    r->at = r->at + 1;
    value = read_number(r);
    if (value == NOTHING)
        return fail(r, NO_NUMBER);
    if (value > s->largest)
        return fail(r, TOO_LARGE);
    if (peek(r) != ';')
        return fail(r, NO_END);
    r->at = r->at + 1;
    s->value = value;
    return 1;
}

static int read_all(struct reader *r)
{
    int count = 0;
    while (r->at < r->length) {
        if (!read_setting(r))
            return count;
        count = count + 1;
    }
    return count;
}

static int write_number(char *text, int value)
{
    int length = 0;
    if (value >= 10) {
        text[length] = (char)('0' + value / 10);
        length = length + 1;
    }
    text[length] = (char)('0' + value % 10);
    return length + 1;
}

static int write_all(char *text)
{
    int number;
    int length = 0;
    for (number = 0; number < NAMES; number++) {
        if (settings[number].value == NOTHING)
            continue;
        text[length] = settings[number].name;
        text[length + 1] = '=';
        length = length + 2;
        length = length + write_number(text + length, settings[number].value);
        text[length] = ';';
        length = length + 1;
    }
    return length;
}

static int one_of(const char *choices, int count)
{
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0 && number < count);
    return choices[number];
}

int main(void)
{
    char text[LONGEST], again[3 * 6];
    struct reader r = { text, 0, 0, NONE };
    int count, length, number;
    int kept[NAMES];

    text[0] = (char)one_of("whzx", 4);
    text[1] = (char)one_of("=-", 2);
    text[2] = (char)one_of("079;", 4);
    text[3] = (char)one_of("19;", 3);
    text[4] = (char)one_of(";h", 2);
    text[5] = '=';
    text[6] = (char)one_of("35", 2);
    text[7] = ';';
    r.length = 8;
    count = read_all(&r);

    assert(r.problem == NONE ? r.at == r.length : r.at < r.length);
    assert(count >= 0 && count <= 2);
    for (number = 0; number < NAMES; number++)
        assert(settings[number].value == NOTHING
               || (settings[number].value >= 0 && settings[number].value <= settings[number].largest));
    if (r.problem == NO_NAME)
        assert(text[r.at] != 'w' && text[r.at] != 'h' && text[r.at] != 'z');
    if (text[0] == 'w' && text[1] == '=' && text[2] == '7' && text[3] == ';')
        assert(count >= 1 && (settings[0].value == 7));
    if (text[0] == 'w' && text[1] == '=' && text[2] == '7' && text[3] == '9' && text[4] == ';')
        assert(count == 1 && settings[0].value == 79 && r.problem == NO_NAME);
    if (text[0] == 'z' && text[1] == '=' && text[2] == '9' && text[3] == ';')
        assert(count == 0 && r.problem == TOO_LARGE);
    if (text[1] == '-' && text[0] != 'x')
        assert(r.problem == NO_EQUALS && count == 0);
    if (text[0] != 'x' && text[1] == '=' && text[2] == ';')
        assert(r.problem == NO_NUMBER && count == 0);

    /* What is written is read again as the same. */
    length = write_all(again);
    for (number = 0; number < NAMES; number++) {
        kept[number] = settings[number].value;
        settings[number].value = NOTHING;
    }
    r.text = again;
    r.length = length;
    r.at = 0;
    r.problem = NONE;
    read_all(&r);
    assert(r.problem == NONE);
    for (number = 0; number < NAMES; number++)
        assert(settings[number].value == kept[number]);
    return 0;
}
