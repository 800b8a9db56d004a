//! Programs that run on tests.
//!
//! The program begins with a choice: which test this is. After that there are three numbers besides what the program
//! has itself: the test, how far its input was read, and how far its expected output was printed. Inputs and expected
//! outputs of all tests lie one behind the other in tables that nothing writes, each text with an end of its own, so
//! that a position says which test it belongs to.
//!
//! What is printed is compared as it is printed ([`printed`]), in the statement that prints it: its arguments are
//! evaluated as part of that statement, and the comparison is a check behind it. At the end of the program nothing may
//! be missing. With `records`, nothing is compared, and what is printed is kept instead.

mod formats;
mod given;
mod numbers;
mod printed;

use model::{Binary, Command, Expr, Place, Scalar, StatementKind, StaticObject, StaticPlace};
use rustc_hash::FxHashMap;

use super::body::Body;
use super::homes::aligned;
use super::types::ScalarKind;
use super::{Home, Lowered, Lowering, MadeTests, Record, Refusal};
use crate::tests::{Conversion, END, Tests, normal, scan};
use crate::tree::{ExprId, FunctionId};

/// What lies behind the last text, so that whoever compares many bytes at once stays in the table.
const SPARE: usize = 32;

/// How often loops go round at most on a test that does not end.
const MOST_ROUNDS: i64 = 100;

/// A byte of a text, or its end.
const BYTE: Scalar = Scalar { bits: 16, signed: true };

/// How the tables and numbers of a program on tests lie in its memory.
#[derive(Debug)]
pub(super) struct Tested {
    /// Where the number of the test lies among the globals, how far its input was read, how far its output was
    /// printed, and whether the end of the input was met.
    pub(super) test: u32,
    read: u32,
    wrote: u32,
    met_end: u32,
    /// Where what is printed is kept, of how many bytes.
    pub(super) record: Option<(u32, u32)>,
    /// Where it is counted how often loops went round, if some test does not end.
    rounds: Option<u32>,
    tables: Tables,
}

/// Pointers to what the tests say.
#[derive(Debug, Default)]
struct Tables {
    /// By test, where its input and its expected output begin.
    inputs_start: i64,
    outputs_start: i64,
    inputs: i64,
    outputs: i64,
    /// The characters of the inputs alone.
    characters: i64,
    /// By test, `argc` and `argv`.
    counts: i64,
    words: i64,
    /// By test, 1 if it does not end.
    endless: i64,
    /// What `scanf` makes of the inputs, by conversion and position.
    scanned: FxHashMap<Conversion, i64>,
}

/// One entry of such a table: the value, how many characters are taken, how many of them are the text, and how it
/// went.
pub(super) const SCANNED: u32 = 24;

