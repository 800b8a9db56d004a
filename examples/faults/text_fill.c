/*
 * Filling paragraphs: words are put into lines that are not longer than a width; words that are longer than a line
 * are cut; lines are then aligned left, right or in the middle.
 */
#include <assert.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int condition);

#define WIDTH    5
#define LONGEST  8
#define LINES    8

enum side { LEFT, RIGHT, MIDDLE };

struct page {
    char line[LINES][WIDTH];
    int used[LINES];
    int count;
};

static int is_blank(char c)
{
    return c == ' ' || c == '\n';
}

static int skip_blanks(const char *text, int length, int at)
{
    while (at < length && is_blank(text[at]))
        at = at + 1;
    return at;
}

static int word_end(const char *text, int length, int at)
{
    while (at < length && !is_blank(text[at]))
        at = at + 1;
    return at;
}

static void new_line(struct page *page)
{
    page->used[page->count] = 0;
    page->count = page->count + 1;
}

static void put(struct page *page, char c)
{
    int line = page->count - 1;
    page->line[line][page->used[line]] = c;
    page->used[line] = page->used[line] + 1;
}

static int room(const struct page *page)
{
    if (page->count == 0)
        return 0;
    return WIDTH - page->used[page->count - 1];
}

static void put_word(struct page *page, const char *word, int length)
{
    int at;
    int needed = length;
    if (page->count > 0 && page->used[page->count - 1] > 0)
        needed = needed + 1;
    if (needed > room(page))
        new_line(page);
    else if (needed > length)
        put(page, ' ');
    for (at = 0; at < length; at++) {
        if (room(page) == 0)
            new_line(page);
        put(page, word[at]);
    }
}

static void fill(struct page *page, const char *text, int length)
{
    int at = skip_blanks(text, length, 0);
    page->count = 0;
    while (at < length) {
        int end = word_end(text, length, at);
        put_word(page, text + at, end - at);
        at = skip_blanks(text, length, end);
    }
}

static int margin(int used, enum side side)
{
    int free = WIDTH - used;
    if (side == LEFT)
        return 0;
    if (side == RIGHT)
        return free;
    return free / 2;
}

static void align(struct page *page, enum side side)
{
    int line;
    for (line = 0; line < page->count; line++) {
        int shift = margin(page->used[line], side);
        int at;
        for (at = page->used[line] - 1; at >= 0; at--)
            page->line[line][at + shift] = page->line[line][at];
        for (at = 0; at < shift; at++)
            page->line[line][at] = ' ';
        page->used[line] = page->used[line] + shift;
    }
}

static int between(int low, int high)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= low && value <= high);
    return value;
}

int main(void)
{
    struct page page;
    char text[LONGEST];
    int length = between(0, LONGEST), at, line, next = 0;
    enum side side;
    for (at = 0; at < length; at++)
        text[at] = between(0, 1) ? (char)('a' + at) : ' ';
    fill(&page, text, length);

    /* Every letter is there once, in its order, and no line is too long or starts or ends with a blank. */
    for (line = 0; line < page.count; line++) {
        assert(page.used[line] >= 1 && page.used[line] <= WIDTH);
        assert(page.line[line][0] != ' ' && page.line[line][page.used[line] - 1] != ' ');
        for (at = 0; at < page.used[line]; at++)
            if (page.line[line][at] != ' ') {
                while (next < length && text[next] == ' ')
                    next++;
                assert(next < length && page.line[line][at] == text[next]);
                next++;
            } else {
                assert(next < length && text[next] == ' ');
            }
        /* The next word would not have had room. */
        if (line + 1 < page.count && text[next] == ' ') {
            int first = 0;
            for (at = next; at < length && text[at] == ' '; at++)
                ;
            for (; at < length && text[at] != ' '; at++)
                first++;
            assert(page.used[line] + 1 + first > WIDTH);
        }
    }
    while (next < length && text[next] == ' ')
        next++;
    assert(next == length);

    side = (enum side)between(LEFT, MIDDLE);
    if (page.count > 0) {
        int used = page.used[0];
        char first = page.line[0][0];
        align(&page, side);
        assert(page.used[0] <= WIDTH);
        assert(page.line[0][page.used[0] - used] == first);
        if (side == LEFT)
            assert(page.used[0] == used);
        if (side == RIGHT)
            assert(page.used[0] == WIDTH);
        if (side == MIDDLE)
            assert(page.used[0] == used + (WIDTH - used) / 2);
        for (at = 0; at < page.used[0] - used; at++)
            assert(page.line[0][at] == ' ');
    }
    return 0;
}
