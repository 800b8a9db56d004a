//! Which objects several threads can reach.
//!
//! An object that only one thread can reach is that thread's own business: nobody notices what it does with it. That is
//! found out exactly for every state: statics are for everybody, and so is what the calls of two threads lead to.
//! Within a step, what is stored where others can reach it can be reached by others from then on.

use super::Machine;
use crate::scene::{Calls, Scene};
use crate::value::{Ref, Value};

/// Who reaches an object: nobody yet.
const NOBODY: u16 = 0;
const EVERYBODY: u16 = u16::MAX;

impl Machine<'_> {
    pub(crate) fn is_shared(&self, object: Ref) -> bool {
        match object.as_own() {
            Some(own) => self.scene.heap.get(own).is_some_and(|object| object.shared),
            None => true,
        }
    }

    /// A value is stored where others can reach it.
    pub(crate) fn publish(&mut self, value: Value) {
        if let Value::Ref(object) = value
            && !self.in_base
            && !self.conduct.alone
        {
            publish(self.scene, object);
        }
    }

    /// Finds out anew who reaches what.
    pub(crate) fn share(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        self.scene.threads[self.thread].calls = calls;
        self.scene.share();
        self.calls = std::mem::take(&mut self.scene.threads[self.thread].calls);
    }
}

fn publish(scene: &mut Scene, object: Ref) {
    let mut waiting = vec![object];
    while let Some(object) = waiting.pop() {
        let Some(own) = object.as_own() else { continue };
        let Some(object) = scene.heap.get_mut(own) else { continue };
        if !object.shared {
            object.shared = true;
            object.body.refs(|to| waiting.push(to));
        }
    }
}

impl Scene {
    /// Marks all objects that more than one thread can reach.
    pub(crate) fn share(&mut self) {
        let mut reached = vec![NOBODY; self.heap.len()];
        let mut waiting: Vec<Ref> = Vec::new();
        let refs = |values: &mut dyn Iterator<Item = &Value>, waiting: &mut Vec<Ref>| {
            for value in values {
                if let Value::Ref(to) = value {
                    waiting.push(*to);
                }
            }
        };
        refs(&mut self.statics.iter(), &mut waiting);
        #[allow(clippy::iter_over_hash_type, reason = "what is reached does not depend on the order")]
        for value in self.changed_statics.values() {
            refs(&mut std::iter::once(value), &mut waiting);
        }
        #[allow(clippy::iter_over_hash_type, reason = "what is reached does not depend on the order")]
        for object in self.changed.values() {
            object.body.refs(|to| waiting.push(to));
        }
        self.reach(EVERYBODY, &mut waiting, &mut reached);
        for (number, thread) in (1..).zip(&self.threads) {
            if thread.ended {
                continue;
            }
            waiting.push(thread.object);
            let Calls { frames, stack } = &thread.calls;
            frames.iter().for_each(|frame| waiting.push(frame.lock));
            refs(&mut stack.iter(), &mut waiting);
            self.reach(number, &mut waiting, &mut reached);
        }
        for (object, by) in self.heap.iter_mut().zip(&reached) {
            object.shared = *by == EVERYBODY;
        }
    }

    fn reach(&self, who: u16, waiting: &mut Vec<Ref>, reached: &mut [u16]) {
        while let Some(to) = waiting.pop() {
            let Some(own) = to.as_own() else { continue };
            let Some(by) = reached.get_mut(own) else { continue };
            let now = if *by == NOBODY || *by == who { who } else { EVERYBODY };
            if *by != now {
                *by = now;
                // What was one thread's own is reached through this object by another.
                self.heap[own].body.refs(|to| waiting.push(to));
            }
        }
    }
}
