//! Constant expressions: initialisers of static objects are folded to what gcc folds them to.

use std::fmt::Write as _;

use cfront::DataModel;
use cfront::tree::{Base, ExprKind, InitValue, Program};
use testkit::random::{Random, for_random_inputs};

use super::random_expression::{expression, literal};
use crate::support::{gcc, gcc_is_there, program, read_as, shown};

fn leaf(random: &mut Random) -> String {
    match random.below(9) {
        0 => "sizeof(long)".to_owned(),
        1 => "sizeof(struct s)".to_owned(),
        2 => "(int)__builtin_offsetof(struct s, d)".to_owned(),
        3 => ["E0", "E1", "E2"][random.below(3) as usize].to_owned(),
        4 => "'\\xfe'".to_owned(),
        5 => format!("{}u", random.below(100_000)),
        6 => format!("{}.75f", random.below(100)),
        _ => literal(random.bits() as i64 >> random.between(1, 62)),
    }
}

/// Bit operations and remainders have no meaning for floating numbers, so those are cut off.
fn integral(random: &mut Random) -> String {
    let mut leaves = |random: &mut Random| {
        let leaf = leaf(random);
        if leaf.ends_with('f') { format!("((int){leaf})") } else { leaf }
    };
    expression(random, 4, &mut leaves)
}

/// The number a global is initialised with.
fn initial(program: &Program, name: &str) -> i128 {
    let object = program.object_ids().find(|object| program[*object].name.as_deref() == Some(name));
    let object = &program[object.expect("the object")];
    let entry = &object.init.as_ref().expect("an initialiser").entries[0];
    match entry.value {
        InitValue::Expr(expr) => match program[expr].kind {
            ExprKind::Int(value) => value,
            _ => panic!("{name} is {}", program.show_expr(expr)),
        },
        InitValue::String(_) => panic!("{name} is a string"),
    }
}

#[test]
fn random_constants_are_folded_as_gcc_does() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let declared = "struct s { char a; long b; short c; double d; }; enum { E0, E1 = -7, E2 = 1 << 20 };\n";
    for_random_inputs(6, |random| {
        let texts: Vec<String> = (0..120).map(|_| integral(random)).collect();
        let (mut text, mut body) = (declared.to_owned(), String::new());
        for (number, expression) in texts.iter().enumerate() {
            _ = writeln!(text, "long long g{number} = {expression};");
            _ = write!(body, "g{number};");
        }
        for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
            let whole = format!("{text}int main(void) {{ {body} }}\n");
            let (program, diagnostics) = read_as("t.c", &whole, model);
            let program = program.unwrap_or_else(|| panic!("{}\n{text}", shown(&diagnostics)));
            let mut asserted = declared.to_owned();
            for (number, expression) in texts.iter().enumerate() {
                let value = literal(initial(&program, &format!("g{number}")) as i64);
                _ = writeln!(asserted, "_Static_assert((long long){expression} == {value}, \"\");");
            }
            let result = gcc(&asserted, &[flag], folder.path(), None);
            result.unwrap_or_else(|why| panic!("{model:?}: {why}"));
        }
    });
}

/// Addresses are a base and an offset, which gcc agrees with.
#[test]
fn addresses_are_folded() {
    let declared = "
        struct s { char a; int b[4]; struct { short x, y; } in[3]; };
        struct s one; struct s many[5]; char text[20]; int f(void); int grid[4][6];";
    let addresses = [
        ("&one.b[2]", "one"),
        ("&many[3].in[1].y", "many"),
        ("many + 2", "many"),
        ("&many[1] - 1", "many"),
        ("(char *)&one + 3", "one"),
        ("text + 5 - 2", "text"),
        ("grid[2] + 3", "grid"),
        ("&grid[3]", "grid"),
        ("&*grid[1]", "grid"),
    ];
    let mut text = format!("{declared}\n");
    let mut asserted = format!("{declared}\nint printf(const char *, ...);\nint main(void) {{\n");
    let mut body = String::new();
    for (number, (address, base)) in addresses.iter().enumerate() {
        _ = writeln!(text, "void *p{number} = {address};");
        _ = write!(body, "p{number};");
        _ = writeln!(asserted, "printf(\"%d\\n\", (int)((char *)({address}) - (char *)&{base}));");
    }
    text += &format!("int (*q)(void) = &f; char *s = \"hello\" + 2; int main(void) {{ {body} q; s; }}");
    let program = program(&text);
    let pointer = |name: &str| {
        let object = program.object_ids().find(|object| program[*object].name.as_deref() == Some(name));
        let entry = &program[object.expect("the object")].init.as_ref().expect("an initialiser").entries[0];
        let InitValue::Expr(expr) = entry.value else { panic!("a string") };
        program[expr].kind.clone()
    };
    let offsets =
        addresses.iter().enumerate().map(|(number, (_, base))| match pointer(&format!("p{number}")) {
            ExprKind::Address { base: Base::Object(object), offset } => {
                assert_eq!(program[object].name.as_deref(), Some(*base));
                format!("{offset}\n")
            }
            other => panic!("{other:?}"),
        });
    let offsets: String = offsets.collect();
    assert!(matches!(pointer("q"), ExprKind::Function(_)));
    assert!(matches!(pointer("s"), ExprKind::Address { base: Base::String(_), offset: 2 }));
    if gcc_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(offsets, crate::support::run(&format!("{asserted}return 0; }}"), folder.path()));
    }
}

/// Floating constants are folded to the bit as gcc folds them; `long double` only as far as a double goes.
#[test]
fn floating_constants_are_folded_as_gcc_does() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for_random_inputs(4, |random| {
        let number = |random: &mut Random| {
            let suffix = ["", "f", ""][random.below(3) as usize];
            match random.below(4) {
                0 => format!("{}.{}e-{}{suffix}", random.below(100), random.below(1000), random.below(40)),
                1 => format!("0x1.{:x}p{}{suffix}", random.below(0xff_ffff), random.below(30)),
                2 => format!("(float)({}.0 / 3)", random.below(1000)),
                _ => format!("({} * 0.1{suffix})", random.below(1_000_000)),
            }
        };
        let (mut text, mut printing, mut body) = (String::new(), String::new(), String::new());
        for index in 0..100 {
            let ty = ["float", "double"][random.below(2) as usize];
            let op = ["+", "-", "*", "/"][random.below(4) as usize];
            _ = writeln!(text, "{ty} g{index} = {} {op} ({} + 1);", number(random), number(random));
            _ = writeln!(
                printing,
                "{{ double d = g{index}; long long b; memcpy(&b, &d, 8); printf(\"%llx\\n\", b); }}"
            );
            _ = write!(body, "g{index};");
        }
        let program = program(&format!("{text}int main(void) {{ {body} }}"));
        let harness = format!(
            "int printf(const char *, ...); void *memcpy(void *, const void *, unsigned long);\n{text}\
             int main(void) {{ {printing} return 0; }}"
        );
        let printed = crate::support::run(&harness, folder.path());
        for (index, line) in printed.lines().enumerate() {
            let name = format!("g{index}");
            let object = program.object_ids().find(|object| program[*object].name.as_deref() == Some(&name));
            let entry =
                &program[object.expect("the object")].init.as_ref().expect("an initialiser").entries[0];
            let InitValue::Expr(expr) = entry.value else { panic!("a string") };
            let ExprKind::Float(value) = program[expr].kind else { panic!("{}", program.show_expr(expr)) };
            assert_eq!(
                format!("{:x}", value.to_bits()),
                line,
                "{}",
                text.lines().nth(index).unwrap_or_default()
            );
        }
    });
}
