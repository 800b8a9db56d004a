//! What small programs become, as snapshots of the tree, and the words that are shown for their steps.

use cfront::DataModel;
use cfront::tree::{Program, StmtId, StmtKind, Storage};

use crate::support::{program, read_as, shown};

macro_rules! snapshot {
    ($name:ident, $path:literal) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(program(include_str!($path)).show());
        }
    };
}

snapshot!(a_list, "../programs/list.c");
snapshot!(threads, "../programs/threads.c");
snapshot!(an_old_program, "../programs/old.c");
snapshot!(everything, "../programs/everything.c");

/// Line and words of every step and branch, in the order of the text.
fn steps(program: &Program, id: StmtId, lines: &mut Vec<String>) {
    let stmt = &program[id];
    let line = |span| format!("{} {}", program.location(span).position, program.text(span));
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| steps(program, *stmt, lines)),
        StmtKind::If { then, otherwise, .. } => {
            lines.push(line(stmt.head));
            steps(program, *then, lines);
            otherwise.iter().for_each(|stmt| steps(program, *stmt, lines));
        }
        StmtKind::While { body, .. } | StmtKind::Switch { body, .. } => {
            lines.push(line(stmt.head));
            steps(program, *body, lines);
        }
        StmtKind::DoWhile { body, .. } => {
            steps(program, *body, lines);
            lines.push(line(stmt.head));
        }
        StmtKind::For { init, condition, step, body } => {
            init.iter().for_each(|stmt| steps(program, *stmt, lines));
            condition.iter().for_each(|expr| lines.push(line(program[*expr].span)));
            steps(program, *body, lines);
            step.iter().for_each(|expr| lines.push(line(program[*expr].span)));
        }
        StmtKind::Target { body } | StmtKind::Label { body, .. } => {
            lines.push(line(stmt.head));
            steps(program, *body, lines);
        }
        _ => lines.push(line(stmt.head)),
    }
}

