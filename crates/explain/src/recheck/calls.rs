//! Rechecks on graphs of calls that match their returns.
//!
//! The method goes backwards in two phases; this goes forwards once. Whether a step of the kind was taken before is
//! carried along as one bit, into calls and out of them, so that a call is looked at once for each value of the bit
//! at its entry.

use graph::{Interrupt, Nested, PULSE, Progress, Target, Watch};

use super::Recheck;

/// Rechecks that steps of a kind, known by the node before them and their label, can be taken, and that no trace
/// that takes one comes to an end, although others do.
pub fn on_no_correct_trace_of_calls(
    graph: &Nested,
    is_such: &dyn Fn(u32, u32) -> bool,
    is_end: &dyn Fn(u32) -> bool,
    watch: &dyn Watch,
) -> Recheck {
    let mut look = CallSearch {
        graph,
        is_such,
        seen: vec![0; graph.node_count()],
        left: vec![0; graph.exit_count()],
        waiting: Vec::new(),
        taken: false,
    };
    let mut is_any_correct = false;
    if graph.entry_count() > 0 {
        look.come(graph.start(0), Bits { at_entry: false, here: false });
    }
    let mut work = 0u64;
    while let Some((node, bits)) = look.waiting.pop() {
        if is_end(node) {
            if bits.here {
                return Recheck::Refuted;
            }
            is_any_correct = true;
        }
        work += 1;
        if work.is_multiple_of(PULSE) {
            let told: Result<(), Interrupt> =
                watch.pulse(Progress { phase: "rechecking", states: work, ..Progress::default() });
            if told.is_err() {
                return Recheck::NotRun;
            }
        }
        look.go_on(node, bits);
    }
    if look.taken && is_any_correct { Recheck::Confirmed } else { Recheck::Refuted }
}

/// Whether a step of the kind was taken before the entry of the call, and by now.
#[derive(Clone, Copy)]
struct Bits {
    at_entry: bool,
    here: bool,
}

impl Bits {
    const ALL: [Self; 3] = [
        Self { at_entry: false, here: false },
        Self { at_entry: false, here: true },
        Self { at_entry: true, here: true },
    ];

    fn mark(self) -> u8 {
        1 << (u8::from(self.at_entry) + u8::from(self.here))
    }
}

struct CallSearch<'a> {
    graph: &'a Nested,
    is_such: &'a dyn Fn(u32, u32) -> bool,
    /// Marks of the bits with which each node was seen, and each exit left.
    seen: Vec<u8>,
    left: Vec<u8>,
    waiting: Vec<(u32, Bits)>,
    taken: bool,
}

impl CallSearch<'_> {
    fn come(&mut self, node: u32, bits: Bits) {
        if self.seen[node as usize] & bits.mark() == 0 {
            self.seen[node as usize] |= bits.mark();
            self.waiting.push((node, bits));
        }
    }

    fn go_on(&mut self, node: u32, bits: Bits) {
        let graph = self.graph;
        for edge in graph.edges(node) {
            let is_such = (self.is_such)(node, edge.label);
            self.taken |= is_such;
            let here = bits.here || is_such;
            match edge.target {
                Target::Node(to) => self.come(to, Bits { here, ..bits }),
                Target::Entry(entry) => self.come(graph.start(entry), Bits { at_entry: here, here }),
                Target::Over { exit, node: behind } => {
                    for inside in Bits::ALL.into_iter().filter(|inside| inside.at_entry == here) {
                        if self.left[exit as usize] & inside.mark() != 0 {
                            self.come(behind, Bits { here: inside.here, ..bits });
                        }
                    }
                }
                Target::Exit(exit) => self.leave(exit, Bits { here, ..bits }),
                Target::Wrong(_) => {}
            }
        }
    }

    /// Goes on behind all calls that were waiting for this exit.
    fn leave(&mut self, exit: u32, bits: Bits) {
        if self.left[exit as usize] & bits.mark() != 0 {
            return;
        }
        self.left[exit as usize] |= bits.mark();
        for passage in self.graph.passages(exit) {
            let is_such = (self.is_such)(passage.source, passage.label);
            for caller in Bits::ALL {
                let was_seen = self.seen[passage.source as usize] & caller.mark() != 0;
                if was_seen && (caller.here || is_such) == bits.at_entry {
                    self.come(passage.node, Bits { here: bits.here, ..caller });
                }
            }
        }
    }
}
