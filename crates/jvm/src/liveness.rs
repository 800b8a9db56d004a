//! Which variables of a method are read later.
//!
//! A variable that is never read again must not make states different, so it is left out of them. Backwards through
//! the code until nothing changes; a handler is a successor of everything it covers.

use std::sync::Arc;

use crate::code::{Code, Kind, Op};
use crate::value::MethodId;
use crate::world::{Origin, World};

/// Variables with a number from here on count as read.
const MOST: u16 = 64;

impl World {
    /// The variables that are read at or behind each operation of a method, as bits.
    pub(crate) fn live(&mut self, method: MethodId) -> Option<Arc<[u64]>> {
        let of = &mut self.methods[method.0 as usize];
        if of.live.is_none() {
            of.live = of.code.as_ref().map(|linked| {
                let mut live = analyse(&linked.code);
                if linked.origin == Origin::User {
                    keep_named(&linked.code, &mut live);
                }
                live.into()
            });
        }
        of.live.clone()
    }
}

/// The user's own references stay as long as their names are in scope: objects are told by them.
fn keep_named(code: &Code, live: &mut [u64]) {
    let named = code
        .variables
        .iter()
        .filter(|variable| variable.slot < MOST && Kind::of(&variable.descriptor) == Kind::Ref);
    for variable in named {
        let scope = live.iter_mut().take(variable.to as usize).skip(variable.from as usize);
        scope.for_each(|live| *live |= 1 << variable.slot);
    }
}

fn analyse(code: &Code) -> Vec<u64> {
    let count = code.ops.len();
    let mut live = vec![0u64; count];
    let bit = |slot: u16| if slot < MOST { 1u64 << slot } else { 0 };
    loop {
        let mut changed = false;
        for at in (0..count).rev() {
            let op = code.ops[at];
            let mut after = 0;
            successors(code, at, |next| after |= live.get(next).copied().unwrap_or(0));
            let before = match op {
                Op::Load(slot) => after | bit(slot),
                Op::Increment(slot, _) => after | bit(slot),
                Op::Store(slot) => after & !bit(slot),
                _ => after,
            };
            // Whatever goes wrong here is caught with the variables as they are before.
            let caught =
                code.handlers.iter().filter(|handler| (handler.from..handler.to).contains(&(at as u32)));
            let before = caught.fold(before, |live_here, handler| {
                live_here | live.get(handler.at as usize).copied().unwrap_or(0)
            });
            if before != live[at] {
                live[at] = before;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

fn successors(code: &Code, at: usize, mut visit: impl FnMut(usize)) {
    match code.ops[at] {
        Op::Goto(to) => visit(to as usize),
        Op::If(_, to) | Op::IfInts(_, to) | Op::IfRefs(_, to) | Op::IfNull(_, to) => {
            visit(to as usize);
            visit(at + 1);
        }
        Op::Switch(number) => {
            let switch = &code.switches[number as usize];
            visit(switch.default as usize);
            switch.cases.iter().for_each(|(_, to)| visit(*to as usize));
        }
        Op::Return(_) | Op::Throw => {}
        _ => visit(at + 1),
    }
}
