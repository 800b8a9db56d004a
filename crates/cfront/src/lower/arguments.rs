//! The words that a program is started with.
//!
//! `argc` is an input, and so are the words in `argv`. Where the text only makes numbers of them, by `atoi`
//! and the like, or prints them, each such number is an input, and nobody asks for characters. Otherwise the
//! characters are inputs that are taken before `main` begins; what happens with a longer word is not known,
//! and never said to be.

use model::{
    Binary, Builtin, Command, Expr, Layout, Place, Scalar, StatementKind, StaticObject, StaticPlace,
};

use super::body::Body;
use super::homes::aligned;
use super::inputs::{constant, unconverted};
use super::library::is_ignored;
use super::types::ScalarKind;
use super::{Home, Lowered, Lowering, Refusal};
use crate::tree::{Callee, ExprId, ExprKind, ObjectId, PlaceId, PlaceKind, Program, StmtKind};

/// `argc` is tried up to this at least, whatever the text compares it with.
const FEWEST: i64 = 3;
/// And no further than this, with and without characters.
const MOST: i64 = 4096;
const MOST_WITH_CHARACTERS: i64 = 16;
/// Constants in comparisons up to this are taken for numbers of words, where `argc` is handed on.
const LIKELY_COUNT: i64 = 64;
/// How many characters a word may have.
const LONGEST: u32 = 8;

/// Functions that make a number of a word.
const PARSERS: [&str; 3] = ["atoi", "atol", "atoll"];
/// The same, if nobody asks where the number ends.
const PARSERS_WITH_END: [&str; 4] = ["strtol", "strtoul", "strtoll", "strtoull"];

/// Where the words lie.
#[derive(Debug)]
pub(super) struct Words {
    argv: Option<ObjectId>,
    /// The largest `argc`.
    most: u32,
    /// Where `argv` begins among the globals, and its number as an object.
    array: u32,
    number: u32,
    /// Where the characters of each word but the first begin, if they matter, and its number as an object.
    texts: Vec<(Option<u32>, u32)>,
}

/// The parameters of `main`, if the text mentions them.
pub(super) fn parameters(tree: &Program) -> Option<(ObjectId, Option<ObjectId>)> {
    let main = &tree[tree.entry];
    let mut parameters = main.parameters.iter().copied();
    let (argc, argv) = (parameters.next()?, parameters.next());
    let is_used = mentions(tree, argc) > 0 || argv.is_some_and(|argv| mentions(tree, argv) > 0);
    (&*main.name == "main" && is_used).then_some((argc, argv))
}

fn mentions(tree: &Program, object: ObjectId) -> usize {
    tree.places.iter().filter(|place| is_variable(place.kind, object)).count()
}

fn is_variable(kind: PlaceKind, object: ObjectId) -> bool {
    matches!(kind, PlaceKind::Variable(other) if other == object)
}

fn loads(tree: &Program, expr: ExprId, object: ObjectId) -> bool {
    match tree[unconverted(tree, expr)].kind {
        ExprKind::Load { place, .. } => is_variable(tree[place].kind, object),
        _ => false,
    }
}

/// Whether an expression is a word of which nothing is known.
fn is_word(tree: &Program, expr: ExprId, argv: ObjectId) -> bool {
    let ExprKind::Load { place, .. } = tree[unconverted(tree, expr)].kind else { return false };
    indexed(tree, place, argv).is_some_and(|index| !is_name(tree, index))
}

/// Whether it is the first word, the name of the program.
fn is_name(tree: &Program, index: Option<ExprId>) -> bool {
    index.is_none_or(|index| constant(tree, index) == Some(0))
}

