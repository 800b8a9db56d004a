//! Sizes, alignments and offsets of hand-picked and random records, in both data models, and where the bits
//! of bit-fields lie.

use std::fmt::Write as _;

use cfront::DataModel;
use cfront::tree::{Program, RecordKind, Type};
use testkit::random::{Random, for_random_inputs};

use crate::support::{gcc, gcc_is_there, read_as, run};

/// Records that have gone wrong somewhere.
const PICKED: &str = "
struct empty {};
struct chars { char a; short b; char c; int d; char e; long f; char g; };
struct wide { char a; long long b; char c; double d; char e; long double f; };
struct pointers { char a; void *b; char c; int (*d)(int); };
struct nested { char a; struct { short x; char y; } b; union { int i; char c[7]; } d; char e; };
struct anonymous { char a; struct { int x; char y; }; union { long l; char c; }; };
struct arrays { char a[3]; short b[2]; int c[2][3]; char d[]; };
struct bits { int a : 3; unsigned b : 7; int : 0; short c : 9; char d : 2; long long e : 35; _Bool f : 1; };
struct more_bits { char a; int b : 30; int c : 4; char d; unsigned long long e : 60; int : 5; int f : 1; };
struct packed { char a; int b; short c : 5; int d : 20; } __attribute__((packed));
struct part { char a; int b __attribute__((packed)); char c; long d __attribute__((aligned(16))); };
struct aligned { char a; } __attribute__((aligned(32)));
struct alignas { char a; _Alignas(8) char b; };
enum small { A, B }; enum wide_enum { C = 5000000000, D };
struct enums { char a; enum small b; char c; enum wide_enum d; enum small e : 2; };
typedef int quarter __attribute__((mode(QI))); typedef unsigned int __attribute__((__mode__(__DI__))) twice;
struct mode { char a; quarter b; twice c; };
struct atomics { char a; _Atomic int b; char c; _Atomic long long d; };
union bytes { char a[5]; int b; short c; };
union with_bits { unsigned a : 5; char b; long long c : 40; };
#pragma pack(push, 1)
struct pragma_one { char a; int b; long c; short d : 4; int e : 17; };
#pragma pack(2)
struct pragma_two { char a; int b; long long c; double d; };
#pragma pack(pop)
struct pragma_none { char a; int b; };
typedef int unusual __attribute__((aligned(2)));
struct typedefs { char a; unusual b; char c; };
";

/// A program that uses every record with a tag in the text.
fn using(text: &str) -> String {
    let mut body = String::new();
    let declared = text.split(';').flat_map(|piece| piece.split('\n')).map(str::trim_start);
    for line in declared {
        let mut words = line.split([' ', '{']);
        if let (Some(kind @ ("struct" | "union")), Some(tag)) = (words.next(), words.next())
            && !tag.is_empty()
            && line.contains('{')
        {
            _ = writeln!(body, "static {kind} {tag} the_{tag}; use(&the_{tag});");
        }
    }
    format!("{text}\nvoid use(void *);\nint main(void) {{\n{body}}}\n")
}

/// What we think of the layouts, as assertions for gcc.
fn assertions(program: &Program) -> (usize, String) {
    let mut text = String::new();
    let mut count = 0;
    for object in program.object_ids() {
        let Type::Record(id) = program.types.get(program[object].ty) else { continue };
        let record = program.types.record(id);
        let (Some(tag), Some(layout)) = (&record.tag, record.layout) else { continue };
        let keyword = if record.kind == RecordKind::Struct { "struct" } else { "union" };
        let name = format!("{keyword} {tag}");
        _ = writeln!(text, "_Static_assert(sizeof({name}) == {}, \"{name}\");", layout.size);
        _ = writeln!(text, "_Static_assert(_Alignof({name}) == {}, \"{name}\");", layout.align);
        count += 2;
        for field in record.fields.iter().filter(|field| field.bits.is_none()) {
            let Some(member) = &field.name else { continue };
            let offset = field.offset;
            _ = writeln!(
                text,
                "_Static_assert(__builtin_offsetof({name}, {member}) == {offset}, \"{name}.{member}\");"
            );
            count += 1;
            if let Some(size) = program.types.size(field.ty) {
                _ = writeln!(
                    text,
                    "_Static_assert(sizeof((({name} *)0)->{member}) == {size}, \"{name}.{member}\");"
                );
                count += 1;
            }
        }
    }
    (count, text)
}

/// Compares all records of a text in both data models; how many assertions gcc agreed with.
fn compare(text: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let mut total = 0;
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let (program, diagnostics) = read_as("t.c", &using(text), model);
        let program = program.unwrap_or_else(|| panic!("{}\n{text}", crate::support::shown(&diagnostics)));
        let (count, asserted) = assertions(&program);
        let result = gcc(&format!("{text}\n{asserted}"), &[flag], folder.path(), None);
        result.unwrap_or_else(|why| panic!("{model:?}: {why}\n{text}"));
        total += count;
    }
    total
}

