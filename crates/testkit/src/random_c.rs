//! Random C programs that mean the same to every compiler.
//!
//! Integers of all widths, floating point, arrays, records with bit-fields, pointers, loops, switches,
//! recursion, short circuits with effects, compound assignments. Overflow of signed integers is meant to
//! wrap (`gcc -fwrapv`). What is undefined is kept out by construction: divisors are never zero, shifts and
//! indices are masked, an effect never meets another use of its variable in one expression, loops and calls
//! are bounded.
//!
//! A program puts what it computes into `out[0]` to `out[count - 1]`; compiled with `PRINT` defined it also
//! prints these values, one a line.

use std::fmt::Write as _;

use crate::random::Random;

/// The types of integers.
pub const TYPES: [&str; 12] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];

/// What the functions are called that return an input of each type.
pub const INPUTS: [&str; 12] = [
    "char",
    "schar",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "bool",
];

/// How many values a program may put out.
pub const MOST_VALUES: usize = 96;

/// A program from the random numbers.
pub fn random_program(random: &mut Random) -> String {
    write(random, false)
}

/// One that computes with integers only, from inputs: its first statements take one for every global `g0`, `g1`
/// and so on, in the order of [`TYPES`].
pub fn random_program_with_inputs(random: &mut Random) -> String {
    write(random, true)
}

fn write(random: &mut Random, inputs: bool) -> String {
    let (text, locals) = (String::new(), Vec::new());
    let mut writer = Writer { random, text, locals, loops: 0, functions: 0, inputs };
    writer.program();
    writer.text
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    /// Names of integers that can be read here.
    locals: Vec<String>,
    /// How many loops were written, for the names of their counters.
    loops: u32,
    /// How many functions can be called here.
    functions: u32,
    /// Whether globals are inputs.
    inputs: bool,
}

