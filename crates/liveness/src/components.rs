//! Strongly connected components of a product, by Tarjan's algorithm (1972) without recursion.
//!
//! A component is shown when all that can be reached from it is known, so whoever is shown one may
//! already know everything about what lies behind it.

use graph::{Interrupt, PULSE, Progress, Transitions, Watch};

use crate::product::Product;

const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Components {
    /// In which order nodes were found; [`DONE`] once their component is known.
    number: Vec<u32>,
    /// The least number that can be reached; once done, the number of the component.
    low: Vec<u32>,
    found: u32,
    components: u32,
    /// Nodes whose component is not known yet.
    pending: Vec<u32>,
    /// The nodes on the way, each with where its targets start in `targets`.
    way: Vec<(u32, usize)>,
    targets: Vec<u32>,
    edges: u64,
    next_pulse: u64,
}

impl Components {
    pub(crate) fn new(bound: usize) -> Self {
        Self {
            number: vec![UNSEEN; bound],
            low: vec![0; bound],
            found: 0,
            components: 0,
            pending: Vec::new(),
            way: Vec::new(),
            targets: Vec::new(),
            edges: 0,
            next_pulse: PULSE,
        }
    }

    /// Whether both nodes are known to lie in one component.
    pub(crate) fn are_together(&self, one: u32, other: u32) -> bool {
        let (one, other) = (one as usize, other as usize);
        self.number[one] == DONE && self.number[other] == DONE && self.low[one] == self.low[other]
    }

    pub(crate) fn was_reached(&self, node: u32) -> bool {
        self.number[node as usize] == DONE
    }

    /// Shows the components of all nodes that belong, can be reached from `start` and were not seen before.
    pub(crate) fn from<T: Transitions>(
        &mut self,
        product: &Product<'_, T>,
        start: u32,
        belongs: impl Fn(u32) -> bool,
        watch: &dyn Watch,
        mut show: impl FnMut(&Self, &[u32]),
    ) -> Result<(), Interrupt> {
        if self.number[start as usize] == UNSEEN && belongs(start) {
            self.enter(product, start, &belongs);
        }
        while let Some((node, first)) = self.way.last().copied() {
            if self.edges >= self.next_pulse {
                self.next_pulse = self.edges + PULSE;
                let states = u64::from(self.found);
                let progress = Progress { phase: "circling", states, edges: self.edges, permille: None };
                watch.pulse(progress)?;
            }
            if self.targets.len() > first {
                let target = self.targets.pop().unwrap_or_default();
                match self.number[target as usize] {
                    UNSEEN => self.enter(product, target, &belongs),
                    DONE => {}
                    seen => self.lower(node, seen),
                }
                continue;
            }
            self.way.pop();
            let low = self.low[node as usize];
            if let Some((before, _)) = self.way.last().copied() {
                self.lower(before, low);
            }
            if low == self.number[node as usize] {
                let first = self.pending.iter().rposition(|pending| *pending == node).unwrap_or(0);
                self.components += 1;
                for member in &self.pending[first..] {
                    self.number[*member as usize] = DONE;
                    self.low[*member as usize] = self.components;
                }
                let pending = std::mem::take(&mut self.pending);
                show(self, &pending[first..]);
                self.pending = pending;
                self.pending.truncate(first);
            }
        }
        Ok(())
    }

    fn lower(&mut self, node: u32, to: u32) {
        let low = &mut self.low[node as usize];
        *low = (*low).min(to);
    }

    fn enter<T: Transitions>(&mut self, product: &Product<'_, T>, node: u32, belongs: &impl Fn(u32) -> bool) {
        self.found += 1;
        self.number[node as usize] = self.found;
        self.low[node as usize] = self.found;
        self.pending.push(node);
        self.way.push((node, self.targets.len()));
        let (targets, before) = (&mut self.targets, self.edges);
        let mut edges = 0;
        product.successors(node, |_, target| {
            edges += 1;
            if belongs(target) {
                targets.push(target);
            }
        });
        self.edges = before + edges;
    }
}
