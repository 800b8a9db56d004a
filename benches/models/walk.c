extern _Bool __VERIFIER_nondet_bool(void);
unsigned char a, b, c;
int main(void)
{
    while (1) {
        if (__VERIFIER_nondet_bool())
            a = (a + 1) % 40;
        else if (__VERIFIER_nondet_bool())
            b = (b + 1) % 40;
        else
            c = (c + 1) % 40;
    }
}