impl Lowering<'_> {
    /// Makes room for the numbers.
    pub(super) fn settle_tests(&mut self, end: &mut u32) {
        let Some(tests) = &self.tests else { return };
        let mut number = || aligned(end, 4, 4);
        let (test, read, wrote, met_end) = (number(), number(), number(), number());
        let longest = tests.all.iter().map(|test| test.expected.len()).max().unwrap_or(0);
        let room = (2 * longest + 256).min(1 << 16) as u32;
        let record = self.records.then(|| (aligned(end, room, 8), room));
        let rounds = tests.all.iter().any(|test| test.is_endless).then(|| aligned(end, 4, 4));
        self.tested = Some(Tested { test, read, wrote, met_end, record, rounds, tables: Tables::default() });
    }

    /// Writes the tables.
    pub(super) fn write_tests(&mut self) {
        let Some(tests) = self.tests.clone() else { return };
        let texts: Vec<Vec<u8>> = tests.all.iter().map(|test| normal(&test.expected)).collect();
        let inputs: Vec<&[u8]> = tests.all.iter().map(|test| &test.input[..]).collect();
        let outputs: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
        let characters: Vec<u8> = inputs.iter().flat_map(|text| text.iter().copied().chain([0])).collect();
        let mut tables = Tables {
            inputs_start: self.table(&starts(&inputs)),
            outputs_start: self.table(&starts(&outputs)),
            inputs: self.table(&with_ends(&inputs)),
            outputs: self.table(&with_ends(&outputs)),
            characters: self.table(&characters),
            endless: self.table(&tests.all.iter().map(|test| u8::from(test.is_endless)).collect::<Vec<u8>>()),
            ..Tables::default()
        };
        (tables.counts, tables.words) = self.words_of(&tests);
        if let Some(tested) = &mut self.tested {
            tested.tables = tables;
        }
    }

    /// `argc` and `argv` by test.
    fn words_of(&mut self, tests: &Tests) -> (i64, i64) {
        let name = self.program_name();
        let size = self.pointers.scalar.bytes() as usize;
        let (mut counts, mut arrays) = (Vec::new(), Vec::new());
        for test in &tests.all {
            let mut array = name.to_le_bytes()[..size].to_vec();
            for word in &test.arguments {
                let text: Vec<u8> = word.iter().copied().chain([0]).collect();
                array.extend_from_slice(&self.table(&text).to_le_bytes()[..size]);
            }
            array.extend(vec![0; size]);
            counts.extend_from_slice(&(1 + test.arguments.len() as i64).to_le_bytes());
            arrays.extend_from_slice(&self.table(&array).to_le_bytes());
        }
        (self.table(&counts), self.table(&arrays))
    }

    /// A pointer to bytes that nothing writes.
    fn table(&mut self, bytes: &[u8]) -> i64 {
        let start = self.globals.constants.len().next_multiple_of(8);
        self.globals.constants.resize(start, 0);
        self.globals.constants.extend_from_slice(bytes);
        let place = StaticPlace::Constant(start as u32);
        let size = bytes.len() as u32;
        let number = self.add_object(StaticObject { name: String::new(), place, size });
        self.pointers.pointer(number, 0)
    }

    /// What is told of the tests of the program that was made.
    pub(super) fn made_tests(&mut self) -> Option<MadeTests> {
        let (tests, tested) = (self.tests.as_ref()?, self.tested.as_ref()?);
        let record = tested.record.map(|(start, room)| Record { start, room, length: tested.wrote });
        Some(MadeTests {
            names: tests.all.iter().map(|test| test.name.clone()).collect(),
            choice: self.choice_of_test?,
            checks: std::mem::take(&mut self.output_checks).into_iter().collect(),
            ends: std::mem::take(&mut self.end_checks).into_iter().collect(),
            rounds: std::mem::take(&mut self.round_checks).into_iter().collect(),
            number: tested.test,
            record,
        })
    }

    /// The table of what a conversion makes of the inputs.
    fn scanned(&mut self, conversion: Conversion) -> i64 {
        let known = self.tested.as_ref().and_then(|tested| tested.tables.scanned.get(&conversion));
        if let Some(known) = known {
            return *known;
        }
        let tests = self.tests.clone().unwrap_or_default();
        let mut bytes = Vec::new();
        for test in &tests.all {
            for at in 0..=test.input.len() {
                let found = scan(&conversion, &test.input[at..]);
                bytes.extend_from_slice(&found.value.to_le_bytes());
                bytes.extend_from_slice(&found.taken.to_le_bytes());
                bytes.extend_from_slice(&found.length.to_le_bytes());
                bytes.extend_from_slice(&[found.status, u8::from(found.sees_end), 0, 0, 0, 0, 0, 0]);
            }
        }
        let table = self.table(&bytes);
        if let Some(tested) = &mut self.tested {
            tested.tables.scanned.insert(conversion, table);
        }
        table
    }
}

/// Where each of some texts begins, if each has an end behind it.
fn starts(texts: &[&[u8]]) -> Vec<u8> {
    let mut start = 0i64;
    let mut all = Vec::new();
    for text in texts {
        all.extend_from_slice(&start.to_le_bytes());
        start += text.len() as i64 + 1;
    }
    all
}

/// The texts one behind the other, each with an end.
fn with_ends(texts: &[&[u8]]) -> Vec<u8> {
    let one = |text: &&[u8]| -> Vec<i16> { text.iter().map(|byte| i16::from(*byte)).chain([END]).collect() };
    let all = texts.iter().flat_map(one).chain([END; SPARE]);
    all.flat_map(i16::to_le_bytes).collect()
}