#[test]
fn every_step_has_its_words() {
    let text = "#include <assert.h>
#define LIMIT 10
#define EACH(i) for (int i = 0; i < LIMIT; i++)
int f(int), x;
int main(void) {
  int y = 1, *p = &x; /* so */
  if (x > 0 /* or not */
      && y)
    x = y
      + 1;
  else { f (x) ; }
  while (*p) x--;
  do x++; while (x < LIMIT);
  EACH(i) { if (i == 3) continue; assert(x != LIMIT); }
  for (;;) break;
  switch (f(x)) { case 1: case 2 ... 3: x = 0; default: ; }
again: x ? f(1) : f(2);
  goto again;
  return x;
}
";
    let program = program(text);
    let mut lines = Vec::new();
    steps(&program, program[program.entry].body.expect("a body"), &mut lines);
    let expected = [
        "6:3 int y = 1, *p = &x",
        "7:3 if (x > 0 && y)",
        "9:5 x = y + 1",
        "11:10 f (x)",
        "12:3 while (*p)",
        "12:14 x--",
        "13:6 x++",
        "13:11 while (x < LIMIT)",
        "14:3 EACH(i)",
        "14:3 EACH(i)",
        "14:13 if (i == 3)",
        "14:25 continue",
        "14:35 assert(x != LIMIT)",
        "14:3 EACH(i)",
        "15:12 break",
        "16:3 switch (f(x))",
        "16:19 case 1:",
        "16:27 case 2 ... 3:",
        "16:41 x = 0",
        "16:48 default:",
        "16:57 ",
        "17:1 again:",
        "17:8 x ? f(1) : f(2)",
        "18:3 goto again",
        "19:3 return x",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn effects_are_known_without_looking() {
    let pure = [
        "x + y[1]",
        "x && !p",
        "*p",
        "p->n",
        "(char)x",
        "sizeof(x++)",
        "x ? y[0] : 2",
        "&y[x]",
        "g",
        "p - &s",
    ];
    let effectful = [
        "x = 1",
        "x++",
        "x += 2",
        "h()",
        "x && h()",
        "y[x++]",
        "*(p = 0, &s), 1",
        "({ x = 1; x; })",
        "(int){x}",
        "x ? 1 : h()",
    ];
    let prefix = "int x, y[2], h(void); void g(void) {} struct s { int n; } s, *p;";
    for (expressions, effects) in [(&pure, false), (&effectful, true)] {
        for expression in expressions {
            let program = program(&format!("{prefix} int main(void) {{ {expression}; }}"));
            let StmtKind::Block(stmts) = &program[program[program.entry].body.expect("a body")].kind else {
                panic!("a block")
            };
            let StmtKind::Expr(expr) = program[stmts[0]].kind else { panic!("an expression") };
            assert_eq!(program.has_effects(expr), effects, "{expression}");
        }
    }
}

#[test]
fn storage_and_tentative_definitions() {
    let program = program(
        "extern int e; int t; int t; static int s = 2; int late; extern int late; int late = 5; int open[];
         _Thread_local int own; struct { int n; char c[]; } flexible = { 1, \"abcdefg\" };
         int main(void) { static int local; extern int e; int a; a = e + t + s + late + local + own + open[0] + flexible.c[0]; }",
    );
    let mut found: Vec<String> = program
        .object_ids()
        .map(|id| {
            let object = &program[id];
            let storage = match object.storage {
                Storage::Static => "static",
                Storage::Thread => "thread",
                Storage::Extern => "extern",
                Storage::Local => "local",
                Storage::Parameter => "parameter",
            };
            let owned = if object.function.is_some() { " owned" } else { "" };
            let init = if object.init.is_some() { " init" } else { "" };
            let name = object.name.as_deref().unwrap_or("?");
            format!("{name} {storage}{owned}{init} {}", object.size.unwrap_or(0))
        })
        .collect();
    found.sort();
    let expected = [
        "a local owned 4",
        "e extern 4",
        "flexible static init 12",
        "late static init 4",
        "local static owned 4",
        "open static 4",
        "own thread 4",
        "s static init 4",
        "t static 4",
    ];
    assert_eq!(found, expected);
}

/// A name for the linker leads to the definition of that name, if it is one that is linked.
#[test]
fn names_for_the_linker() {
    let program = program(
        "int alias(int) __asm__(\"real\"); int real(int x) { return x; }
         int renamed(int) __asm__(\"__isoc99_renamed\");
         extern int past(int) __asm__(\"inlined\");
         extern inline __attribute__((gnu_inline)) int inlined(int x) { return past(x); }
         int main(void) { return alias(1) + renamed(2) + inlined(3) + __builtin_puts(\"x\"); }",
    );
    let mut names: Vec<(&str, bool)> =
        program.functions.iter().map(|function| (&*function.name, function.body.is_some())).collect();
    names.sort_unstable();
    let expected = [
        ("inlined", false),
        ("inlined", true),
        ("main", true),
        ("puts", false),
        ("real", true),
        ("renamed", false),
    ];
    assert_eq!(names, expected);
}

#[test]
fn preprocessed_text_reads() {
    let text = "# 1 \"orig.c\"\n# 1 \"/usr/include/x.h\" 1 3 4\n\
        typedef unsigned int __u32; extern int printf (const char *__restrict __format, ...) \
        __attribute__ ((__format__ (__printf__, 1, 2))) __attribute__ ((__nothrow__ , __leaf__));\n\
        extern int sscanf (const char *__restrict __s, const char *__restrict __f, ...) __asm__ (\"\" \"__isoc99_sscanf\");\n\
        __extension__ typedef long long int __quad; typedef __builtin_va_list __gnuc_va_list;\n\
        typedef int __attribute__((__mode__(__DI__))) i64;\n\
        extern void __assert_fail (const char *, const char *, unsigned int, const char *) __attribute__ ((__noreturn__));\n\
        # 7 \"orig.c\" 2\n\
        int linux = 1, unix;\n\
        int main(void) {\n\
        __extension__ ({ if (linux > unix) ; else __assert_fail (\"linux > unix\", \"orig.c\", 9, __extension__ __PRETTY_FUNCTION__); });\n\
        return sizeof(i64) == 8 ? __builtin_expect(!!(linux), 1) : 0; }\n";
    let (program, diagnostics) = read_as("t.i", text, DataModel::Lp64);
    let program = program.unwrap_or_else(|| panic!("{}", shown(&diagnostics)));
    let fail = program.function("__assert_fail").expect("it is called");
    assert!(program[fail].no_return && program[fail].body.is_none());
    assert_eq!(program.location(program[program.entry].span).to_string(), "orig.c:8:5");
}

/// Parameters of an old-style definition have their own types, arguments are promoted.
#[test]
fn old_definitions_convert_on_entry() {
    let program = program("f(c, s, d) char c; float d; { return c + s; } main() { return f(1, 2, 3.0); }");
    let function = &program[program.function("f").expect("it is called")];
    let types: Vec<String> =
        function.parameters.iter().map(|id| program.types.spell(program[*id].ty)).collect();
    assert_eq!(types, ["char", "int", "float"]);
    assert_eq!(program.types.spell(function.result), "int");
}

/// Every header of ours can be included alone, twice, and with all others, in both data models; and they
/// take no names that programs use which do not include what declares them.
#[test]
fn headers_stand_alone_and_together() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("headers");
    let mut names = Vec::new();
    for (folder, prefix) in [(folder.clone(), ""), (folder.join("sys"), "sys/")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("a name");
            if name.ends_with(".h") {
                names.push(format!("{prefix}{name}"));
            }
        }
    }
    names.sort();
    assert!(names.len() > 30);
    let mut all = String::new();
    for name in &names {
        let twice = format!("#include <{name}>\n#include <{name}>\n");
        all += &twice;
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let (program, diagnostics) =
                read_as("t.c", &format!("{twice}int main(void) {{ return 0; }}"), model);
            assert!(program.is_some() && diagnostics.is_empty(), "{name}: {}", shown(&diagnostics));
        }
    }
    program(&format!("{all}int main(void) {{ return 0; }}"));
    program(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n#include <stdbool.h>\n
         int time, clock, index, select, read, write, sleep, lock, y1, signal, pause, wait; struct tm { int x; };
         struct timeval { int y; }; int getline(char *line, int most) { return 0; } int main(void) { return time; }",
    );
}

/// The condition of `?:` without a middle is evaluated once.
#[test]
fn conditions_may_be_values() {
    let program = program("char c; int g(void); long main(void) { return (g() ?: 3) + (c ?: 5L); }");
    let text = program.show_function(program.entry);
    assert!(text.contains("return ((long)(g() ?: 3) + (c ?: 5));"), "{text}");
}
