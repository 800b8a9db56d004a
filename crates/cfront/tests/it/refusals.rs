//! What cannot be carried is refused by name and place, if the entry can reach it, and only then.

use crate::support::{errors, program, read, shown};

/// A construct that stands in a function `f`, what it is called, and where.
const REFUSED: &[(&str, &str, &str)] = &[
    ("void f(void) { __asm__ volatile(\"nop\"); }", "inline assembly", "1:16"),
    ("int f(void) { int x; __asm__(\"\" : \"=r\"(x)); return x; }", "inline assembly", "1:22"),
    ("void f(void) { void *p = &&l; goto *p; l: ; }", "a computed goto", "1:26"),
    ("int n; void f(void) { int a[n]; a[0] = 1; }", "a variable-length array", "1:27"),
    ("int n; void f(void) { typedef int t[n]; int x = sizeof(t); }", "a variable-length array", "1:35"),
    ("int n; int f(int a[n++]) { return a[0]; }", "a variable-length array", "1:18"),
    ("int n; int f(int a[][n]) { return a[1][0]; }", "a variable-length array", "2:18"),
    ("void f(void) { _Complex double c = 1.0; c; }", "a complex number", "1:32"),
    ("double f(double x) { return x * 1.0i; }", "a complex number", "1:29"),
    ("typedef int v __attribute__((vector_size(16))); void f(void) { v x; x; }", "a vector type", "1:66"),
    ("_Float128 q; void f(void) { q = 1; }", "a floating type of unusual width", "1:11"),
    (
        "_BitInt(17) q; void f(void) { q = 1; }",
        "arithmetic on `_BitInt`, or on a bit-field wider than `int`",
        "1:13",
    ),
    (
        "struct { unsigned long a : 50; } s; long f(void) { return s.a + 1; }",
        "arithmetic on `_BitInt`, or on a bit-field wider than `int`",
        "1:59",
    ),
    ("#include <setjmp.h>\njmp_buf b; void f(void) { setjmp(b); }", "`setjmp`", "2:27"),
    ("#include <setjmp.h>\njmp_buf b; void f(void) { longjmp(b, 1); }", "`longjmp`", "2:27"),
    ("#include <setjmp.h>\njmp_buf b; int (*g)(jmp_buf); void f(void) { g = setjmp; }", "`setjmp`", "2:50"),
    ("void *b[5]; void f(void) { __builtin_longjmp(b, 1); }", "`longjmp`", "1:28"),
    (
        "#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int); }",
        "reading variable arguments",
        "2:32",
    ),
    (
        "void done(int *); void f(void) { int x __attribute__((cleanup(done))); }",
        "a variable with a `cleanup` function",
        "1:38",
    ),
    (
        "void f(void) { register int x __asm__(\"ebx\"); x = 1; }",
        "a variable in a register of the machine",
        "1:29",
    ),
    ("void *f(void) { return __builtin_frame_address(0); }", "an address in the stack", "1:24"),
    ("int f(double x) { return __builtin_fpclassify(0, 1, 2, 3, 4, x); }", "`__builtin_fpclassify`", "1:26"),
    (
        "int g(void) { return 1; } int h(void) __attribute__((alias(\"g\"))); int f(void) { return h(); }",
        "a function that is another name for one",
        "1:89",
    ),
    (
        "struct __attribute__((scalar_storage_order(\"big-endian\"))) r { int x; }; struct r s; int f(void) { return s.x; }",
        "a record in the other byte order",
        "1:83",
    ),
];

