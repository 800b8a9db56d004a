/*
 * Whether a word reads the same backwards.
 *
 * shows: strings, pointers that meet
 * expect: holds
 */
#include <assert.h>
#include <string.h>
#include "verifier.h"

#define LETTERS 4

static int is_palindrome(const char *word)
{
    const char *left = word, *right = word + strlen(word);
    while (left < right)
        if (*left++ != *--right)
            return 0;
    return 1;
}

int main(void)
{
    char word[LETTERS + 1] = "", back[LETTERS + 1] = "";
    for (int i = 0; i < LETTERS; i++) {
        int letter = __VERIFIER_nondet_int();
        __VERIFIER_assume(letter >= 'a' && letter <= 'c');
        word[i] = (char)letter;
        back[LETTERS - 1 - i] = (char)letter;
    }
    assert(is_palindrome(word) == (strcmp(word, back) == 0));
    return 0;
}
