//! HotSpot is the oracle: random sequential programs print the same, and end with the same exception in the same line.

use std::fmt::Write as _;
use std::process::Command;

use crate::support::{compile, jdk, model};

/// How many programs are tried.
const PROGRAMS: u64 = 20;

/// A source of numbers that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// An `int` expression over the variables that are in scope everywhere.
fn int(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        let number = random.below(2000) as i64 - 1000;
        let constant = format!("({number})");
        return match random.below(5) {
            0 => constant,
            1 => "a".to_owned(),
            2 => "b".to_owned(),
            3 => "xs[2]".to_owned(),
            _ => "Integer.MAX_VALUE".to_owned(),
        };
    }
    let (one, two) = (int(random, depth - 1), int(random, depth - 1));
    match random.below(12) {
        0..=4 => format!("({one} {} {two})", random.pick(&["+", "-", "*", "&", "|", "^"])),
        5 => format!("({one} {} {two})", random.pick(&["/", "%"])),
        6 => format!("({one} {} ({two} & 63))", random.pick(&["<<", ">>", ">>>"])),
        7 => format!("({one} {} {two} ? {one} : {two})", random.pick(&["<", ">=", "==", "!="])),
        8 => format!("xs[{one} & 7]"),
        9 => format!("(int) ({} * 1.5)", one),
        10 => format!("(int) ((long) {one} * {two} >>> 7)"),
        _ => format!("({}) ({one} + {two})", random.pick(&["byte", "short", "char"])),
    }
}

fn statement(random: &mut Random, out: &mut String, depth: usize) {
    let value = int(random, 2);
    match random.below(12) {
        0 => _ = writeln!(out, "a = {value};"),
        1 => _ = writeln!(out, "b += {value};"),
        2 => _ = writeln!(out, "xs[{} & 3] = {value};", int(random, 1)),
        3 => {
            _ = writeln!(
                out,
                "System.out.println(\"v \" + {value} + ' ' + (a > b) + (char) ('a' + (b & 7)));"
            )
        }
        4 => {
            _ = writeln!(
                out,
                "System.out.println((double) a / (b | 1) + \" \" + (float) b / 7 + \" \" + (long) a * b);"
            )
        }
        5 if depth > 0 => {
            _ = writeln!(out, "for (int i = 0; i < 3; i++) {{");
            statement(random, out, depth - 1);
            _ = writeln!(out, "a += i; }}");
        }
        6 if depth > 0 => {
            _ = writeln!(out, "if ({value} > b) {{");
            statement(random, out, depth - 1);
            _ = writeln!(out, "}} else {{");
            statement(random, out, depth - 1);
            _ = writeln!(out, "}}");
        }
        7 if depth > 0 => {
            _ = writeln!(out, "try {{");
            statement(random, out, depth - 1);
            _ = writeln!(
                out,
                "}} catch (ArithmeticException e) {{ System.out.println(e.getMessage()); }} finally {{ b++; }}"
            );
        }
        8 => _ = writeln!(out, "list.add({value} + 0); Collections.sort(list); System.out.println(list);"),
        9 => _ = writeln!(out, "map.merge({value} & 5, 1, Integer::sum); System.out.println(map);"),
        10 => {
            _ = writeln!(out, "switch ({value} & 3) {{ case 0: a++; case 1: b--; break; default: a ^= b; }}")
        }
        _ => {
            _ = writeln!(
                out,
                "sb.append({value}).append(a % 3 == 0 ? \"x\" : sb.length()); System.out.println(sb.reverse());"
            )
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1));
    let mut text = String::from(
        "import java.util.*;\npublic class Main%N% {\nstatic int a = 3, b = 7;\nstatic int[] xs = {1, -2, 30, 4, 5, 6};\n\
         static List<Integer> list = new ArrayList<>();\nstatic Map<Integer, Integer> map = new HashMap<>();\n\
         static StringBuilder sb = new StringBuilder();\npublic static void main(String[] args) {\n",
    );
    for _ in 0..12 {
        statement(&mut random, &mut text, 2);
    }
    text.push_str("System.out.println(a + \" \" + b + \" \" + Arrays.toString(xs));\n}\n}\n");
    text.replace("%N%", &seed.to_string())
}

#[test]
fn random_programs_do_what_hotspot_does() {
    let Some(jdk) = jdk() else { return };
    let mut failed = 0;
    let folder = tempfile::tempdir().expect("a folder");
    let seeds = 1..=PROGRAMS;
    let files: Vec<(String, String)> =
        seeds.clone().map(|seed| (format!("Main{seed}.java"), program(seed))).collect();
    let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    compile(&jdk, folder.path(), &named);
    for (seed, (_, text)) in seeds.zip(&files) {
        let main = format!("Main{seed}");
        let output = Command::new(jdk.home().join("bin/java"))
            .args(["-ea", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"])
            .arg(folder.path())
            .arg(&main)
            .output()
            .expect("java");
        let expected = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let model = model(&jdk, folder.path(), &main, &[], false);
        let (printed, violations, last) = model.run_once(100_000);
        assert_eq!(model.obstacle(&last), None, "{text}");
        assert_eq!(String::from_utf8_lossy(&printed), expected, "{seed}\n{text}");
        let thrown = errors.lines().find_map(|line| line.strip_prefix("Exception in thread \"main\" "));
        let thrown = thrown.map(|thrown| {
            failed += 1;
            let class = thrown.split(':').next().unwrap_or_default().to_owned();
            let frame = format!("at {main}.main({main}.java:");
            let at = errors.lines().find_map(|line| line.trim().strip_prefix(frame.as_str()));
            let line = at.and_then(|at| at.trim_end_matches(')').parse().ok()).unwrap_or(0);
            (class, line)
        });
        let ours = violations.first().and_then(|violation| model.exception(*violation));
        assert_eq!(ours, thrown, "{seed}\n{text}");
    }
    assert!(failed > 0, "no program fails, so nothing was said of exceptions");
}
