//! Variations of the counterexample, for people at a terminal: what separates those that fail from those that
//! pass, and the smallest changes that make one of the others.

use super::Page;
use crate::wording::{count, given, grouped, shown};
use crate::{
    Choices, Element, Event, NearestPassing, PassingEnd, PointInvariants, Sets, Transformation, Variations,
};

/// How many elements of a set, or steps of a transformation, are shown without `-v`.
const MOST_ELEMENTS: usize = 7;
const MOST_TRANSFORMATIONS: usize = 3;

impl Page {
    pub(super) fn variations(&mut self, found: &Variations) {
        let more = if found.limited { " and more" } else { "" };
        let near = match (&found.solved, found.depth) {
            (Some(solved), _) => {
                format!(
                    "near the counterexample, where no loop or recursion of unknown length goes on for more than {}",
                    count(solved.bound, "turn")
                )
            }
            (None, depth) => {
                format!("at most {} away from the counterexample", count(depth.unwrap_or_default(), "step"))
            }
        };
        self.heading(
            "variations",
            &format!(
                "{} and {}{more} {near}",
                count(found.negatives, "failing variation"),
                count(found.positives, "passing one")
            ),
        );
        if let Some(changes) = found.solved.as_ref().and_then(|solved| solved.changes.as_ref()) {
            let branches = match changes.branches {
                1 => "1 branch".to_owned(),
                branches => format!("{} branches", grouped(branches)),
            };
            let inputs = count(changes.inputs, "input");
            self.sentence("    ", 4, &format!("the nearest passing one differs in {inputs} and {branches}"));
        }
        if found.positives == 0 {
            self.sentence(
                "    ",
                4,
                "no trace near it takes the failing step and passes, so there is nothing to compare with",
            );
            if let Some(nearest) = &found.nearest_passing {
                self.nearest_passing(nearest);
            }
        } else {
            self.sets(&found.transitions, "");
        }
        if found.positives == 0 && found.solved.as_ref().is_some_and(|solved| solved.covers_all) {
            self.sentence("    ", 4, "this is so of all traces");
        }
        if let Some(all) = &found.all {
            if all.has_positives {
                self.sets(&all.transitions, "of all traces, ");
            } else {
                let text = "every trace that takes the failing step and passes can still fail there later: the passing \
                            variations above pass it once";
                let text = if found.positives == 0 { "this is so of all traces" } else { text };
                self.sentence("    ", 4, text);
            }
        }
        for point in &found.invariants {
            self.invariants(point);
        }
        // Each has many lines.
        let most = if self.by_method { self.most(MOST_TRANSFORMATIONS) } else { MOST_TRANSFORMATIONS };
        for (change, number) in found.transformations.iter().zip(1..).take(most) {
            self.transformation(change, number);
        }
        let hidden = found.transformation_count.saturating_sub(most.min(found.transformations.len()) as u64);
        if hidden > 0 {
            let how = self.rest_is_with();
            self.line(&format!("      ... and {} ({how})", count(hidden, "more transformation")));
        }
        if found.transitions.cause_neg.as_ref().is_some_and(Vec::is_empty) {
            let changed = &found.transformed_transitions;
            self.set(&changed.cause_neg, "every change adds, and none takes away");
            self.set(&changed.cause_pos, "every change takes away, and none adds");
        }
    }

    fn nearest_passing(&mut self, nearest: &NearestPassing) {
        let ending = match nearest.ending {
            PassingEnd::Ends => "ends properly",
            PassingEnd::Safe => "cannot fail any more",
            PassingEnd::GoesOn => "can run forever",
        };
        let text = if nearest.steps.is_empty() {
            format!("the nearest passing trace is its first {} and {ending}", count(nearest.common, "step"))
        } else {
            format!(
                "the nearest passing trace continues like this after step {} and {ending}",
                nearest.common
            )
        };
        self.sentence("    ", 4, &text);
        self.steps_of(&nearest.steps);
    }

