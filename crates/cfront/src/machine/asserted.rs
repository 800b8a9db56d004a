//! What an assertion asks where it fails.

use model::{Command, Expr, compile};

use super::events::{event, thread_of};
use super::halt::Halt;
use super::worker::CWorker;
use super::{ASSERTION, scene};

impl CWorker<'_> {
    /// Runs the step of an event up to the assertion in which it fails, and hands over the condition and what
    /// expressions are worth there; nothing where it fails otherwise.
    pub(crate) fn failed_assertion(
        &mut self,
        state: &[u8],
        wanted: u64,
        mut tell: impl FnMut(&Expr, &dyn Fn(&Expr) -> Option<i64>),
    ) {
        let machine = self.machine;
        let thread = thread_of(wanted) as usize;
        let mut is_told = false;
        self.explore(state, thread, |worker, halted| {
            if is_told
                || halted != Err(Halt::Wrong(ASSERTION))
                || event(thread, worker.label, &worker.given) != wanted
            {
                return;
            }
            let value = |expr: &Expr| compile(expr).ok().and_then(|code| worker.value(&code).ok());
            let function = &machine.program.functions[scene::function(&worker.next, worker.local)];
            let edges = function.edges_of(scene::location(&worker.next, worker.local)).iter();
            let asserted = edges.flat_map(|edge| &edge.commands).find_map(|command| match command {
                Command::Assert(condition) if value(condition) == Some(0) => Some(condition),
                _ => None,
            });
            if let Some(condition) = asserted {
                is_told = true;
                tell(condition, &value);
            }
        });
    }
}