impl Body<'_, '_> {
    /// Where the numbers of a program on tests lie; nothing if it does not run on tests.
    fn tested(&self) -> Option<&Tested> {
        self.lowering.tested.as_ref()
    }

    /// A number of those that every program on tests has.
    fn number_of_tests(&self, number: impl Fn(&Tested) -> u32) -> Place {
        Place::global(self.tested().map_or(0, number), Scalar::I32)
    }

    /// Chooses the test, at the beginning of the program.
    pub(super) fn choose_test(&mut self) {
        let (Some(tests), Some(_)) = (&self.lowering.tests, self.tested()) else { return };
        let (count, span) = (tests.all.len() as i64, self.lowering.tree[self.function].span);
        let left_out = (0..).zip(&tests.all).filter(|(_, test)| test.is_left_out).map(|(number, _)| number);
        let left_out: Vec<i64> = left_out.collect();
        if self.lowering.threads {
            let message = "tests are for programs of one thread".to_owned();
            self.lowering.refusals.push(Refusal { span, message });
        }
        self.statement = self.lowering.statement(span, StatementKind::Assumption, self.id);
        self.lowering.statements[self.statement as usize].text = "test".to_owned();
        self.lowering.choice_of_test = Some(self.statement);
        let test = self.number_of_tests(|tested| tested.test);
        let range = Some((Expr::Constant(0), Expr::Constant(count - 1)));
        self.emit(Command::Nondet { place: test.clone(), range });
        let below = Expr::binary(Binary::Less, Expr::Load(test.clone()), Expr::Constant(count));
        let above = Expr::binary(Binary::GreaterEqual, Expr::Load(test.clone()), Expr::Constant(0));
        self.emit(Command::Assume(Expr::AndAlso(Box::new(above), Box::new(below))));
        for number in left_out {
            let is_other = Expr::binary(Binary::NotEqual, Expr::Load(test.clone()), Expr::Constant(number));
            self.emit(Command::Assume(is_other));
        }
        let test = Expr::Load(test);
        for (number, start) in [
            (self.number_of_tests(|tested| tested.read), self.table_of(|tables| tables.inputs_start)),
            (self.number_of_tests(|tested| tested.wrote), self.table_of(|tables| tables.outputs_start)),
        ] {
            let start = match self.lowering.records && number == self.number_of_tests(|tested| tested.wrote) {
                true => Expr::Constant(0),
                false => entry(start, test.clone(), 8, 0, Scalar::I64),
            };
            self.set(&number, start);
        }
        self.boundary();
    }

    fn table_of(&self, table: impl Fn(&Tables) -> i64) -> i64 {
        self.tested().map_or(0, |tested| table(&tested.tables))
    }

    /// Gives `main` the words of the test.
    pub(super) fn words_of_test(&mut self) {
        let tree = self.lowering.tree;
        let test = Expr::Load(self.number_of_tests(|tested| tested.test));
        let (counts, words) = (self.table_of(|tables| tables.counts), self.table_of(|tables| tables.words));
        for (index, parameter) in tree[self.function].parameters.iter().enumerate() {
            let Home::Local { offset, .. } = self.lowering.homes[parameter.index()] else { continue };
            let object = &tree[*parameter];
            let (scalar, table) = match (self.lowering.kind(object.ty, object.span), index) {
                (Ok(ScalarKind::Int(scalar)), 0) => (scalar, counts),
                (Ok(ScalarKind::Pointer(scalar)), 1) => (scalar, words),
                (Ok(_), 2) => continue,
                _ => {
                    let message = "a parameter of `main` has another type than usual".to_owned();
                    self.lowering.refusals.push(Refusal { span: object.span, message });
                    continue;
                }
            };
            self.set(&Place::local(offset, scalar), entry(table, test.clone(), 8, 0, Scalar::I64));
        }
        self.boundary();
    }

    /// What checks the output, as a statement of its own within the one that prints: that one may be wrong, the check
    /// is not.
    fn checking(&mut self, check: impl FnOnce(&mut Self)) {
        self.within(StatementKind::Assertion, check);
    }

