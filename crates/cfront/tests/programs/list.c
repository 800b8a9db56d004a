/* A list, kept in order. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
    char name[8];
};

static struct node *head;
static unsigned count;

static struct node *make(int value, const char *name)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    *node = (struct node){.value = value, .next = NULL};
    strncpy(node->name, name, sizeof node->name - 1);
    return node;
}

void insert(int value)
{
    struct node **at = &head;
    while (*at != NULL && (*at)->value < value)
        at = &(*at)->next;
    struct node *node = make(value, "node");
    node->next = *at;
    *at = node;
    count++;
}

int sum(void)
{
    int total = 0;
    for (struct node *node = head; node; node = node->next)
        total += node->value;
    return total;
}

int main(void)
{
    for (int i = 5; i > 0; i--)
        insert(i % 3 ? i : -i);
    assert(count == 5u);
    for (struct node *node = head; node && node->next; node = node->next)
        assert(node->value <= node->next->value);
    return sum() == 9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
