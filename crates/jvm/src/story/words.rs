//! What a place of a program is called: the user's line, and what is done to which field there.

use source::Location;

use crate::code::{Mention, Op};
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
        if text.chars().count() > MOST {
            return text.chars().take(MOST - 4).collect::<String>() + " ...";
        }
        text.to_owned()
    }

    /// What a step from a place does.
    pub(crate) fn words(&self, world: &World, place: (MethodId, u32)) -> String {
        let (method, op) = place;
        let text = self.line_text(world, method, op);
        let code = world.method(method).code.as_ref();
        let doing = code.and_then(|linked| linked.code.ops.get(op as usize)).and_then(|op| doing(world, *op));
        match doing {
            Some(doing) => format!("{text}: {doing}"),
            None => text,
        }
    }
}

/// What an operation does to a variable, if that is all it does.
fn doing(world: &World, op: Op) -> Option<String> {
    // Sites and what they mention have the same numbers.
    let name = |site: u32| match world.mentions.get(site as usize) {
        Some(Mention::Member(member)) => Some(member.name.clone()),
        _ => None,
    };
    Some(match op {
        Op::GetField(site) | Op::GetStatic(site) => format!("reads {}", name(site)?),
        Op::PutField(site) | Op::PutStatic(site) => format!("writes {}", name(site)?),
        Op::ArrayLoad(_) => "reads an element".to_owned(),
        Op::ArrayStore(_) => "writes an element".to_owned(),
        _ => return None,
    })
}
