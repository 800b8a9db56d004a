//! From the typed tree to a program of the common model.
//!
//! Variables get their homes first ([`homes`]), then every function becomes an automaton ([`body`]):
//! statements give it its shape, expressions are taken apart as far as they have effects. What cannot be
//! run is refused by name and place, once for each place.

mod arguments;
mod arithmetic;
mod assignments;
mod body;
mod builtins;
mod calls;
mod conversions;
mod expressions;
mod externals;
mod finish;
mod homes;
mod initial;
mod inputs;
mod library;
mod places;
mod races;
mod reading;
mod shared;
mod statements;
mod switches;
mod tested;
mod texts;
mod threads;
mod types;
mod unwritten;

use std::collections::BTreeSet;
use std::sync::Arc;

use model::{Globals, Pointers, Program, Statement, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

use crate::Options;
use crate::tests::Tests;
use crate::tree::{self, ExprId, FunctionId, ObjectId, Type};
use body::Body;
pub(crate) use conversions::is_truth;
pub(crate) use homes::Home;

/// Where globals begin in a state; before them lies what the machine keeps for itself.
pub(crate) const GLOBALS: u32 = 16;
/// Where variables begin in a frame.
pub(crate) const FRAME: u32 = 8;

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) span: Span,
    pub(crate) message: String,
}

pub(crate) type Lowered<T> = Result<T, Refusal>;

/// The program, and what is needed to tell people about it.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) program: Program,
    /// Where every object of the tree is, by its number.
    pub(crate) homes: Vec<Home>,
    /// The function of the tree that each function of the program was made of.
    pub(crate) origins: Vec<FunctionId>,
    /// The functions of the library that inputs are taken from.
    pub(crate) sources: Vec<Box<str>>,
    pub(crate) tests: Option<MadeTests>,
}

/// What is known of a program that runs on tests.
#[derive(Debug)]
pub(crate) struct MadeTests {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// The statement that chooses the test, and those that check the output.
    pub(crate) choice: u32,
    pub(crate) checks: BTreeSet<u32>,
    /// Those of the latter where the program ends.
    pub(crate) ends: BTreeSet<u32>,
    /// Those that count how often a loop goes round.
    pub(crate) rounds: BTreeSet<u32>,
    /// Where the number of the test lies among the globals.
    pub(crate) number: u32,
    /// Where what is printed is kept, and how far it goes, where it is not compared.
    pub(crate) record: Option<Record>,
}

/// Where what is printed is kept among the globals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) start: u32,
    pub(crate) room: u32,
    /// Where it is said how many bytes there are.
    pub(crate) length: u32,
}

struct Lowering<'t> {
    tree: &'t tree::Program,
    pointers: Pointers,
    threads: bool,
    homes: Vec<Home>,
    globals: Globals,
    /// The objects of string literals and functions, by number in the tree.
    strings: Vec<u32>,
    function_objects: Vec<u32>,
    /// The functions that have a body, by number in the tree.
    functions: Vec<Option<model::FunctionId>>,
    statements: Vec<Statement>,
    ranges: FxHashMap<ExprId, inputs::Range>,
    /// The variables that may be read before they are written.
    unwritten: FxHashSet<ObjectId>,
    /// Where `strtok` keeps among the globals how far it came, if it is called.
    token_state: Option<u32>,
    files: reading::Files,
    /// What `main` is started with.
    words: Option<arguments::Words>,
    /// The functions of the library that inputs are taken from.
    sources: BTreeSet<Box<str>>,
    refusals: Vec<Refusal>,
    checks_overflow: bool,
    checks_races: bool,
    /// All values of inputs of at most so many bits are tried.
    input_bits: u8,
    /// The function that must not be called, if it is not the usual ones.
    error: Option<&'t str>,
    /// The tests that the program runs on, and how they lie in its memory.
    tests: Option<Arc<Tests>>,
    tested: Option<tested::Tested>,
    /// Whether what is printed is kept and not compared.
    records: bool,
    /// The statement that chooses the test, and those that check the output.
    choice_of_test: Option<u32>,
    output_checks: Vec<u32>,
    end_checks: Vec<u32>,
    round_checks: Vec<u32>,
}

