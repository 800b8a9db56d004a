//! The whole state graph as SPIN sees it, rebuilt from the log of its search.
//!
//! A verifier compiled with `-DCHECK` prints each step it executes, each descent and ascent, and the number
//! of each state it stores or finds again. A step at depth D leads from the node at depth D to the one at
//! depth D + 1. A node gets its number when its state line comes, which can be late: inside an atomic
//! sequence it comes when the sequence turns out to block, and then names the node at the current depth.
//! Nodes that never get a number lie inside an atomic sequence or a rendezvous. Those that lead to no stored
//! state are offers nobody took, and are dropped.

use std::io::{BufRead, BufReader, Read};

use graph::{GraphBuilder, StateGraph};

use crate::spin::{Options, Refusal, Source, Spin, Verdict, error_line};

/// A step SPIN executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpinStep {
    pub source: u32,
    pub target: u32,
    pub process: u32,
    /// SPIN's number of the kind of statement, the `tr` of `pan -d`; equal statements share it.
    pub statement: u32,
    /// Control states of the process before and after, numbered as `pan -d` does.
    pub from: u32,
    pub to: u32,
    /// The statement in SPIN's spelling.
    pub text: String,
    /// The process keeps control after it.
    pub atomic: bool,
    /// The first half of a rendezvous: the send.
    pub offer: bool,
    /// Texts of the assertions that fail in it.
    pub failed: Vec<String>,
}

/// SPIN's state graph. Nodes below `stored` are the stored states, by SPIN's numbers; state 0 is initial.
#[derive(Clone, Debug)]
pub struct SpinGraph {
    pub stored: u32,
    pub nodes: u32,
    /// In the order of execution.
    pub steps: Vec<SpinStep>,
    /// States with an invalid end, ascending.
    pub deadlocks: Vec<u32>,
    /// Errors that belong to no step, such as a bad index in a guard: the node at which they came up and
    /// their text.
    pub other_errors: Vec<(u32, String)>,
    /// Arrivals at stored states, which SPIN calls transitions.
    pub transitions: u64,
}

/// Why there is no graph.
#[derive(Clone, Debug)]
pub enum NoGraph {
    Refused(Refusal),
    /// The search did not reach the end.
    Incomplete(Box<Verdict>),
    /// A line of the log that does not fit.
    Log(String),
}

/// The graph of a model together with the verdict of the same run.
pub fn spin_graph(
    spin: &Spin,
    source: &Source,
    options: &Options,
) -> Result<(SpinGraph, Verdict), Box<NoGraph>> {
    let options = options.clone().compiled_with("-DCHECK");
    let (verdict, log) =
        spin.verify_with_log(source, &options).map_err(|refusal| Box::new(NoGraph::Refused(refusal)))?;
    if !verdict.completed() {
        return Err(Box::new(NoGraph::Incomplete(Box::new(verdict))));
    }
    let graph = read_log(log.open()).map_err(|line| Box::new(NoGraph::Log(line)))?;
    Ok((graph, verdict))
}

impl SpinGraph {
    /// The graph with all nodes, those inside atomic sequences and rendezvous included.
    pub fn whole(&self, mut label: impl FnMut(&SpinStep) -> String) -> StateGraph {
        let mut builder = GraphBuilder::new();
        for step in &self.steps {
            let label = builder.labels.intern(&label(step));
            builder.edge(step.source, label, step.target);
        }
        builder.finish(self.nodes as usize, vec![0]).expect("few enough edges")
    }

    /// The graph of the stored states only. An edge stands for all steps from one to the next; its label is
    /// made of theirs, in order.
    pub fn between_stored(&self, mut label: impl FnMut(&[&SpinStep]) -> String) -> StateGraph {
        let mut by_source: Vec<&SpinStep> = self.steps.iter().collect();
        by_source.sort_by_key(|step| step.source);
        let outgoing = |node: u32| {
            let first = by_source.partition_point(|step| step.source < node);
            let last = by_source.partition_point(|step| step.source <= node);
            &by_source[first..last]
        };
        let mut builder = GraphBuilder::new();
        for state in 0..self.stored {
            // The nodes between stored states form trees, so that every way through them is one leaf.
            let mut ways: Vec<Vec<&SpinStep>> = outgoing(state).iter().map(|step| vec![*step]).collect();
            while let Some(way) = ways.pop() {
                let reached = way[way.len() - 1].target;
                if reached < self.stored {
                    let label = builder.labels.intern(&label(&way));
                    builder.edge(state, label, reached);
                    continue;
                }
                for step in outgoing(reached) {
                    let mut longer = way.clone();
                    longer.push(step);
                    ways.push(longer);
                }
            }
        }
        builder.finish(self.stored as usize, vec![0]).expect("few enough edges")
    }
}

/// A node as first met, before it is known which are the same state.
type Visit = usize;

#[derive(Default)]
struct Reader {
    /// The visits on the path to where the search is.
    path: Vec<Visit>,
    /// The number of the state of each visit, once known.
    number: Vec<Option<u32>>,
    /// Steps, their nodes still being visits.
    steps: Vec<(Visit, Visit, SpinStep)>,
    deadlocks: Vec<Visit>,
    /// Errors whose step, if any, is still to come.
    pending: Vec<String>,
    other_errors: Vec<(Visit, String)>,
    transitions: u64,
}