    /// What is done within a statement and is told as that, and is of another kind.
    fn within<R>(&mut self, kind: StatementKind, act: impl FnOnce(&mut Self) -> R) -> R {
        if !self.commands.is_empty() {
            self.cut();
        }
        let outer = self.statement;
        let (span, text) = match self.lowering.statements.get(outer as usize) {
            Some(statement) => (statement.span, statement.text.clone()),
            None => (self.lowering.tree[self.function].span, String::new()),
        };
        self.statement = self.lowering.statement(span, kind, self.id);
        self.lowering.statements[self.statement as usize].text = text;
        if kind == StatementKind::Assertion {
            self.lowering.output_checks.push(self.statement);
        }
        let result = act(self);
        if !self.commands.is_empty() {
            self.cut();
        }
        self.statement = outer;
        result
    }

    /// Ends the program, where it runs on tests: nothing may be missing in its output.
    pub(super) fn end_of_test(&mut self, last: Command) {
        let is_recording = self.lowering.records;
        let end = self.location();
        self.within(StatementKind::Assertion, |body| {
            body.lowering.end_checks.push(body.statement);
            if !is_recording {
                let is_end = Expr::binary(Binary::Equal, body.expected(0), Expr::Constant(i64::from(END)));
                body.emit(Command::Assert(is_end));
            }
            body.emit(last);
            body.flush(end, None);
        });
    }

    /// Counts how often loops go round and functions are called, on tests that do not end: one that goes round too often fails there.
    pub(super) fn count_round(&mut self) {
        let Some(tested) = self.tested() else { return };
        let (Some(rounds), endless) = (tested.rounds, tested.tables.endless) else { return };
        self.within(StatementKind::Assertion, |body| {
            body.lowering.round_checks.push(body.statement);
            let rounds = Place::global(rounds, Scalar::I32);
            let test = Expr::Load(body.number_of_tests(|tested| tested.test));
            let has_more =
                Expr::binary(Binary::Less, Expr::Load(rounds.clone()), Expr::Constant(MOST_ROUNDS));
            body.emit(Command::Assert(has_more));
            let more = entry(endless, test, 1, 0, Scalar::U8);
            body.set(&rounds, Expr::binary(Binary::Add, Expr::Load(rounds.clone()), more));
        });
    }

    /// The same for a call of the function.
    pub(super) fn count_call(&mut self) {
        if self.tested().is_some_and(|tested| tested.rounds.is_some()) {
            let function = &self.lowering.tree[self.function];
            self.statement = self.lowering.statement(function.span, StatementKind::Assertion, self.id);
            self.lowering.statements[self.statement as usize].text = format!("call of {}", function.name);
            self.count_round();
            self.boundary();
        }
    }

    /// Whether the function is the one that the program on tests begins and ends with.
    pub(super) fn ends_test(&self) -> bool {
        self.tested().is_some() && self.function == self.lowering.tree.entry
    }

    /// Refuses calls of the function that programs on tests begin with.
    pub(super) fn refuse_entry(&self, call: ExprId, function: FunctionId) -> Lowered<()> {
        if self.tested().is_some() && function == self.lowering.tree.entry {
            let name = &self.lowering.tree[function].name;
            let message = format!("tests are for programs in which nothing calls `{name}`");
            return self.lowering.refuse(self.lowering.tree[call].span, message);
        }
        Ok(())
    }

    /// The byte of the expected output that is so far from what was printed last.
    fn expected(&self, further: i64) -> Expr {
        let at = Expr::Load(self.number_of_tests(|tested| tested.wrote));
        entry(self.table_of(|tables| tables.outputs), at, 2, 2 * further, BYTE)
    }
}

/// What a table holds at an index.
fn entry(table: i64, index: Expr, stride: i64, offset: i64, scalar: Scalar) -> Expr {
    let distance = Expr::binary(Binary::Multiply, index, Expr::Constant(stride));
    let at = Expr::binary(Binary::Add, Expr::Constant(table + offset), distance);
    Expr::Deref(scalar, Box::new(at))
}
