//! What is known of vectors that are pointers: which objects they may point into, and how far in.
//!
//! A pointer is a number, and as bits it is correct; but bits do not tell that two objects are all it can
//! point to. So for every vector that was made by choosing between pointers or by moving one, the parts are
//! remembered, as in the value sets of bounded model checkers (Clarke, Kroening and Lerda 2004): objects, each
//! with the literal that says when it is this one, and one offset. The vector itself is the key, so whoever reads
//! it back from memory finds them again. What is remembered is always true of the number; where nothing is, the
//! bits have to do.

use std::rc::Rc;

use model::Pointers;
use rustc_hash::FxHashMap;

use super::Circuit;
use crate::bits::{Bits, WIDEST};
use crate::solver::Literal;
use crate::value::Value;

/// How many objects are kept apart; pointers to more are known by their bits only.
const MOST_TARGETS: usize = 256;

/// A pointer, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Pointing {
    /// Objects in order, with the literals that say which it is: exactly one is true.
    pub(crate) targets: Vec<(u32, Literal)>,
    pub(crate) offset: Value,
}

#[derive(Debug, Default)]
pub(crate) struct PointerTable {
    form: Option<Pointers>,
    known: FxHashMap<Box<[Literal]>, Rc<Pointing>>,
}

impl PointerTable {
    pub(crate) fn width(&self) -> Option<usize> {
        self.form.map(|form| usize::from(form.scalar.bits))
    }
}

impl Circuit<'_> {
    /// From now on pointers are numbers of this form.
    pub(crate) fn use_pointers(&mut self, form: Pointers) {
        self.pointers.form = Some(form);
    }

    /// What a number points to, as far as that is known.
    pub(crate) fn pointing(&self, value: &Value) -> Option<Rc<Pointing>> {
        let form = self.pointers.form?;
        if let Some(number) = value.known() {
            let (object, offset) = form.split(number);
            let targets = vec![(object, Literal::TRUE)];
            return Some(Rc::new(Pointing { targets, offset: Value::constant(offset) }));
        }
        let key = value.resize(self.pointers.width()?);
        self.pointers.known.get(key.literals()).cloned()
    }

    /// A number was moved by another one.
    pub(crate) fn note_moved(&mut self, one: &Value, by: &Value, back: bool, demand: usize, sum: &Value) {
        let Some(width) = self.pointers.width() else { return };
        if demand < width || sum.known().is_some() {
            return;
        }
        let points = |circuit: &Self, value: &Value| {
            circuit.pointing(value).filter(|pointing| pointing.targets.iter().any(|(object, _)| *object != 0))
        };
        let (pointing, by) = match points(self, one) {
            Some(pointing) => (pointing, by),
            None if back => return,
            None => match points(self, by) {
                Some(pointing) => (pointing, one),
                None => return,
            },
        };
        // A number of as many bits as pointers have moves them backwards if its top bit is set.
        let by = Value::new(by.resize(width), true);
        let operator = if back { model::Binary::Subtract } else { model::Binary::Add };
        let form = self.pointers.form.take();
        let offset = self.binary(operator, &pointing.offset, &by, WIDEST);
        self.pointers.form = form;
        self.remember(sum, Pointing { targets: pointing.targets.clone(), offset });
    }

    /// One of two numbers was chosen.
    pub(crate) fn note_choice(&mut self, condition: Literal, yes: &Value, no: &Value, result: &Value) {
        let Some(width) = self.pointers.width() else { return };
        if result.bits().width() > width || result.known().is_some() || condition.known().is_some() {
            return;
        }
        let (Some(yes), Some(no)) = (self.pointing(yes), self.pointing(no)) else { return };
        let nowhere = |pointing: &Pointing| pointing.targets.iter().all(|(object, _)| *object == 0);
        if nowhere(&yes) && nowhere(&no) {
            return;
        }
        let mut objects: Vec<u32> =
            yes.targets.iter().chain(&no.targets).map(|(object, _)| *object).collect();
        objects.sort_unstable();
        objects.dedup();
        if objects.len() > MOST_TARGETS {
            return;
        }
        let when = |pointing: &Pointing, object: u32| {
            let at = pointing.targets.binary_search_by_key(&object, |(object, _)| *object);
            at.map_or(Literal::FALSE, |at| pointing.targets[at].1)
        };
        let targets = objects
            .into_iter()
            .map(|object| (object, self.choose(condition, when(&yes, object), when(&no, object))))
            .filter(|(_, literal)| *literal != Literal::FALSE)
            .collect();
        let form = self.pointers.form.take();
        let offset = self.choose_value(condition, &yes.offset, &no.offset);
        self.pointers.form = form;
        self.remember(result, Pointing { targets, offset });
    }

    /// The same, of words in memory.
    pub(crate) fn note_words(
        &mut self,
        condition: Literal,
        yes: &[Literal],
        no: &[Literal],
        result: &[Literal],
    ) {
        let value = |literals: &[Literal]| Value::new(Bits::new(literals.iter().copied()), false);
        self.note_choice(condition, &value(yes), &value(no), &value(result));
    }

    fn remember(&mut self, value: &Value, pointing: Pointing) {
        let Some(width) = self.pointers.width() else { return };
        let key = value.resize(width).literals().into();
        self.pointers.known.entry(key).or_insert_with(|| Rc::new(pointing));
    }
}