#[test]
fn constructs_are_refused_where_they_are_reached() {
    let mut wrong = String::new();
    for (text, construct, place) in REFUSED {
        let (result, diagnostics) = read(&format!("{text}\nint main(void) {{ f; return 0; }}\n"));
        assert!(result.is_none(), "not refused: {text}");
        let first = &diagnostics.iter().find(|found| found.is_error()).expect("an error");
        let (told, there) = (first.construct.unwrap_or_default(), first.location.to_string());
        if told != *construct || there != format!("t.c:{place}") {
            wrong += &format!("{text}\n{there}: {told}\n{}", shown(&diagnostics));
        }
        assert_eq!(first.message, format!("{told} is not supported"));
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_is_not_reached_is_not_refused() {
    for (text, ..) in REFUSED {
        let program = program(&format!("{text}\nint main(void) {{ return 0; }}\n"));
        assert_eq!(program.functions.len(), 1, "{text}");
    }
}

/// What is known to be wrong in the library is refused wherever it stands, because it is not known what
/// would be wrong after it.
#[test]
fn doubtful_texts_are_refused() {
    for (text, message) in [
        (
            "struct s { int x __attribute__((mode(QI))); };",
            "t.c:1:33: error: the mode of a member or parameter",
        ),
        (
            "void f(int x __attribute__((__mode__(DI)))) {}",
            "t.c:1:29: error: the mode of a member or parameter",
        ),
        (
            "#pragma pack(8)\nstruct s { char a : 2; int b : 21; } __attribute__((packed));",
            "t.c:2:36: error: a packed record with bit-fields under `#pragma pack`",
        ),
    ] {
        let told = errors(&format!("{text}\nint main(void) {{ return 0; }}\n"));
        assert!(told.contains(message), "{told}");
    }
    for text in [
        "typedef int q __attribute__((mode(QI))); int f(q x);",
        "int mode; struct s { int mode; }; void g(int mode, int vector_size);",
        "#pragma pack(push, 8)\nstruct s { char a : 2; };\n#pragma pack(pop)\nstruct t { int a : 2; } __attribute__((packed));",
        "#pragma pack(1)\nstruct s { char a : 2; int b : 21; } __attribute__((packed));",
    ] {
        program(&format!("{text}\nint main(void) {{ return 0; }}\n"));
    }
}

#[test]
fn functions_around_main_are_refused() {
    let told = errors("__attribute__((constructor)) void early(void) {} int main(void) { return 0; }");
    assert_eq!(told, "t.c:1:35: error: a function that runs before or after `main` is not supported\n");
}

/// Directly, through others, through a pointer in a table, and through an initialiser of an initialiser.
#[test]
fn reaching_follows_calls_and_addresses() {
    let refused = "void bad(void) { __asm__(\"nop\"); }\n";
    for way in [
        "int main(void) { bad(); }",
        "void g(void) { bad(); } void h(void) { g(); } int main(void) { h(); }",
        "void (*p)(void) = bad; int main(void) { p(); }",
        "void (*t[2])(void) = { 0, bad }; void (**q)(void) = t; int main(void) { (*q)(); }",
        "int main(void) { void (*p)(void) = &bad; p(); }",
        "struct s { void (*p)(void); } s = { bad }, *r = &s; int main(void) { r->p(); }",
        "int main(void) { static void (*p)(void) = bad; p(); }",
    ] {
        let told = errors(&format!("{refused}{way}"));
        assert_eq!(told, "t.c:1:18: error: inline assembly is not supported\n", "{way}");
    }
    for way in [
        "int main(void) { return sizeof(bad()); }",
        "void (*p)(void) = bad; int main(void) { return 0; }",
        "void g(void) { bad(); } int main(void) { return 0; }",
    ] {
        program(&format!("{refused}{way}"));
    }
}

#[test]
fn the_way_is_told() {
    let text = "void bad(void) { __asm__(\"nop\"); } void g(void) { bad(); } int main(void) { g(); }";
    let (_, diagnostics) = read(text);
    assert_eq!(diagnostics[0].help.as_deref(), Some("it is reached through `main` → `g` → `bad`"));
}

/// Each refused construct of a function is told, not only the first.
#[test]
fn several_refusals_in_one_run() {
    let told = errors(
        "int n;\nint main(void) {\n  int a[n];\n  if (n) __asm__(\"nop\");\n  while (n) { void *p = &&l; }\n  l: return a[0];\n}\n",
    );
    let expected = "t.c:3:7: error: a variable-length array is not supported\n\
                    t.c:4:10: error: inline assembly is not supported\n\
                    t.c:5:25: error: a computed goto is not supported\n";
    assert_eq!(told, expected);
}

/// A barrier for the compiler alone means nothing here.
#[test]
fn empty_assembly_is_nothing() {
    program("int main(void) { __asm__ volatile(\"\" ::: \"memory\"); return 0; }");
}