impl Writer<'_> {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.below(of.len() as u32) as usize]
    }

    fn number(&mut self) -> String {
        let value = match self.random.below(4) {
            0 => i64::from(self.random.below(3)) - 1,
            1 | 2 => i64::from(self.random.below(300)) - 150,
            _ => self.random.bits() as i64 >> self.random.between(1, 60),
        };
        format!("({value}LL)")
    }

    fn program(&mut self) {
        self.text.push_str("#ifdef PRINT\n#include <stdio.h>\n#endif\n");
        if self.inputs {
            for (name, kind) in INPUTS.iter().zip(&TYPES) {
                let _ = writeln!(self.text, "extern {kind} __VERIFIER_nondet_{name}(void);");
            }
        }
        let _ = writeln!(self.text, "long long out[{MOST_VALUES}]; int count;");
        let _ = writeln!(
            self.text,
            "#define OUT(v) do {{ if (count < {MOST_VALUES}) out[count++] = (long long)(v); }} while (0)"
        );
        for (number, kind) in TYPES.iter().enumerate() {
            let value = self.number();
            let _ = writeln!(self.text, "{kind} g{number} = {value};");
        }
        let element = self.pick(&TYPES);
        let _ = writeln!(
            self.text,
            "{element} array[4] = {{1, -2, 3}}; int grid[2][4] = {{{{1, 2}}, {{3, 4, 5, 6}}}};"
        );
        let field = self.pick(&TYPES);
        let _ = writeln!(
            self.text,
            "struct record {{ {field} a; char b; unsigned c : 5; int d : 7; short e[4]; long f; }};"
        );
        self.text.push_str("struct record records[2] = {{1, 2, 3, -4, {5, 6}, 7}, {.f = 9}};\n");
        self.text.push_str("double real = 1.5; float single = 0.1f;\n");
        for function in 0..3 {
            self.function(function);
            self.functions = function + 1;
        }
        self.text.push_str(
            "void run(void) {\n  int *cursor = grid[0]; struct record copy = records[0], *which = &copy;\n",
        );
        self.locals = (0..TYPES.len()).map(|number| format!("g{number}")).collect();
        self.locals.extend(["which->c", "copy.d", "records[1].f", "*cursor", "array[2]"].map(str::to_owned));
        if self.inputs {
            for (number, name) in INPUTS.iter().enumerate() {
                let _ = writeln!(self.text, "  g{number} = __VERIFIER_nondet_{name}();");
            }
        }
        for number in 0..3 {
            let (kind, value) = (self.pick(&TYPES), self.expression(2));
            let _ = writeln!(self.text, "  {kind} l{number} = {value};");
            self.locals.push(format!("l{number}"));
        }
        for _ in 0..self.random.between(6, 14) {
            self.statement(1, 2);
        }
        for name in self.locals.clone() {
            let _ = writeln!(self.text, "  OUT({name});");
        }
        self.text.push_str("}\nint main(void) {\n  run();\n#ifdef PRINT\n  for (int i = 0; i < count; i++) printf(\"%lld\\n\", out[i]);\n#endif\n  return 0;\n}\n");
    }

    /// Functions look at their parameters only, and call themselves with less fuel.
    fn function(&mut self, number: u32) {
        let (result, one, other) = (self.pick(&TYPES), self.pick(&TYPES), self.pick(&TYPES));
        let _ = writeln!(self.text, "{result} f{number}({one} p, {other} q, int fuel) {{");
        self.locals = ["p", "q", "fuel", "m"].map(str::to_owned).to_vec();
        let (kind, start) = (self.pick(&TYPES), self.number());
        let _ = writeln!(self.text, "  {kind} m = {start};\n  if (fuel <= 0) return p - q;");
        let (first, second, condition) = (self.expression(2), self.expression(2), self.expression(2));
        let _ =
            writeln!(self.text, "  m = {first};\n  if ({condition}) m += f{number}({second}, m, fuel - 1);");
        let value = self.expression(3);
        let _ = writeln!(self.text, "  return {value};\n}}");
    }

    /// Something without effect.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.percent(12) {
            let local = self.random.below(self.locals.len() as u32) as usize;
            return if self.random.percent(70) { self.locals[local].clone() } else { self.number() };
        }
        let deeper = depth - 1;
        match self.random.below(22) {
            0..=5 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.expression(deeper), self.expression(deeper))
            }
            6 | 7 => {
                let op = self.pick(&["/", "%"]);
                format!("({} {op} (({} & 7) + 1))", self.expression(deeper), self.expression(deeper))
            }
            8 | 9 => {
                let op = self.pick(&["<<", ">>"]);
                format!("({} {op} ({} & 15))", self.expression(deeper), self.expression(deeper))
            }
            10..=12 => {
                let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.expression(deeper), self.expression(deeper))
            }
            13 => format!(
                "({} ? {} : {})",
                self.expression(deeper),
                self.expression(deeper),
                self.expression(deeper)
            ),
            14 | 15 => {
                let op = self.pick(&["&&", "||"]);
                format!("({} {op} {})", self.expression(deeper), self.expression(deeper))
            }
            16 | 17 => {
                let op = self.pick(&["-", "~", "!", "+"]);
                format!("({op}{})", self.expression(deeper))
            }
            18 => format!("array[{} & 3]", self.expression(deeper)),
            19 => format!("grid[{} & 1][{} & 3]", self.expression(deeper), self.expression(deeper)),
            20 if self.functions > 0 => {
                let function = self.random.below(self.functions);
                format!("f{function}({}, {}, 2)", self.expression(deeper), self.expression(deeper))
            }
            _ => {
                let kind = self.pick(&TYPES);
                format!("(({kind}){})", self.expression(deeper))
            }
        }
    }

    /// Something that can be assigned to.
    fn place(&mut self) -> String {
        match self.random.below(8) {
            0 => format!("array[{} & 3]", self.expression(1)),
            1 => format!("grid[{} & 1][{} & 3]", self.expression(1), self.expression(1)),
            2 => format!("cursor[{} & 3]", self.expression(1)),
            3 => self.pick(&["which->a", "which->b", "which->c", "which->d", "records[1].c"]).to_owned(),
            4 => format!("which->e[{} & 3]", self.expression(1)),
            5 => format!("l{}", self.random.below(3)),
            _ => format!("g{}", self.random.below(TYPES.len() as u32)),
        }
    }

    fn statement(&mut self, indent: usize, depth: u32) {
        let margin = "  ".repeat(indent);
        let choice = self.random.below(if depth == 0 { 12 } else { 20 });
        let text = match choice {
            0..=3 => format!("{} = {};", self.place(), self.expression(3)),
            4 | 5 => {
                let op = self.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                format!("{} {op} {};", self.place(), self.expression(2))
            }
            6 => {
                let op = self.pick(&["<<=", ">>="]);
                format!("{} {op} ({} & 7);", self.place(), self.expression(2))
            }
            7 => {
                let op = self.pick(&["++", "--"]);
                let place = self.place();
                if self.random.percent(50) { format!("{place}{op};") } else { format!("{op}{place};") }
            }
            8 => format!("OUT({});", self.expression(3)),
            9 => {
                // An effect in a short circuit, on what nothing else in the statement uses.
                let op = self.pick(&["&&", "||"]);
                format!(
                    "{{ int once = {}; OUT(({} {op} once++) + 0); OUT(once); }}",
                    self.expression(1),
                    self.expression(2)
                )
            }
            10 => match self.random.below(5) {
                0 => "cursor = &grid[1][0];".to_owned(),
                1 => "which = which == &copy ? &records[1] : &copy;".to_owned(),
                2 => "copy = records[1];".to_owned(),
                3 => {
                    "{ int before = *cursor++; OUT(before); OUT(cursor - &grid[0][0]); cursor--; }".to_owned()
                }
                _ => "*which = records[0];".to_owned(),
            },
            11 if !self.inputs => {
                let op = self.pick(&["+", "-", "*", "/"]);
                format!(
                    "real = real {op} ({} % 50 + 0.5); single = single * 1.5f; if (real > 1e6 || real < -1e6) real = 2.25; OUT(real * 1000); OUT(single > real); if (single > 100) single = 0.3f;",
                    self.expression(1)
                )
            }
            11..=14 if depth > 0 => {
                let condition = self.expression(3);
                let _ = writeln!(self.text, "{margin}if ({condition}) {{");
                self.statement(indent + 1, depth - 1);
                let _ = writeln!(self.text, "{margin}}} else {{");
                self.statement(indent + 1, depth - 1);
                "}".to_owned()
            }
            11..=14 => "copy.b--;".to_owned(),
            15 | 16 => {
                let counter = format!("i{}", self.loops);
                self.loops += 1;
                let bound = self.random.between(1, 4);
                let _ = writeln!(
                    self.text,
                    "{margin}for (int {counter} = 0; {counter} < {bound}; {counter}++) {{"
                );
                self.locals.push(counter);
                self.statement(indent + 1, depth - 1);
                let condition = self.expression(2);
                let leave = self.pick(&["continue", "break"]);
                let _ = writeln!(self.text, "{margin}  if ({condition}) {leave};");
                self.statement(indent + 1, depth - 1);
                self.locals.pop();
                "}".to_owned()
            }
            17 => {
                let counter = format!("i{}", self.loops);
                self.loops += 1;
                let _ = writeln!(self.text, "{margin}int {counter} = {};", self.random.between(1, 4));
                let _ = writeln!(self.text, "{margin}while ({counter}-- > 0) {{");
                self.statement(indent + 1, depth - 1);
                "}".to_owned()
            }
            _ => {
                let value = self.expression(2);
                let _ = writeln!(self.text, "{margin}switch ({value} & 3) {{\n{margin}case 0:");
                self.statement(indent + 1, depth - 1);
                let _ = writeln!(self.text, "{margin}case 1: {{");
                self.statement(indent + 1, depth - 1);
                let _ = writeln!(self.text, "{margin}  break; }}\n{margin}default: {{");
                self.statement(indent + 1, depth - 1);
                "} }".to_owned()
            }
        };
        let _ = writeln!(self.text, "{margin}{text}");
    }
}
