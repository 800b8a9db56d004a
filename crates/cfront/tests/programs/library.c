/* Functions of the library on texts of the program; what they compute is compared with what gcc's do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
long out[250]; int count;
void note(long v) { out[count++] = v; }
int order(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }
struct pair { char key; short value; };
int by_key(const void *a, const void *b) { return ((struct pair *)a)->key - ((struct pair *)b)->key; }
int main(void) {
  unsigned i;
#if PART == 1
  static const char *const texts[] = {"12", "-7x", "  +42 ", "", "-", "abc", "2147483647", "-2147483648", "4294967297",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "0x1F", "0x", "017", "09", "\t\n 5", "+-3", "zZ"};
  static const char *const bases_text[] = {"0x1F", "0x", "0xg", "017", "09", "zZ", "101", "-0X7fffffffffffffffffff", "12"};
  char *end;
  for (i = 0; i < sizeof texts / sizeof *texts; i++) {
    note(atoi(texts[i])); note(atol(texts[i])); note(atoll(texts[i]));
    note(strtol(texts[i], &end, 10)); note(end - texts[i]);
  }
  for (i = 0; i < sizeof bases_text / sizeof *bases_text; i++) {
    note(strtol(bases_text[i], &end, 0)); note(end - bases_text[i]);
    note(strtol(bases_text[i], &end, 16)); note(end - bases_text[i]);
    note(strtol(bases_text[i], &end, 36)); note(end - bases_text[i]);
    note(strtoll(bases_text[i], NULL, 2));
  }
#else
  static const char *const words[] = {"", "a", "hello, world", ",,x,,", "aab"};
  for (i = 0; i < sizeof words / sizeof *words; i++) {
    char *copy = strdup(words[i]), *found, *word;
    note(strlen(copy)); note(copy == words[i]); note(strcmp(copy, words[i]));
    note(strspn(words[i], "ab")); note(strcspn(words[i], ", ")); note(strspn(words[i], "")); note(strcspn(words[i], ""));
    found = strpbrk(copy, "xo,");
    note(found ? found - copy : -1);
    for (word = strtok(copy, ", "); word; word = strtok(NULL, ", ")) { note(word - copy); note(strlen(word)); }
    free(copy);
  }
  int numbers[] = {5, -3, 9, 0, 5, 2};
  struct pair pairs[] = {{'c', 1}, {'a', 2}, {'c', 3}, {'b', 4}, {'a', 5}};
  qsort(numbers, 6, sizeof *numbers, order);
  for (i = 0; i < 6; i++) note(numbers[i]);
  qsort(numbers, 0, sizeof *numbers, order);
  qsort(pairs, 5, sizeof *pairs, by_key);
  for (i = 0; i < 5; i++) note(pairs[i].key);
  for (int c = -1; c < 256; c += 5)
    note(!!isgraph(c) + 2 * !!isblank(c) + 4 * !!iscntrl(c) + 8 * !!isspace(c) + 16 * !!ispunct(c));
#endif
#ifdef PRINT
  for (i = 0; i < count; i++) printf("%ld\n", out[i]);
#endif
  return 0;
}