    fn invariants(&mut self, point: &PointInvariants) {
        if point.positive.is_empty() && point.negative.is_empty() {
            return;
        }
        let chance = if point.exhaustive { "" } else { ", of those that were found" };
        self.sentence("    ", 4, &shown(&format!("at {}{chance}", point.point)));
        for (facts, samples, kind) in [
            (&point.negative, point.negative_samples, "failing"),
            (&point.positive, point.positive_samples, "passing"),
        ] {
            if facts.is_empty() {
                continue;
            }
            let most = self.most(2 * MOST_ELEMENTS);
            let mut listed: Vec<String> = facts.iter().take(most).map(|fact| fact.fact.clone()).collect();
            if facts.len() > most {
                listed.push(format!("{} more", facts.len() - most));
            }
            let text = format!("only {kind} ones ({}): {}", count(samples, "sample"), listed.join("; "));
            self.sentence("        ", 12, &shown(&text));
        }
    }

    fn sets(&mut self, sets: &Sets, of: &str) {
        let rows = [
            (&sets.cause_neg, "every failing one takes, and no passing one"),
            (&sets.cause_pos, "every passing one takes, and no failing one"),
        ];
        for (row, what) in rows {
            self.set(row, &format!("{of}{what}"));
        }
        let is_empty = |set: &Option<Vec<Element>>| set.as_ref().is_some_and(Vec::is_empty);
        if is_empty(&sets.cause_neg) && is_empty(&sets.cause_pos) {
            self.sentence("    ", 4, &format!("{of}no step is in every failing one and in no passing one"));
            self.set(&sets.only_neg, &format!("{of}only failing ones take"));
            self.set(&sets.only_pos, &format!("{of}only passing ones take"));
        }
    }

    fn set(&mut self, set: &Option<Vec<Element>>, what: &str) {
        let Some(set) = set.as_ref().filter(|set| !set.is_empty()) else { return };
        self.line(&format!("    {what}"));
        let most = self.most(MOST_ELEMENTS);
        for element in set.iter().take(most) {
            let line = self.element(element);
            self.line(&format!("        {line}"));
        }
        if set.len() > most {
            self.line(&format!("        ... and {} more", count((set.len() - most) as u64, "step")));
        }
    }

    fn element(&self, element: &Element) -> String {
        let mut text = String::new();
        if let Some(thread) = &element.thread {
            text.push_str(&format!("{thread}  "));
        }
        text.push_str(&self.place(element.location.as_ref()));
        if element.location.is_some() || element.action.is_some() {
            text.push_str(&element.statement);
        }
        text.push_str(&given(element));
        shown(&text)
    }

    fn transformation(&mut self, change: &Transformation, number: usize) {
        let class = match change.class {
            Some(Choices::Schedule) => "a different schedule alone",
            Some(Choices::Input) => "a different choice alone",
            Some(Choices::Both) => "a different choice and schedule",
            None => "this",
        };
        let pairs =
            if change.pairs == 1 { String::new() } else { format!(", in {} pairs of traces", change.pairs) };
        self.sentence(
            &format!("{number:>4}  "),
            6,
            &format!("{class} makes a passing variation fail{pairs}: after step {}", change.at),
        );
        if !change.positive.is_empty() {
            self.line("        instead of");
            self.steps_of(&change.positive);
        }
        match (change.positive.is_empty(), change.negative.is_empty()) {
            (_, true) => self.line("        nothing is done"),
            (true, false) => self.line("        this is added"),
            (false, false) => self.line("        this is done"),
        }
        self.steps_of(&change.negative);
        let rejoins = self.event_line(&change.rejoins);
        self.sentence("        ", 8, &format!("and both continue with {rejoins}"));
    }

    fn steps_of(&mut self, events: &[Event]) {
        let most = self.most(2 * MOST_ELEMENTS);
        for event in events.iter().take(most) {
            let line = self.event_line(event);
            self.line(&format!("                {line}"));
        }
        if events.len() > most {
            let hidden = count((events.len() - most) as u64, "step");
            self.line(&format!("                ... and {hidden} more"));
        }
    }
}
