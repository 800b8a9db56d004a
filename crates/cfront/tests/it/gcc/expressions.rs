//! Types and values of random expressions over variables of all integer types.

use std::fmt::Write as _;

use cfront::DataModel;
use cfront::tree::{ExprId, ExprKind, Program, StmtKind, Type};
use testkit::random::{Random, for_random_inputs};
use testkit::random_c::TYPES;

use super::evaluate::evaluate;
use super::random_expression::{expression, variables};
use crate::support::{gcc, gcc_is_there, read_as, run, shown};

const EXPRESSIONS: usize = 150;

/// Types, names and widths of the bit-fields of `s`.
const FIELDS: &[(&str, &str, u32)] = &[
    ("unsigned", "a", 3),
    ("int", "b", 5),
    ("unsigned", "c", 31),
    ("unsigned", "d", 32),
    ("int", "e", 32),
    ("_Bool", "f", 1),
    ("unsigned char", "g", 8),
    ("short", "h", 9),
    ("unsigned short", "i", 16),
    ("enum { X = -1, Y = 3 }", "j", 4),
];

/// A variable `s` whose fields have random values.
fn bit_fields(random: &mut Random) -> String {
    let declared = FIELDS.iter().map(|(ty, name, width)| format!("{ty} {name} : {width}; "));
    let values = FIELDS.iter().map(|(ty, _, width)| {
        let bits = random.bits() >> (64 - width);
        if ty.contains("unsigned") || *ty == "_Bool" {
            format!("{bits}u, ")
        } else {
            format!("{}, ", (bits as i64) - (1 << (width - 1)))
        }
    });
    format!("struct {{ {}}} s = {{ {}}};\n", declared.collect::<String>(), values.collect::<String>())
}

fn random_texts(random: &mut Random) -> (String, Vec<String>) {
    let declared = variables(random) + &bit_fields(random);
    let mut leaf = |random: &mut Random| match random.below(6) {
        1 => {
            // Promoted by their widths, each in its own way; alone they have no size.
            let op = ["+", "-", "*", "<", ">", "==", "&", "|", "^"][random.below(9) as usize];
            let field =
                |random: &mut Random| format!("s.{}", FIELDS[random.below(FIELDS.len() as u32) as usize].1);
            let other = if random.percent(50) { field(random) } else { format!("v{}", random.below(12)) };
            format!("({} {op} {other})", field(random))
        }
        0 => ["0", "1", "'a'", "255u", "65536L", "0x80000000", "4294967296ull", "(-1)"]
            [random.below(8) as usize]
            .to_owned(),
        _ => format!("v{}", random.below(TYPES.len() as u32)),
    };
    let texts = (0..EXPRESSIONS).map(|_| expression(random, 4, &mut leaf)).collect();
    (declared, texts)
}

/// The expressions `main` has for statements, one for each text.
fn statements(program: &Program) -> Vec<ExprId> {
    let body = program[program.entry].body.expect("a body");
    let StmtKind::Block(stmts) = &program[body].kind else { panic!("a block") };
    let expressions = stmts.iter().filter_map(|stmt| match program[*stmt].kind {
        StmtKind::Expr(expr) => Some(expr),
        _ => None,
    });
    expressions.collect()
}

fn program_of(declared: &str, texts: &[String], model: DataModel) -> Program {
    let body: String = texts.iter().map(|text| format!("{text};\n")).collect();
    let text = format!("{declared}int main(void) {{\n{body}}}\n");
    let (program, diagnostics) = read_as("t.c", &text, model);
    program.unwrap_or_else(|| panic!("{}\n{text}", shown(&diagnostics)))
}

/// A type as seen from outside: its size and whether it has a sign.
fn type_assertion(program: &Program, expr: ExprId, text: &str) -> String {
    let ty = program[expr].ty;
    let int = program.types.int(ty).expect("an integer");
    let bool_too = program.types.get(ty) == Type::Bool;
    format!(
        "_Static_assert(sizeof({text}) == {} && ((__typeof__({text}))-1 < 0) == {} \
         && __builtin_types_compatible_p(__typeof__({text}), _Bool) == {}, \"\");\n",
        int.bits / 8,
        u8::from(int.signed),
        u8::from(bool_too),
    )
}

#[test]
fn types_are_gccs_in_both_data_models() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for_random_inputs(6, |random| {
        let (declared, texts) = random_texts(random);
        for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
            let program = program_of(&declared, &texts, model);
            let exprs = statements(&program);
            assert_eq!(exprs.len(), texts.len());
            let pairs = exprs.iter().zip(&texts);
            let asserted: String = pairs.map(|(expr, text)| type_assertion(&program, *expr, text)).collect();
            let result = gcc(&format!("{declared}{asserted}"), &[flag], folder.path(), None);
            result.unwrap_or_else(|why| panic!("{model:?}: {why}"));
        }
    });
}