/// The index of a place in the array of words; nothing if it is elsewhere, and no index for the first of
/// them.
fn indexed(tree: &Program, place: PlaceId, argv: ObjectId) -> Option<Option<ExprId>> {
    match tree[place].kind {
        PlaceKind::Element { pointer, index } if loads(tree, pointer, argv) => Some(Some(index)),
        PlaceKind::Deref(pointer) if loads(tree, pointer, argv) => Some(None),
        PlaceKind::Deref(pointer) => match tree[unconverted(tree, pointer)].kind {
            ExprKind::PointerAdd { pointer, index, .. } if loads(tree, pointer, argv) => Some(Some(index)),
            _ => None,
        },
        _ => None,
    }
}

/// The word that a call makes a number of, if only the number matters.
pub(super) fn parsed_word(tree: &Program, call: ExprId, argv: ObjectId) -> Option<ExprId> {
    let ExprKind::Call { callee: Callee::Direct(function), arguments } = &tree[call].kind else {
        return None;
    };
    let name = &*tree[*function].name;
    let is_open = tree[*function].body.is_none();
    let text = match &arguments[..] {
        [text] if PARSERS.contains(&name) => text,
        [text, end, _] if PARSERS_WITH_END.contains(&name) && constant(tree, *end) == Some(0) => text,
        _ => return None,
    };
    (is_open && is_word(tree, *text, argv)).then_some(*text)
}

/// Whether the text does something with words that depends on their characters.
fn characters_matter(tree: &Program, argv: ObjectId) -> bool {
    let is_word = |expr: &ExprId| is_word(tree, *expr, argv);
    let mut known = 0;
    for id in (0..tree.exprs.len() as u32).map(ExprId) {
        known += match &tree[id].kind {
            ExprKind::Call { callee: Callee::Direct(function), arguments } => {
                let function = &tree[*function];
                if function.body.is_none() && is_ignored(&function.name) {
                    arguments.iter().filter(|argument| is_word(argument)).count()
                } else {
                    usize::from(parsed_word(tree, id, argv).is_some())
                }
            }
            &ExprKind::Compare { left, right, .. } => {
                let is_null = |expr: ExprId| constant(tree, expr) == Some(0);
                usize::from(is_word(&left) && is_null(right) || is_null(left) && is_word(&right))
            }
            ExprKind::Load { place, .. } => {
                usize::from(indexed(tree, *place, argv).is_some_and(|index| is_name(tree, index)))
            }
            _ => 0,
        };
    }
    known != mentions(tree, argv)
}

/// How many times `argc` occurs in an expression, and the sum of the numbers in it.
fn numbers(tree: &Program, expr: ExprId, argc: ObjectId) -> (usize, i64) {
    if loads(tree, expr, argc) {
        return (1, 0);
    }
    if let Some(number) = constant(tree, expr) {
        return (0, number.saturating_abs());
    }
    match tree[expr].kind {
        ExprKind::Convert { operand, .. } | ExprKind::Unary { operand, .. } => numbers(tree, operand, argc),
        ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
            let (one, other) = (numbers(tree, left, argc), numbers(tree, right, argc));
            (one.0 + other.0, one.1.saturating_add(other.1))
        }
        _ => (0, 0),
    }
}

/// One more than the largest number that the text compares `argc` with or looks up in `argv`.
fn most_words(tree: &Program, argc: ObjectId, argv: Option<ObjectId>) -> i64 {
    let (mut largest, mut likely, mut compared) = (FEWEST - 1, 0, 0);
    for id in (0..tree.exprs.len() as u32).map(ExprId) {
        if let ExprKind::Compare { .. } = tree[id].kind {
            let (times, number) = numbers(tree, id, argc);
            compared += times;
            if times > 0 {
                largest = largest.max(number);
            }
            if number <= LIKELY_COUNT {
                likely = likely.max(number);
            }
        }
    }
    for place in (0..tree.places.len() as u32).map(PlaceId) {
        let index = argv.and_then(|argv| indexed(tree, place, argv)).flatten();
        if let Some(index) = index {
            let (times, number) = numbers(tree, index, argc);
            compared += times;
            largest = largest.max(number);
        }
    }
    for stmt in &tree.stmts {
        if let StmtKind::Switch { value, cases, .. } = &stmt.kind {
            let numbers = cases.iter().map(|case| case.high.clamp(0, i128::from(MOST)) as i64);
            let highest = numbers.max().unwrap_or(0);
            if loads(tree, *value, argc) {
                compared += 1;
                largest = largest.max(highest);
            } else if highest <= LIKELY_COUNT {
                likely = likely.max(highest);
            }
        }
    }
    // Handed on, it may be compared with anything.
    if compared < mentions(tree, argc) {
        largest = largest.max(likely);
    }
    largest.saturating_add(1)
}