fn read_log(log: impl Read) -> Result<SpinGraph, String> {
    let mut reader = Reader { path: vec![0], number: vec![None], ..Reader::default() };
    let mut lines = BufReader::new(log);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if lines.read_until(b'\n', &mut bytes).map_err(|error| error.to_string())? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end_matches('\n');
        if line.starts_with("(Spin Version") {
            break;
        }
        reader.line(line).ok_or_else(|| line.to_owned())?;
    }
    reader.no_step_came();
    Ok(reader.finish())
}

impl Reader {
    fn here(&self) -> Visit {
        self.path[self.path.len() - 1]
    }

    /// Nothing if the line does not fit.
    fn line(&mut self, line: &str) -> Option<()> {
        if let Some((text, _)) = error_line(line) {
            if text == "invalid end state" {
                let here = self.here();
                self.deadlocks.push(here);
            } else {
                self.pending.push(text.to_owned());
            }
            return Some(());
        }
        if let Some(rest) = line.strip_prefix('\t') {
            let Some((kind, number)) = rest.rsplit_once(" state ") else { return Some(()) };
            if matches!(kind, "New" | "Old") {
                let here = self.here();
                self.number[here] = Some(number.parse().ok()?);
                self.transitions += 1;
            }
            return Some(());
        }
        let Some((depth, rest)) = line.trim_start().split_once(": ") else { return Some(()) };
        let Ok(depth) = depth.parse::<usize>() else { return Some(()) };
        if rest.starts_with("Down - ") {
            (depth + 1 == self.path.len()).then_some(())
        } else if rest.starts_with("Up - ") {
            self.no_step_came();
            self.path.truncate(depth);
            (self.path.len() == depth && depth > 0).then_some(())
        } else {
            self.step(depth, rest)
        }
    }

    fn step(&mut self, depth: usize, rest: &str) -> Option<()> {
        if depth + 1 != self.path.len() {
            return None;
        }
        let (process, rest) = rest.strip_prefix("proc ")?.split_once(" exec ")?;
        let (statement, rest) = rest.split_once(", ")?;
        let (from, rest) = rest.split_once(" to ")?;
        let (to, rest) = rest.split_once(", ")?;
        let rest = rest.rsplit_once(" [tau=")?.0.strip_suffix("accepting")?;
        let rest = rest.strip_suffix("non-").unwrap_or(rest).strip_suffix(' ')?;
        let (offer, rest) = flag(rest, "rendez-vous")?;
        let (atomic, text) = flag(rest, "atomic")?;
        let (source, target) = (self.here(), self.number.len());
        let (failed, others): (_, Vec<String>) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|text| text.starts_with("assertion violated ") && !text.ends_with("array index"));
        self.other_errors.extend(others.into_iter().map(|text| (source, text)));
        self.number.push(None);
        self.path.push(target);
        let step = SpinStep {
            source: 0,
            target: 0,
            process: process.parse().ok()?,
            statement: statement.parse().ok()?,
            from: from.parse().ok()?,
            to: to.parse().ok()?,
            text: text.to_owned(),
            atomic,
            offer,
            failed,
        };
        self.steps.push((source, target, step));
        Some(())
    }

    fn no_step_came(&mut self) {
        let here = self.here();
        self.other_errors.extend(self.pending.drain(..).map(|text| (here, text)));
    }

    fn finish(self) -> SpinGraph {
        let stored = self.number.iter().flatten().max().map_or(0, |last| last + 1);
        // Visits are numbered downwards from the first, so one backward pass finds those that lead to a
        // stored state.
        let mut useful: Vec<bool> = self.number.iter().map(Option::is_some).collect();
        for (source, target, _) in self.steps.iter().rev() {
            useful[*source] |= useful[*target];
        }
        let mut nodes = stored;
        let mut node_of = vec![u32::MAX; self.number.len()];
        for (visit, number) in self.number.iter().enumerate() {
            node_of[visit] = match number {
                Some(number) => *number,
                None if useful[visit] => {
                    nodes += 1;
                    nodes - 1
                }
                None => continue,
            };
        }
        let steps = self.steps.into_iter().filter(|(_, target, _)| useful[*target]);
        let steps = steps
            .map(|(source, target, step)| SpinStep {
                source: node_of[source],
                target: node_of[target],
                ..step
            })
            .collect();
        let mut deadlocks: Vec<u32> = self.deadlocks.iter().map(|visit| node_of[*visit]).collect();
        deadlocks.sort_unstable();
        let other_errors =
            self.other_errors.into_iter().map(|(visit, text)| (node_of[visit], text)).collect();
        SpinGraph { stored, nodes, steps, deadlocks, other_errors, transitions: self.transitions }
    }
}

/// A field that is either empty or this word, at the end of the text.
fn flag<'a>(text: &'a str, word: &str) -> Option<(bool, &'a str)> {
    match text.strip_suffix(word) {
        Some(rest) => Some((true, rest.strip_suffix(' ')?)),
        None => Some((false, text.strip_suffix(' ')?)),
    }
}
