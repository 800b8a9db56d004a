/* As it was written before 1989. */
#define MAX 10

static int stack[MAX];
int top;
char *message();
double half(x)
double x;
{
    return x / 2;
}

push(value)
{
    if (top >= MAX)
        return -1;
    stack[top++] = value;
    return 0;
}

int pop(into)
register int *into;
{
    if (top <= 0)
        return (-1);
    *into = stack[--top];
    return (0);
}

scale(c, s, f)
char c;
short s;
float f;
{
    return c * s + (int) f;
}

main(argc, argv)
int argc;
char **argv;
{
    int value, status;
    for (value = 0; value < 20; value++)
        if ((status = push(value)) != 0)
            goto full;
    printf("never %s\n", message());
full:
    while (pop(&value) == 0)
        printf("%d ", value);
    return status + scale(1, 2, half(3.0));
}