impl Lowering<'_> {
    /// Makes room for the words, if the text mentions them.
    pub(super) fn settle_words(&mut self, layout: &mut Layout, constants: &mut u32) {
        let tree = self.tree;
        let Some((argc, argv)) = parameters(tree) else { return };
        let with_characters = argv.is_some_and(|argv| characters_matter(tree, argv));
        let limit = if with_characters { MOST_WITH_CHARACTERS } else { MOST };
        let most = most_words(tree, argc, argv).min(limit) as u32;
        let size = (most + 1) * self.pointers.scalar.bytes();
        let array = aligned(&mut layout.size, size, 8);
        let place = StaticPlace::Global(array);
        let number = self.add_object(StaticObject { name: "argv".to_owned(), place, size });
        let texts = (1..most).map(|index| {
            let (size, start) = match with_characters {
                true => (LONGEST + 1, Some(aligned(&mut layout.size, LONGEST + 1, 1))),
                false => (1, None),
            };
            let place = match start {
                Some(start) => StaticPlace::Global(start),
                None => StaticPlace::Constant(aligned(constants, size, 1)),
            };
            (start, self.add_object(StaticObject { name: format!("argv[{index}]"), place, size }))
        });
        let texts = texts.collect();
        self.words = Some(Words { argv, most, array, number, texts });
    }
}

impl Words {
    /// The array, if only numbers are made of its words.
    fn made_numbers_of(&self) -> Option<ObjectId> {
        self.argv.filter(|_| self.texts.iter().all(|(start, _)| start.is_none()))
    }
}

impl Body<'_, '_> {
    /// Gives `main` its arguments.
    pub(super) fn program_arguments(&mut self) {
        let tree = self.lowering.tree;
        let parameters: Vec<ObjectId> = tree[self.function].parameters.clone();
        let Some(words) = self.lowering.words.take() else { return self.no_words(&parameters) };
        for more in parameters.iter().skip(2).filter(|more| mentions(tree, **more) > 0) {
            let message = "what the environment of a program holds is not known here".to_owned();
            self.lowering.refusals.push(Refusal { span: tree[*more].span, message });
        }
        self.lowering.sources.insert("argc".into());
        let count = Place::local(self.temporary_block(8), Scalar::I32);
        let range = Some((Expr::Constant(1), Expr::Constant(i64::from(words.most))));
        self.emit(Command::Nondet { place: count.clone(), range });
        let (pointers, scalar) = (self.lowering.pointers, self.lowering.pointers.scalar);
        for (index, parameter) in parameters.iter().enumerate().take(2) {
            let object = &tree[*parameter];
            let Home::Local { offset, .. } = self.lowering.homes[parameter.index()] else { continue };
            match (self.lowering.kind(object.ty, object.span), index) {
                (Ok(ScalarKind::Int(scalar)), 0) => {
                    self.emit(Command::Set(Place::local(offset, scalar), Expr::Load(count.clone())));
                }
                (Ok(ScalarKind::Pointer(scalar)), 1) => {
                    let pointer = Expr::Constant(pointers.pointer(words.number, 0));
                    self.emit(Command::Set(Place::local(offset, scalar), pointer));
                }
                _ => {
                    let message = "a parameter of `main` has another type than usual".to_owned();
                    self.lowering.refusals.push(Refusal { span: object.span, message });
                }
            }
        }
        let slot = |index: u32| Place::global(words.array + index * scalar.bytes(), scalar);
        let name = self.lowering.program_name();
        self.emit(Command::Set(slot(0), Expr::Constant(name)));
        let is_there = |index: u32| {
            Expr::binary(Binary::Less, Expr::Constant(i64::from(index)), Expr::Load(count.clone()))
        };
        for (index, (_, number)) in (1..).zip(&words.texts) {
            let pointer = Expr::Constant(pointers.pointer(*number, 0));
            let value =
                Expr::Choose(Box::new(is_there(index)), Box::new(pointer), Box::new(Expr::Constant(0)));
            self.emit(Command::Set(slot(index), value));
        }
        for (index, (start, _)) in (1..).zip(&words.texts) {
            if let Some(start) = start {
                self.characters(index, *start, parameters.first().copied());
            }
        }
        self.boundary();
        self.lowering.words = Some(words);
    }