#[test]
fn values_are_gccs() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for_random_inputs(8, |random| {
        let (declared, texts) = random_texts(random);
        let program = program_of(&declared, &texts, DataModel::Lp64);
        let mut printing = format!("int printf(const char *, ...);\n{declared}int main(void) {{\n");
        for text in &texts {
            _ = writeln!(printing, "printf(\"%llx\\n\", (unsigned long long){text});");
        }
        let printed = run(&format!("{printing}return 0; }}\n"), folder.path());
        for ((expr, text), line) in statements(&program).into_iter().zip(&texts).zip(printed.lines()) {
            let ours = format!("{:x}", evaluate(&program, expr) as u64);
            assert_eq!(ours, line, "of {text}\nwhich is {}\nwith\n{declared}", program.show_expr(expr));
        }
    });
}

/// What variables and bit-fields of all kinds hold after `op=`, `++` and `--`.
#[test]
fn assignments_leave_what_gcc_leaves() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for_random_inputs(6, |random| {
        let mut declared = variables(random);
        let (mut texts, mut printing) = (Vec::new(), String::new());
        for number in 0..120 {
            // Each is assigned to once, so that it still holds what it is initialised with.
            let place = if random.percent(60) {
                declared += &bit_fields(random)
                    .replace("} s =", &format!("}} s{number} ="))
                    .replace("X =", &format!("X{number} ="))
                    .replace("Y =", &format!("Y{number} ="));
                format!("s{number}.{}", FIELDS[random.below(FIELDS.len() as u32) as usize].1)
            } else {
                let ty = TYPES[random.below(TYPES.len() as u32) as usize];
                declared += &format!("{ty} w{number} = {};\n", random.below(400) as i64 - 200);
                format!("w{number}")
            };
            let mut leaf = |random: &mut Random| format!("v{}", random.below(TYPES.len() as u32));
            let right = expression(random, 2, &mut leaf);
            texts.push(match random.below(12) {
                0 => format!("{place}++"),
                1 => format!("--{place}"),
                2 | 3 => format!("{place} /= (int)(({right} & 7) - 9)"),
                4 => format!("{place} %= ({right} & 7) + 1u"),
                5 => format!("{place} <<= {right} & 7"),
                6 => format!("{place} >>= {right} & 7"),
                other => format!("{place} {}= {right}", ["+", "-", "*", "&", "^"][other as usize - 7]),
            });
            _ = writeln!(printing, "printf(\"%llx\\n\", (unsigned long long)({}));", texts[number]);
        }
        let program = program_of(&declared, &texts, DataModel::Lp64);
        let harness =
            format!("int printf(const char *, ...);\n{declared}int main(void) {{ {printing} return 0; }}");
        let printed = run(&harness, folder.path());
        for ((expr, text), line) in statements(&program).into_iter().zip(&texts).zip(printed.lines()) {
            let ours = format!("{:x}", evaluate(&program, expr) as u64);
            assert_eq!(ours, line, "of {text}\nwhich is {}\nwith\n{declared}", program.show_expr(expr));
        }
    });
}

/// What is assigned is converted as in C, also by `op=` and `++`.
#[test]
fn assignments_say_where_they_are_computed() {
    let text = "
        char c; unsigned char u; short s; int i; long l; float f; double d; _Bool b; unsigned w;
        struct { unsigned n : 3; int m : 20; unsigned long x : 32; } bits;
        int main(void) {
            c += i; u *= 2; s <<= l; i += 1.5; i += 1.5f; f += d; d += f; b += 1; l -= i; w += s; b -= 2;
            c++; u--; s++; i++; w++; f++; b++; bits.n++; bits.m--; bits.n += 1;
        }";
    let program = crate::support::program(text);
    let computed = statements(&program).into_iter().map(|expr| match program[expr].kind {
        ExprKind::Compound { computed_in, .. } | ExprKind::Increment { computed_in, .. } => {
            program.types.spell(computed_in)
        }
        _ => panic!("an assignment"),
    });
    let expected = "int int int double float double double int long unsigned_int int \
                    int int int int unsigned_int float int int int int";
    let computed: Vec<String> = computed.map(|ty| ty.replace(' ', "_")).collect();
    assert_eq!(computed.join(" "), expected);
}
