//! Random C programs whose functions call each other, choose, and assert things that may be false.
//!
//! All data stays below 4, so states are few. With fuel, every call hands on less of it and recursion ends;
//! without, stacks have no bound.

use std::fmt::Write as _;

use crate::random::Random;

const FUNCTIONS: u32 = 3;

/// A program; with `fuel`, calls are nested at most so deep.
pub fn random_calls(random: &mut Random, fuel: Option<u32>) -> String {
    let mut writer = Writer { random, text: String::new(), fuelled: fuel.is_some() };
    writer.program(fuel.unwrap_or(0));
    writer.text
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    fuelled: bool,
}

impl Writer<'_> {
    fn program(&mut self, fuel: u32) {
        self.text.push_str(
            "#include <assert.h>\n_Bool __VERIFIER_nondet_bool(void);\nint a, b = 1;\nstruct two { int one, other; };\n",
        );
        for function in 0..FUNCTIONS {
            let _ = writeln!(self.text, "int f{function}(int x, int y, int fuel);");
        }
        self.text
            .push_str("struct two swap(int x, int y) { struct two t; t.one = y; t.other = x; return t; }\n");
        for function in 0..FUNCTIONS {
            let _ = writeln!(self.text, "int f{function}(int x, int y, int fuel)\n{{");
            self.body(5);
            let value = self.expression();
            let _ = writeln!(self.text, "  return {value};\n}}");
        }
        let _ = writeln!(self.text, "int main(void)\n{{\n  int x = 2, y = 0, fuel = {fuel};");
        self.body(4);
        self.call(1);
        self.body(4);
        self.text.push_str("  return 0;\n}\n");
    }

    fn body(&mut self, most: u32) {
        for _ in 0..self.random.between(2, most) {
            self.statement(1, 2);
        }
    }

    fn name(&mut self) -> &'static str {
        ["a", "b", "x", "y"][self.random.below(4) as usize]
    }

    fn expression(&mut self) -> String {
        let (one, other, number) = (self.name(), self.name(), self.random.below(4));
        match self.random.below(5) {
            0 => number.to_string(),
            1 => one.to_owned(),
            2 => format!("({one} + {number}) & 3"),
            3 => format!("({one} ^ {other}) & 3"),
            _ => format!("({one} + {other}) & 3"),
        }
    }

    fn condition(&mut self) -> String {
        let (one, other, number) = (self.name(), self.name(), self.random.below(4));
        match self.random.below(5) {
            0 | 1 => "__VERIFIER_nondet_bool()".to_owned(),
            2 => format!("{one} == {other}"),
            3 => format!("{one} != {number}"),
            _ => format!("{one} < {number}"),
        }
    }

    fn call(&mut self, indent: usize) {
        let (margin, name) = ("  ".repeat(indent), self.name());
        let function = self.random.below(FUNCTIONS);
        let (one, other) = (self.expression(), self.expression());
        let call = if self.random.percent(70) { format!("{name} = ") } else { String::new() };
        let fuel = if self.fuelled { "if (fuel > 0) " } else { "if (__VERIFIER_nondet_bool()) " };
        let less = if self.fuelled { "fuel - 1" } else { "fuel" };
        let _ = writeln!(self.text, "{margin}{fuel}{call}f{function}({one}, {other}, {less});");
    }

    fn statement(&mut self, indent: usize, depth: u32) {
        let margin = "  ".repeat(indent);
        let name = self.name();
        match self.random.below(if depth == 0 { 7 } else { 11 }) {
            0 | 1 => {
                let value = self.expression();
                let _ = writeln!(self.text, "{margin}{name} = {value};");
            }
            2 | 3 => self.call(indent),
            4 => {
                let _ =
                    writeln!(self.text, "{margin}{{ struct two t = swap(x, y); x = t.one; y = t.other; }}");
            }
            5 => {
                let _ = writeln!(self.text, "{margin}{{ int *p = &{name}; *p = (*p + 1) & 3; }}");
            }
            6 => {
                let (other, number) = (self.name(), self.random.below(4));
                let _ = writeln!(self.text, "{margin}assert({name} != {number} || {other} != 2);");
            }
            7..=9 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "{margin}if ({condition}) {{");
                self.statement(indent + 1, depth - 1);
                if self.random.percent(50) {
                    let _ = writeln!(self.text, "{margin}}} else {{");
                    self.statement(indent + 1, depth - 1);
                }
                let _ = writeln!(self.text, "{margin}}}");
            }
            _ => {
                let condition = self.condition();
                let _ = writeln!(self.text, "{margin}while ({condition} && __VERIFIER_nondet_bool()) {{");
                self.statement(indent + 1, depth - 1);
                let _ = writeln!(self.text, "{margin}}}");
            }
        }
    }
}