    /// Takes the characters of a word one by one, if it is there.
    fn characters(&mut self, word: u32, start: u32, argc: Option<ObjectId>) {
        let tree = self.lowering.tree;
        let Some(Home::Local { offset, .. }) = argc.map(|argc| self.lowering.homes[argc.index()]) else {
            return;
        };
        let count = Expr::Load(Place::local(offset, Scalar::I32));
        let span = tree[self.function].span;
        let end = self.location();
        for index in 0..=LONGEST {
            let next = self.location();
            self.boundary();
            self.statement = self.lowering.statement(span, StatementKind::Other, self.id);
            self.lowering.statements[self.statement as usize].text = format!("argv[{word}][{index}]");
            if index == 0 {
                let is_there = Expr::binary(Binary::Less, Expr::Constant(i64::from(word)), count.clone());
                let inside = self.location();
                self.split(is_there, inside, end);
                self.at = inside;
            }
            let character = Place::global(start + index, Scalar::U8);
            self.emit(Command::Nondet {
                place: character.clone(),
                range: Some((Expr::Constant(0), Expr::Constant(255))),
            });
            self.split(Expr::Load(character), next, end);
            self.at = next;
        }
        self.boundary();
        self.give_up("a word in `argv` may be longer than 8 characters");
        self.flush(end, None);
        self.at = end;
    }

    /// The arguments of a `main` that mentions none of them.
    fn no_words(&mut self, parameters: &[ObjectId]) {
        let tree = self.lowering.tree;
        for parameter in parameters.iter().take(1) {
            let object = &tree[*parameter];
            if let (Home::Local { offset, .. }, Ok(ScalarKind::Int(scalar))) =
                (self.lowering.homes[parameter.index()], self.lowering.kind(object.ty, object.span))
            {
                self.emit(Command::Set(Place::local(offset, scalar), Expr::Constant(1)));
            }
        }
    }

    /// From here on nothing is known.
    pub(super) fn give_up(&mut self, reason: &'static str) {
        self.emit(Command::Builtin { which: Builtin::GiveUp(reason), arguments: Vec::new(), result: None });
    }

    /// The number that a call makes of a word, as an input; nothing if it is another call.
    pub(super) fn number_of_word(&mut self, id: ExprId) -> Lowered<Option<Expr>> {
        let Some(argv) = self.lowering.words.as_ref().and_then(Words::made_numbers_of) else {
            return Ok(None);
        };
        let Some(text) = parsed_word(self.lowering.tree, id, argv) else { return Ok(None) };
        // A word that is not there is noticed.
        let text = self.value(text)?;
        let place = self.temporary();
        self.emit(Command::Set(place, Expr::Deref(Scalar::U8, Box::new(text))));
        self.lowering.sources.insert("argv".into());
        self.input(id).map(Some)
    }
}
