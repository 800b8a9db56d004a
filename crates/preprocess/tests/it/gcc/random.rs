//! Random macro programs.

use std::path::Path;

use preprocess::{NoFiles, Options, preprocess};
use testkit::random::{Random, for_random_inputs};

use super::Agreement::{Blanks, Tokens};
use super::{compare, gcc_is_there};

const OBJECTS: [&str; 4] = ["A", "B", "C", "D"];
const FUNCTIONS: [&str; 4] = ["f", "g", "h", "k"];
const PARAMETERS: [&str; 3] = ["x", "y", "z"];
const PLAIN: [&str; 26] = [
    "a", "b", "1", "2", ".5", "0..A", "+", "-", "->", "<", "<<", "=", "==", ":", "?", "!", "@", ".", "\"s\"",
    "'c'", "/**/", "&", "|", ";", "#", "*",
];

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len() as u32) as usize]
}

/// A piece of text: tokens, names of macros, invocations that mostly fit.
fn piece(random: &mut Random, depth: u32, parameters: &[&str], lines: bool, out: &mut String) {
    if random.percent(50) {
        out.push_str(if lines && random.percent(15) { "\n" } else { " " });
    }
    match random.below(10) {
        0..3 => out.push_str(pick(random, &PLAIN)),
        3..5 => out.push_str(pick(random, &OBJECTS)),
        5 => out.push_str(pick(random, &FUNCTIONS)),
        6 if !parameters.is_empty() => out.push_str(pick(random, parameters)),
        6 => {
            out.push('(');
            piece(random, depth.saturating_sub(1), parameters, lines, out);
            out.push(')');
        }
        _ if depth > 0 => {
            // The last letter of the name tells how many parameters there are.
            let function = random.below(4) as usize;
            out.push_str(FUNCTIONS[function]);
            out.push_str(if random.percent(20) { " (" } else { "(" });
            for argument in 0..function.max(1) {
                out.push_str(if argument > 0 { "," } else { "" });
                for _ in 0..random.below(4) {
                    piece(random, depth - 1, parameters, lines, out);
                }
            }
            out.push(')');
        }
        _ => out.push('b'),
    }
}

fn program(random: &mut Random, lines: bool) -> String {
    let mut text = String::new();
    for object in OBJECTS {
        text.push_str(&format!("#define {object} "));
        for _ in 0..random.below(5) {
            piece(random, 1, &[], false, &mut text);
        }
        text.push('\n');
    }
    for (count, function) in FUNCTIONS.into_iter().enumerate() {
        let mut parameters = PARAMETERS[..count].to_vec();
        let variadic = count > 0 && random.percent(25);
        let mut list = parameters.join(",");
        if variadic {
            parameters[count - 1] = "__VA_ARGS__";
            list = [&PARAMETERS[..count - 1], &["..."]].concat().join(",");
        }
        text.push_str(&format!("#define {function}({list}) "));
        for _ in 0..random.below(6) {
            match random.below(8) {
                0 if count > 0 => text.push_str(&format!("#{}", pick(random, &parameters))),
                1 if count > 0 => {
                    let sides = [pick(random, &parameters), "a", "1", "A", "f", ",", "g"];
                    text.push_str(&format!(" {} ## {}", pick(random, &sides), pick(random, &parameters)));
                }
                _ => {
                    let mut one = String::new();
                    piece(random, 1, &parameters, false, &mut one);
                    text.push_str(&one.replace('#', "+"));
                }
            }
        }
        text.push('\n');
    }
    for _ in 0..random.between(1, 4) {
        text.push('x');
        for _ in 0..random.below(8) {
            piece(random, 3, &[], lines, &mut text);
        }
        text.push('\n');
    }
    text
}

fn is_wrong(text: &str) -> bool {
    preprocess(&NoFiles, Path::new("m.pml"), text, &Options::default()).has_errors()
}

#[test]
fn random_programs_come_out_as_from_gcc() {
    if !gcc_is_there() {
        return;
    }
    for_random_inputs(400, |random| {
        let lines = random.percent(30);
        let mut text = program(random, lines);
        // Most programs paste what does not fit; those that do not say more.
        while random.percent(90) && is_wrong(&text) {
            text = program(random, lines);
        }
        compare(&text, if lines { Tokens } else { Blanks });
    });
}
