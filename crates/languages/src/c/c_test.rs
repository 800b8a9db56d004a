//! A counterexample of a C program as a test: a file that, compiled together with the program, gives it the inputs
//! that were found, so that the binary fails where the program was found to fail.
//!
//! It defines what the program declares and leaves to a verifier: the sources of its inputs, what it assumes and the
//! function that must not be reached. Faults that C leaves undefined are seen only with the sanitizers of the
//! compiler.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use cfront::Model;
use cfront::tree::Function;
use findings::{Counterexample, ViolationKind, What};

/// Functions of the library whose values a test gives in their place.
const REPLACED: [(&str, &str); 7] = [
    ("rand", "int rand(void)"),
    ("random", "long random(void)"),
    ("getchar", "int getchar(void)"),
    ("getc", "int getc(FILE *file)"),
    ("fgetc", "int fgetc(FILE *file)"),
    ("clock", "clock_t clock(void)"),
    ("getpid", "pid_t getpid(void)"),
];

/// Refuses programs whose runs are not settled by their inputs.
pub(super) fn refuse(model: &Model, entry: Option<&str>, error: Option<&str>) -> Result<()> {
    if model.program().threads {
        bail!("--emit c-test: the program starts threads, and a test cannot say in which order they move");
    }
    if let Some(entry) = entry.filter(|entry| *entry != "main") {
        bail!("--emit c-test: the program starts with `{entry}`, and a test starts with `main`");
    }
    if let Some(error) = error {
        bail!("--emit c-test: calling `{error}` does not make a test fail; assert something in it");
    }
    let mut sources = model.library_inputs();
    if let Some(name) = sources.find(|name| replaced(name).is_none()) {
        bail!("--emit c-test: the program takes inputs from `{name}`, and a test cannot give it those");
    }
    let defined =
        model.tree.functions.iter().find(|function| function.body.is_some() && gives_input(function));
    match defined {
        Some(function) => bail!(
            "--emit c-test: the program defines `{}` itself, so a test cannot say what it returns",
            function.name
        ),
        None => Ok(()),
    }
}

/// The test for a counterexample of the program in a file.
pub(super) fn written(model: &Model, path: &Path, narrow: bool, trace: &Counterexample) -> Result<String> {
    if trace.kind == ViolationKind::Deadlock {
        bail!("a program that waits forever does not fail");
    }
    let last = trace.steps.iter().rev().find_map(|step| step.location.as_ref());
    let what = match &trace.what {
        Some(What::Quoted(text)) => text.clone(),
        _ => trace.kind.to_string(),
    };
    let place = last.map_or_else(String::new, |place| format!(" in {}:{}", place.file, place.line));
    let width = if narrow { " -m32" } else { "" };
    let mut text = format!(
        "/*\n * {} fails{}: {}.\n *\n *     cc -g{width} -fsanitize=address,undefined -fno-sanitize-recover=all {} THIS_FILE\n \
         *\n * Status 77 means that the program took a different path.\n */\n#include <stdio.h>\n\
         #include <stdlib.h>\n#include <time.h>\n#include <unistd.h>\n",
        in_comment(&path.display().to_string()),
        in_comment(&place),
        in_comment(&what),
        in_comment(&path.display().to_string()),
    );
    let left_open = || model.tree.functions.iter().filter(|function| function.body.is_none());
    if left_open().any(gives_input) {
        write_inputs(trace, &mut text)?;
    }
    if left_open().any(|function| is_failing(&function.name)) {
        text.push_str(FAIL);
    }
    for function in left_open() {
        let name = &*function.name;
        let result = model.tree.types.spell(function.result);
        if gives_input(function) {
            let head = replaced(name).map_or_else(|| format!("{result} {name}(void)"), str::to_owned);
            write!(text, "\n{head}\n{{\n    return ({result})next();\n}}\n")?;
            continue;
        }
        text.push_str(match name {
            "reach_error" => "\nvoid reach_error(void)\n{\n    fail(\"reach_error is called\");\n}\n",
            "__VERIFIER_error" => "\nvoid __VERIFIER_error(void)\n{\n    fail(\"__VERIFIER_error is called\");\n}\n",
            "__WHEREFORE_assert" => {
                "\nvoid __WHEREFORE_assert(int condition)\n{\n    if (!condition)\n        fail(\"an assertion \
                 fails\");\n}\n"
            }
            "__VERIFIER_assume" => {
                "\nvoid __VERIFIER_assume(int condition)\n{\n    if (!condition)\n        exit(77);\n}\n"
            }
            "assume_abort_if_not" => {
                "\nvoid assume_abort_if_not(int condition)\n{\n    if (!condition)\n        exit(77);\n}\n"
            }
            "__VERIFIER_atomic_begin" => "\nvoid __VERIFIER_atomic_begin(void)\n{\n}\n",
            "__VERIFIER_atomic_end" => "\nvoid __VERIFIER_atomic_end(void)\n{\n}\n",
            "__WHEREFORE_point" => "\nvoid __WHEREFORE_point(const char *name)\n{\n    (void)name;\n}\n",
            _ => "",
        });
    }
    Ok(text)
}

/// Whether a test has to say what the function returns.
fn gives_input(function: &Function) -> bool {
    function.is_nondet() || replaced(&function.name).is_some()
}

/// How a function of the library begins that a test replaces.
fn replaced(name: &str) -> Option<&'static str> {
    REPLACED.iter().find(|(known, _)| *known == name).map(|(_, head)| *head)
}

fn is_failing(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error" | "__WHEREFORE_assert")
}

/// Ends the program and, where the sanitizers are there, says from where.
const FAIL: &str = "
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

static void fail(const char *what)
{
    fprintf(stderr, \"%s\\n\", what);
    if (__sanitizer_print_stack_trace)
        __sanitizer_print_stack_trace();
    abort();
}
";

fn write_inputs(trace: &Counterexample, text: &mut String) -> Result<()> {
    let inputs: Vec<i64> = trace.steps.iter().flat_map(|step| &step.inputs).copied().collect();
    text.push_str("\nstatic const long long inputs[] = {\n");
    for value in &inputs {
        match value {
            // The least number has no literal of its own.
            &i64::MIN => writeln!(text, "    -{}LL - 1,", i64::MAX)?,
            value => writeln!(text, "    {value}LL,")?,
        }
    }
    // An array must not be empty.
    let count = inputs.len();
    write!(
        text,
        "    0\n}};\n\nstatic long long next(void)\n{{\n    static unsigned long taken;\n    if (taken == {count})\n        \
         exit(77);\n    return inputs[taken++];\n}}\n"
    )?;
    Ok(())
}

/// A text that does not end the comment it stands in.
fn in_comment(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}
