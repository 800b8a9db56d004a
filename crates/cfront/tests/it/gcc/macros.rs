//! What the predefined macros and our headers say of the machine is what gcc says.

use std::fmt::Write as _;
use std::process::Command;

use cfront::DataModel;
use cfront::tree::{ExprKind, InitValue, Program};

use crate::support::{gcc_is_there, read_as, shown};

/// Sizes of types and values of macros, with the headers they come from.
const ASKED: &[&str] = &[
    "sizeof(size_t)",
    "sizeof(ptrdiff_t)",
    "sizeof(wchar_t)",
    "sizeof(int_fast16_t)",
    "sizeof(uint_least64_t)",
    "sizeof(intptr_t)",
    "sizeof(intmax_t)",
    "sizeof(max_align_t)",
    "sizeof(time_t)",
    "sizeof(off_t)",
    "sizeof(pid_t)",
    "sizeof(ssize_t)",
    "sizeof(div_t)",
    "sizeof(lldiv_t)",
    "sizeof(struct timespec)",
    "sizeof(struct tm) >= 36",
    "(ptrdiff_t)-1 < 0",
    "(wchar_t)-1 < 0",
    "(size_t)-1 < 0",
    "CHAR_MIN",
    "CHAR_MAX",
    "SHRT_MIN",
    "INT_MIN",
    "UINT_MAX",
    "LONG_MAX",
    "LONG_MIN",
    "ULONG_MAX",
    "LLONG_MIN",
    "ULLONG_MAX",
    "INT8_MIN",
    "UINT16_MAX",
    "INT32_MIN",
    "INT64_MAX",
    "UINT64_MAX",
    "SIZE_MAX",
    "PTRDIFF_MIN",
    "INTPTR_MAX",
    "UINTPTR_MAX",
    "INTMAX_MIN",
    "sizeof(UINT64_C(1))",
    "sizeof(INT32_C(1))",
    "FLT_MANT_DIG",
    "DBL_DIG",
    "DBL_MAX_EXP",
    "EOF",
    "ENOMEM",
    "EBUSY",
    "EINVAL",
    "ETIMEDOUT",
    "EDEADLK",
    "RAND_MAX",
    "SEEK_END",
    "SIGINT",
    "SIGTERM",
    "EXIT_FAILURE",
    "(int)(DBL_EPSILON * 1e18)",
    "(int)(FLT_MAX / 1e32f)",
    "(int)(M_PI * 1e8)",
    "sizeof(bool)",
    "true",
    "CLOCKS_PER_SEC",
    "O_CREAT",
    "__SIZEOF_LONG_DOUBLE__",
    "__LONG_MAX__",
    "__CHAR_BIT__",
];

const HEADERS: &str = "#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n#include <float.h>\n\
    #include <stdio.h>\n#include <stdlib.h>\n#include <errno.h>\n#include <signal.h>\n#include <math.h>\n\
    #include <time.h>\n#include <stdbool.h>\n#include <fcntl.h>\n#include <sys/types.h>\n";

fn initial(program: &Program, number: usize) -> i128 {
    let name = format!("asked{number}");
    let object = program.object_ids().find(|object| program[*object].name.as_deref() == Some(&name));
    let entry = &program[object.expect("the object")].init.as_ref().expect("an initialiser").entries[0];
    match entry.value {
        InitValue::Expr(expr) => match program[expr].kind {
            ExprKind::Int(value) => value,
            _ => panic!("{} is {}", ASKED[number], program.show_expr(expr)),
        },
        InitValue::String(_) => panic!("a string"),
    }
}

fn asked(of: &str) -> String {
    let mut text = of.to_owned();
    let mut body = String::new();
    for (number, expression) in ASKED.iter().enumerate() {
        _ = writeln!(text, "long long asked{number} = (long long)({expression});");
        _ = write!(body, "asked{number};");
    }
    format!("{text}int main(void) {{ {body} return 0; }}")
}

#[test]
fn headers_and_macros_say_what_gcc_says() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let printing: String =
        (0..ASKED.len()).map(|number| format!("printf(\"%lld\\n\", asked{number});")).collect();
    let text = asked(HEADERS).replace("return 0;", &format!("{printing} return 0;"));
    let printed = crate::support::run(&text, folder.path());
    let (program, diagnostics) = read_as("t.c", &asked(HEADERS), DataModel::Lp64);
    let program = program.unwrap_or_else(|| panic!("{}", shown(&diagnostics)));
    for (number, line) in printed.lines().enumerate() {
        assert_eq!(initial(&program, number).to_string(), line, "{}", ASKED[number]);
    }
}

/// Every macro of ours that gcc has too means the same, in both data models.
#[test]
fn predefined_macros_are_gccs() {
    if !gcc_is_there() {
        return;
    }
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let output = Command::new("gcc").args([flag, "-dM", "-E", "-x", "c", "/dev/null"]).output();
        let output = String::from_utf8(output.expect("gcc runs").stdout).expect("text");
        let mut compared = 0;
        for line in output.lines() {
            let mut words = line.splitn(3, ' ').skip(1);
            let (Some(name), Some(value)) = (words.next(), words.next()) else { continue };
            let types = name.ends_with("_TYPE__") && name.contains("INT") || name == "__SIZE_TYPE__";
            if !(types || name.starts_with("__SIZEOF_") || name.ends_with("_MAX__")) {
                continue;
            }
            // `long unsigned int` and `unsigned long` are one type, so the types are compared.
            let text = format!(
                "#ifdef {name}\n_Static_assert({}, \"\");\nint compared;\n#endif\nint main(void) {{ return 0; }}",
                if types {
                    format!("__builtin_types_compatible_p({name}, {value})")
                } else {
                    format!("{name} == ({value})")
                }
            );
            let (program, diagnostics) = read_as("t.c", &text, model);
            assert!(program.is_some(), "{name}: {}\n{text}", shown(&diagnostics));
            compared += 1;
        }
        assert!(compared > 40, "only {compared} macros in {model:?}");
    }
}
