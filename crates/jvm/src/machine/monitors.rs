//! Monitors: `synchronized`, `wait` and `notify`.
//!
//! Giving a monitor back never ends a step: whatever others do between the action before and that can as well be done
//! after it.

use super::conduct::Note;
use super::{Halt, Machine, Run, Wait};
use crate::scene::{Monitor, Waiting};
use crate::value::Ref;

impl Machine<'_> {
    /// Takes a monitor.
    pub(crate) fn enter(&mut self, object: Ref) -> Run<()> {
        if self.in_base {
            return Ok(());
        }
        let me = self.thread as u8;
        match self.scene.monitors.iter().position(|monitor| monitor.object == object) {
            Some(at) if self.scene.monitors[at].owner == me => self.scene.monitors[at].count += 1,
            Some(_) => return Err(Halt::Blocked(Wait::Monitor(object))),
            None => {
                if self.is_shared(object) {
                    self.visible()?;
                }
                self.scene.monitors.push(Monitor { object, owner: me, count: 1 });
                self.note(Note::Acquire(object));
            }
        }
        Ok(())
    }

    /// Gives a monitor back.
    pub(crate) fn exit(&mut self, object: Ref) -> Run<()> {
        if self.in_base {
            return Ok(());
        }
        let at = self.owned(object)?;
        let monitor = &mut self.scene.monitors[at];
        monitor.count -= 1;
        if monitor.count == 0 {
            self.scene.monitors.swap_remove(at);
            self.note(Note::Release(object));
        }
        Ok(())
    }

    /// The place of a monitor that this thread has.
    fn owned(&mut self, object: Ref) -> Run<usize> {
        let me = self.thread as u8;
        let at =
            self.scene.monitors.iter().position(|monitor| monitor.object == object && monitor.owner == me);
        at.ok_or_else(|| {
            self.throw("java/lang/IllegalMonitorStateException", Some("current thread is not owner"))
        })
    }

    /// `Object.wait`: gives the monitor back until a signal comes, then takes it again.
    pub(crate) fn wait(&mut self, object: Ref, timed: bool) -> Run<()> {
        let Some(waiting) = self.scene.threads[self.thread].waiting else {
            let at = self.owned(object)?;
            if self.scene.threads[self.thread].interrupted {
                self.scene.threads[self.thread].interrupted = false;
                return Err(self.throw("java/lang/InterruptedException", None));
            }
            self.visible()?;
            let count = self.scene.monitors.swap_remove(at).count;
            self.scene.threads[self.thread].waiting = Some(Waiting { object, count, timed, notified: false });
            self.note(Note::Sleep(object));
            self.conduct.dirty = true;
            return Err(Halt::Stop);
        };
        let interrupted = self.scene.threads[self.thread].interrupted && !waiting.notified;
        if !waiting.notified && !interrupted && !waiting.timed {
            return Err(Halt::Blocked(Wait::Signal(object)));
        }
        if self.scene.monitor(object).is_some() {
            return Err(Halt::Blocked(Wait::Monitor(object)));
        }
        self.visible()?;
        self.scene.monitors.push(Monitor { object, owner: self.thread as u8, count: waiting.count });
        self.scene.threads[self.thread].waiting = None;
        self.note(Note::Wake(object));
        self.conduct.dirty = true;
        if interrupted {
            self.scene.threads[self.thread].interrupted = false;
            return Err(self.throw("java/lang/InterruptedException", None));
        }
        Ok(())
    }

    /// `Object.notify`: whoever waits may be chosen.
    pub(crate) fn notify(&mut self, object: Ref, all: bool) -> Run<()> {
        self.owned(object)?;
        self.visible()?;
        let waits = |waiting: &Option<Waiting>| {
            waiting.is_some_and(|waiting| waiting.object == object && !waiting.notified)
        };
        let waiters: Vec<usize> =
            (0..self.scene.threads.len()).filter(|at| waits(&self.scene.threads[*at].waiting)).collect();
        self.note(Note::Signal(object, all));
        let chosen = if all {
            waiters
        } else if waiters.is_empty() {
            Vec::new()
        } else {
            let chosen = self.choose(waiters.len())?;
            if waiters.len() > 1 {
                self.give(waiters[chosen] as i64);
            }
            vec![waiters[chosen]]
        };
        for at in chosen {
            if let Some(waiting) = &mut self.scene.threads[at].waiting {
                waiting.notified = true;
            }
        }
        Ok(())
    }
}
