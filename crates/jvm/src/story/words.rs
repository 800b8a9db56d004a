//! What a place of a program is called: the user's line.

use source::Location;

use crate::code::Op;
use crate::model::Model;
use crate::value::MethodId;
use crate::world::World;

/// Longer lines are cut.
const MOST: usize = 60;

impl Model {
    /// Where an operation stands in the user's text.
    pub(crate) fn location(&self, world: &World, method: MethodId, op: u32) -> Option<Location> {
        let class = world.class(world.method(method).class);
        let file = class.source.as_deref()?;
        let line = u64::from(world.line(method, op));
        let source = self.sources.iter().find(|source| source.is_of(file));
        let text = source.and_then(|source| source.line(line)).unwrap_or_default();
        let column = text.chars().take_while(|c| c.is_whitespace()).count() as u64 + 1;
        let file = source.map_or(file, |source| source.path.as_str()).to_owned();
        Some(Location { file, line, column, text: text.trim_end().to_owned(), calls: Vec::new() })
    }

    /// The line of an operation, without blanks around it.
    pub(crate) fn line_text(&self, world: &World, method: MethodId, op: u32) -> String {
        let text = self.location(world, method, op).map_or_else(String::new, |location| location.text);
        let text = text.trim();
        let text = text.split_once("//").map_or(text, |(code, _)| code.trim_end());
        if text.is_empty() {
            let of = world.method(method);
            let class = world.class(of.class).name.replace('/', ".");
            return format!("{class}.{}", of.name);
        }
        let text = text.trim_end_matches([';', '{', ' ']);
        if text.chars().count() > MOST {
            return text.chars().take(MOST - 4).collect::<String>() + " ...";
        }
        text.to_owned()
    }

    /// What a step from a place does.
    pub(crate) fn words(&self, world: &World, place: (MethodId, u32)) -> String {
        let (method, op) = place;
        self.line_text(world, method, op)
    }
}

/// What a step from a place does with the value it reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is read and goes into what is computed.
    Taken,
    /// It is written, from what was computed.
    Given,
    /// It is read to decide where to go on, or something else is done.
    Other,
}

/// What becomes of the value that the operation at a place reads or writes.
pub(crate) fn use_at(world: &World, place: (MethodId, u32)) -> Use {
    let Some(linked) = world.method(place.0).code.as_ref() else { return Use::Other };
    let ops = linked.code.ops.get(place.1 as usize..).unwrap_or_default();
    match ops.first() {
        Some(Op::GetField(_) | Op::GetStatic(_) | Op::ArrayLoad(_)) => {}
        Some(Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore(_)) => return Use::Given,
        _ => return Use::Other,
    }
    let decides = ops[1..].iter().find_map(|op| match op {
        Op::If(..) | Op::IfInts(..) | Op::IfRefs(..) | Op::IfNull(..) | Op::Switch(_) => Some(true),
        Op::PutField(_)
        | Op::PutStatic(_)
        | Op::ArrayStore(_)
        | Op::Store(_)
        | Op::Invoke(..)
        | Op::Return(_)
        | Op::InvokeDynamic(_)
        | Op::Throw => Some(false),
        _ => None,
    });
    if decides == Some(false) { Use::Taken } else { Use::Other }
}
