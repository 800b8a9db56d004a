//! Writing a trace as a `.trail` that SPIN replays.
//!
//! Every step is a line with SPIN's number of the statement; a rendezvous is two, the sender first. Statements
//! are not merged, which the lack of a line `-4:-4:-4` says, and no claim is started: `spin -t` needs none.

use std::fmt::Write;

use crate::machine::{Event, Machine};

/// The trail of a trace with these events, of which all from `loop_start` on are repeated for ever.
pub fn write(machine: &Machine, events: &[u64], loop_start: Option<usize>) -> String {
    let mut trail = String::new();
    let mut depth = 0;
    for (at, event) in events.iter().enumerate() {
        if loop_start == Some(at) {
            trail.push_str("-1:-1:-1\n");
        }
        let event = Event::unpack(*event);
        let own = (event.process, event.statement);
        for (process, statement) in std::iter::once(own).chain(event.partner) {
            depth += 1;
            let element = machine.statements[statement as usize].element;
            // Writing to a string cannot fail.
            let _ = writeln!(trail, "{depth}:{process}:{element}");
        }
    }
    trail
}
