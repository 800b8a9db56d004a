//! What the expressions of a step are worth before it is taken.

use model::{Command, Expr, compile};

use super::events::{label_of, thread_of};
use super::scene;
use super::worker::CWorker;

impl CWorker<'_> {
    /// Hands over the commands with which the step of an event begins, up to the first that changes anything, and what
    /// expressions are worth in the state before it.
    pub(crate) fn judged(
        &mut self,
        state: &[u8],
        wanted: u64,
        mut tell: impl FnMut(&Command, &dyn Fn(&Expr) -> Option<i64>),
    ) {
        let machine = self.machine;
        self.next.clear();
        self.next.extend_from_slice(state);
        self.begin();
        let Some(thread) = self.scene.threads.get(thread_of(wanted) as usize) else { return };
        self.local = thread.top;
        let Some(label) = machine.labels.get(label_of(wanted)) else { return };
        let function = &machine.program.functions[scene::function(&self.next, self.local)];
        let location = scene::location(&self.next, self.local);
        let value = |expr: &Expr| compile(expr).ok().and_then(|code| self.value(&code).ok());
        let is_meant =
            |edge: &&model::Edge| edge.statement == label.statement && edge.outcome == label.outcome;
        for edge in function.edges_of(location).iter().filter(is_meant) {
            for command in &edge.commands {
                tell(command, &value);
                if !matches!(command, Command::Assume(_) | Command::Assert(_) | Command::Touch { .. }) {
                    break;
                }
            }
        }
    }
}