#[test]
fn picked_records_are_laid_out_as_gcc_does() {
    if gcc_is_there() {
        let count = compare(PICKED);
        assert!(count > 250, "only {count} assertions");
    }
}

fn random_field(random: &mut Random, number: u32, records: u32) -> String {
    let scalar =
        ["char", "short", "int", "long", "long long", "unsigned", "float", "double", "void *", "_Bool"];
    let base = ["char", "short", "int", "unsigned", "long long", "unsigned char", "unsigned long"];
    let widths = [8, 16, 32, 32, 64, 8, 32];
    match random.below(10) {
        0..=3 => {
            let which = random.below(base.len() as u32) as usize;
            // A width that both data models have.
            let width = random.between(1, widths[which]);
            match random.below(8) {
                0 => format!("{} : 0;", base[which]),
                1 => format!("{} : {width};", base[which]),
                _ => format!("{} b{number} : {width};", base[which]),
            }
        }
        4 if records > 0 => format!("struct r{} s{number};", random.below(records)),
        5 => format!("char a{number}[{}];", random.between(1, 9)),
        6 => format!("{} p{number} __attribute__((packed));", scalar[random.below(8) as usize]),
        7 => format!("char q{number} __attribute__((aligned({})));", 1 << random.below(5)),
        _ => format!("{} m{number};", scalar[random.below(scalar.len() as u32) as usize]),
    }
}

fn random_records(random: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..12 {
        let kind = if random.percent(15) { "union" } else { "struct" };
        let tag = if kind == "union" { format!("u{number}") } else { format!("r{number}") };
        // Both at once is refused, so one that is packed has no member of this kind either.
        let pack = random.percent(15);
        let packed = if !pack && random.percent(20) { " __attribute__((packed))" } else { "" };
        if pack {
            _ = writeln!(text, "#pragma pack({})", 1 << random.below(4));
        }
        // Only structures are used as members.
        let usable =
            (0..number).take_while(|earlier| text.contains(&format!("struct r{earlier} {{"))).count();
        let fields: Vec<String> =
            (0..random.between(1, 9)).map(|field| random_field(random, field, usable as u32)).collect();
        let fields: Vec<String> =
            fields.into_iter().filter(|field| !(pack && field.contains("packed"))).collect();
        _ = writeln!(text, "{kind} {tag} {{ {} }}{packed};", fields.join(" "));
        if pack {
            text.push_str("#pragma pack()\n");
        }
    }
    text
}

#[test]
fn random_records_are_laid_out_as_gcc_does() {
    if gcc_is_there() {
        for_random_inputs(12, |random| {
            compare(&random_records(random));
        });
    }
}

/// Where we think the bits of the named bit-fields lie: bytes of the record with the field all ones.
fn expected_bytes(program: &Program) -> (String, String) {
    let (mut asked, mut expected) = (String::new(), String::new());
    for object in program.object_ids() {
        let Type::Record(id) = program.types.get(program[object].ty) else { continue };
        let record = program.types.record(id);
        let (Some(tag), Some(layout)) = (&record.tag, record.layout) else { continue };
        let keyword = if record.kind == RecordKind::Struct { "struct" } else { "union" };
        for field in &record.fields {
            let (Some(member), Some(bits)) = (&field.name, field.bits) else { continue };
            _ = writeln!(asked, "SHOW({keyword} {tag}, {member});");
            let mut bytes = vec![0u8; layout.size as usize];
            for bit in 0..usize::from(bits.width) {
                let at = field.offset as usize * 8 + usize::from(bits.start) + bit;
                bytes[at / 8] |= 1 << (at % 8);
            }
            let shown: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            _ = writeln!(expected, "{tag}.{member} {shown}");
        }
    }
    (asked, expected)
}

fn compare_bits(text: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, _) = read_as("t.c", &using(text), DataModel::Lp64);
    let (asked, expected) = expected_bytes(&program.expect("a program"));
    let harness = "
        int printf(const char *, ...); void *memset(void *, int, unsigned long);
        #define SHOW(type, member) { type x; memset(&x, 0, sizeof x); x.member = -1; \\
            const char *name = #type; while (*name != ' ') name++; printf(\"%s.%s \", name + 1, #member); \\
            for (unsigned long i = 0; i < sizeof x; i++) printf(\"%02x\", ((unsigned char *)&x)[i]); \\
            printf(\"\\n\"); }";
    let printed = run(&format!("{text}\n{harness}\nint main(void) {{\n{asked}return 0; }}"), folder.path());
    assert_eq!(printed, expected, "{text}");
    expected.lines().count()
}

#[test]
fn bit_fields_lie_where_gcc_puts_them() {
    if gcc_is_there() {
        assert!(compare_bits(PICKED) > 15);
        for_random_inputs(6, |random| _ = compare_bits(&random_records(random)));
    }
}