/// Functions that start threads.
const STARTERS: [&str; 2] = ["pthread_create", "thrd_create"];

pub(crate) fn lower(tree: &tree::Program, options: &Options) -> Result<Made, Vec<Refusal>> {
    let starts_threads =
        |function: &tree::Function| function.body.is_none() && STARTERS.contains(&&*function.name);
    let mut lowering = Lowering {
        tree,
        pointers: Pointers::of_bits(tree.types.data_model().pointer_bits()),
        threads: tree.functions.iter().any(starts_threads),
        homes: Vec::new(),
        globals: Globals { start: GLOBALS, ..Globals::default() },
        strings: Vec::new(),
        function_objects: Vec::new(),
        functions: Vec::new(),
        statements: Vec::new(),
        ranges: inputs::ranges(tree),
        unwritten: unwritten::unwritten(tree),
        token_state: None,
        files: reading::Files::default(),
        words: None,
        sources: BTreeSet::new(),
        refusals: Vec::new(),
        checks_overflow: options.overflow,
        checks_races: options.races,
        input_bits: options.input_bits,
        error: options.error.as_deref(),
        tests: options.tests.clone(),
        tested: None,
        records: options.records,
        choice_of_test: None,
        output_checks: Vec::new(),
        end_checks: Vec::new(),
        round_checks: Vec::new(),
    };
    lowering.number_functions();
    lowering.settle_objects();
    lowering.write_tests();
    lowering.initialise();
    let mut functions = Vec::new();
    let mut origins = Vec::new();
    for function in tree.function_ids() {
        if let Some(id) = lowering.functions[function.index()] {
            functions.push(Body::new(&mut lowering, function, id).lower());
            origins.push(function);
        }
    }
    let entry = lowering.functions[tree.entry.index()];
    let Some(entry) = entry.filter(|_| lowering.refusals.is_empty()) else {
        if entry.is_none() {
            let message = format!("`{}` has no body", tree[tree.entry].name);
            lowering.refusals.push(Refusal { span: tree[tree.entry].span, message });
        }
        lowering.refusals.sort_by_key(|refusal| refusal.span);
        lowering.refusals.dedup();
        // A function that is not known is told once, and not for every call.
        let mut unknown = BTreeSet::new();
        lowering.refusals.retain(|refusal| {
            !refusal.message.starts_with(calls::UNKNOWN) || unknown.insert(refusal.message.clone())
        });
        return Err(lowering.refusals);
    };
    let tests = lowering.made_tests();
    let program = Program {
        functions,
        entry,
        globals: lowering.globals,
        statements: lowering.statements,
        pointers: lowering.pointers,
        threads: lowering.threads,
    };
    let sources = lowering.sources.into_iter().collect();
    Ok(Made { program, homes: lowering.homes, origins, sources, tests })
}

impl Lowering<'_> {
    fn number_functions(&mut self) {
        let mut next = 0;
        for function in &self.tree.functions {
            let id = function.body.is_some().then(|| {
                next += 1;
                model::FunctionId(next - 1)
            });
            self.functions.push(id);
        }
    }

    fn refuse<T>(&self, span: Span, message: impl Into<String>) -> Lowered<T> {
        Err(Refusal { span, message: message.into() })
    }

    /// Whether the program looks at `errno`.
    fn has_errno(&self) -> bool {
        self.tree.objects.iter().any(|object| object.name.as_deref() == Some("errno"))
    }

    /// Whether the program calls a function of the library.
    fn calls(&self, name: &str) -> bool {
        self.tree.functions.iter().any(|function| function.body.is_none() && &*function.name == name)
    }

    fn statement(&mut self, span: Span, kind: StatementKind, function: model::FunctionId) -> u32 {
        let text = self.tree.text(span);
        self.statements.push(Statement { text, span, kind, function });
        self.statements.len() as u32 - 1
    }

    fn ty(&self, id: tree::TypeId) -> Type {
        self.tree.types.get(id)
    }
}
