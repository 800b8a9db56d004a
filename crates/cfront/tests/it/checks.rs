//! What is checked on request, and where arrays end.

use cfront::Options;

use crate::run::{explored, model, run};

fn overflows(statements: &str) -> Vec<String> {
    let text = format!("int r; long l; int main(void) {{ {statements} return 0; }}");
    assert_eq!(run(&text).violations, Vec::<String>::new(), "integers wrap unless something else is asked");
    let options = Options { overflow: true, ..Options::default() };
    explored(&model(&text, &options, None)).violations
}

#[test]
fn signed_overflow_is_a_fault_on_request() {
    let max = "int x = 2147483647; long w = 9223372036854775807L;";
    for statement in
        ["r = x + 1;", "x++;", "x += 1;", "r = x * 2;", "r = -x - 2;", "r = x << 1;", "l = w + 1;"]
    {
        let found = overflows(&format!("{max} {statement}"));
        assert_eq!(found.len(), 1, "{statement}");
        assert!(found[0].contains("signed overflow"), "{found:?}");
    }
    let min = "int x = -2147483647 - 1; long w = -9223372036854775807L - 1; int m = -1;";
    for statement in ["r = -x;", "r = x / m;", "l = w / m;", "l = -w;", "l = w * m;", "x--;"] {
        assert_eq!(overflows(&format!("{min} {statement}")).len(), 1, "{statement}");
    }
}

#[test]
fn what_wraps_by_definition_is_no_overflow() {
    let none = Vec::<String>::new();
    assert_eq!(overflows("unsigned x = 4294967295u; x++; x = x * x; unsigned char c = 255; c++;"), none);
    assert_eq!(overflows("int x = 2147483647; l = x + 1L; x = (int)4294967295u; r = x;"), none);
    assert_eq!(overflows("signed char c = 127; c++; short s = -32768; s--;"), none);
}

#[test]
fn an_array_that_ends_a_structure_goes_on_behind_and_never_before() {
    let at = |index: &str| {
        let access = format!("struct e *p = &x; int k = {index}; p->value[k] = 1; return 0;");
        run(&format!("struct e {{ char key[8]; char value[8]; }}; int main(void) {{ struct e x; {access} }}"))
            .violations
    };
    assert_eq!(at("7"), Vec::<String>::new());
    assert!(at("-1").iter().any(|told| told.contains("out of bounds")), "{:?}", at("-1"));
}

#[test]
fn an_index_stays_in_its_own_array() {
    let with = |access: &str| {
        let text = format!(
            "struct s {{ int a[2]; int b; int last[2]; }} s; int i = 2, r;
             int main(void) {{ struct s *p = &s; int *q = &p->a[i]; {access} return 0; }}"
        );
        run(&text).violations
    };
    let outside = "array index out of bounds";
    assert!(with("r = p->a[i];")[0].contains(outside));
    assert!(with("p->a[i] = 1;")[0].contains(outside));
    assert!(with("p->a[i - 3] = 1;")[0].contains(outside));
    assert_eq!(with("r = p->a[i - 1]; r = q - p->a;"), Vec::<String>::new());
    // The last array of a record may be longer than it says, if the memory is there.
    assert!(with("r = p->last[i];")[0].contains("access outside of an object"));
    let longer = "#include <stdlib.h>
         struct text { int length; char bytes[1]; };
         int main(void) { struct text *t = malloc(sizeof *t + 4); t->bytes[3] = 1; free(t); return 0; }";
    assert_eq!(run(longer).violations, Vec::<String>::new());
}

#[test]
fn bytes_are_not_copied_to_where_they_come_from() {
    let found = |call: &str| {
        let text = format!(
            "#include <string.h>\nint main(void) {{ char a[10] = \"abcdefghi\"; char b[10]; int n = 5; {call}; return b[0]; }}"
        );
        run(&text).violations
    };
    let none = Vec::<String>::new();
    assert_eq!(found("memcpy(a, a + 2, 5)"), ["2: copy to what overlaps in `memcpy(a, a + 2, 5)`"]);
    assert_eq!(found("memcpy(a + 2, a, n)").len(), 1);
    assert_eq!(found("memcpy(a, a + 5, n)"), none);
    assert_eq!(found("memcpy(b, a, 10)"), none);
    assert_eq!(found("memmove(a, a + 2, 5)"), none);
    assert_eq!(found("memcpy(a, a, 10)"), none);
}

#[test]
fn variables_of_other_files_are_inputs() {
    let found = |declared: &str| {
        let text = format!(
            "{declared} extern const _Bool on;\nint main(void) {{ int *p = 0; if (mode == 7 && on) *p = 1; return 0; }}"
        );
        let options = Options { input_bits: 8, ..Options::default() };
        explored(&model(&text, &options, None)).violations
    };
    assert_eq!(found("extern unsigned char mode;"), ["2: use of a null pointer in `*p = 1`"]);
    // What the file itself defines is no input.
    assert_eq!(found("extern int mode; int mode = 3;"), Vec::<String>::new());
}
