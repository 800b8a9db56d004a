//! What only failing traces do, for people at a terminal.
//!
//! First how it came about, since that is what a reader wants at two in the morning; then what came too
//! late, the sequences that only failing traces have, and the events that decide. What is a consequence
//! or an accident is counted, not listed.

use anstyle::AnsiColor;

use super::{Detail, MOST_IN_FULL, Page};
use crate::wording::{count, grouped, shown};
use crate::{
    Anomalies, Anomaly, AnomalyKind, Atomic, Counterexample, Deferred, Event, Exactness, FatalWhen, Order,
    Step,
};

/// How many anomalies, deferred events and points of no return are shown without `-v`.
const MOST_ANOMALIES: usize = 3;
const MOST_DEFERRED: usize = 2;
const MOST_POINTS: usize = 3;
/// How many steps of an explanatory sequence are shown without `-v`.
const MOST_STEPS: usize = 20;

impl Page {
    pub(super) fn anomalies(&mut self, found: &Anomalies, counterexample: Option<&Counterexample>) {
        if let Some(counterexample) = counterexample {
            self.sequence(found, counterexample);
        }
        self.deferred(found);
        self.list(found);
        if let Some(counterexample) = counterexample {
            self.core(found, counterexample);
        }
        self.patterns(found);
        self.points(found);
    }

    /// How many entries of a list are told: few, many in the report with all its parts, all of a method that was asked for.
    pub(super) fn most(&self, few: usize) -> usize {
        match (self.detail, self.by_method) {
            (Detail::Verbose, true) => usize::MAX,
            (Detail::Verbose, false) => few.max(MOST_IN_FULL),
            _ => few,
        }
    }

    /// How to see the entries that are left out.
    pub(super) fn rest_is_with(&self) -> &'static str {
        match (self.options, self.detail) {
            (true, Detail::Verbose) => "-m METHOD -v or -f json lists all",
            (true, _) => "-v lists more",
            (false, _) => "the JSON report lists all",
        }
    }

    pub(super) fn heading(&mut self, title: &str, text: &str) {
        self.headings.push((title.to_owned(), text.to_owned()));
        let title = self.paint(AnsiColor::Cyan, title);
        self.line("");
        self.sentence(&format!("{title}: "), 0, text);
    }

    fn sequence(&mut self, found: &Anomalies, counterexample: &Counterexample) {
        let steps = &found.explanatory_sequence;
        // A single step explains nothing that was not said already.
        if steps.len() < 2 {
            return;
        }
        let text =
            format!("{} of {}, each with what it needed", steps.len(), count(counterexample.length, "step"));
        self.heading("how it came about", &text);
        let most = self.most(MOST_STEPS);
        let left_out = steps.len().saturating_sub(most);
        if left_out > 0 {
            self.line(&format!("  ... {} before (-v shows all)", count(left_out as u64, "step")));
        }
        for n in &steps[left_out..] {
            let Some(step) = counterexample.steps.get((*n as usize).wrapping_sub(1)) else { continue };
            self.line(&format!("    {n:>4}  {}", self.deed_of(step)));
            let reasons = found.links.iter().filter(|link| link.to == *n);
            for link in reasons {
                self.sentence("            -", 14, &shown(link.reason.text()));
            }
            let late =
                found.deferred.iter().filter(|one| one.step == Some(*n) && steps.contains(&one.enabled_at));
            for one in late {
                let text = format!("enabled since step {}", one.enabled_at);
                self.sentence("            -", 14, &text);
            }
        }
        let at_end: Vec<&str> = found
            .links
            .iter()
            .filter(|link| link.to == counterexample.length + 1)
            .map(|link| link.reason.text())
            .collect();
        if !at_end.is_empty() {
            self.line("     end  no process gets what it waits for");
            at_end.iter().for_each(|reason| self.sentence("            -", 14, &shown(reason)));
        }
    }

    fn deed_of(&self, step: &Step) -> String {
        let Some(process) = &step.process else { return shown(&step.action) };
        let place = self.place(step.location.as_ref());
        let own = format!("{process}:{}  {place}{}", step.pid.unwrap_or_default(), step.action);
        match &step.partner {
            None => shown(&own),
            Some(with) => {
                let pid = with.pid.unwrap_or_default();
                shown(&format!("{own}  ->  {}:{pid} {}", with.process, with.action))
            }
        }
    }

    fn event(&self, event: &Event) -> String {
        let Some(process) = &event.process else { return format!("`{}`", shown(&event.action)) };
        let place = self.place(event.location.as_ref());
        let number = |pid: Option<u64>| pid.map_or_else(String::new, |pid| format!(":{pid}"));
        let own = format!("{process}{} {place}`{}`", number(event.pid), event.action);
        match &event.partner {
            None => shown(&own),
            Some(with) => shown(&format!("{own} -> {}{} `{}`", with.process, number(with.pid), with.action)),
        }
    }

    fn deferred(&mut self, found: &Anomalies) {
        // Those that a cure was found for explain most; others only if the sequence leads through them.
        let explains = |one: &&Deferred| {
            one.atomic == Some(Atomic::Cured)
                || (one.enabled_at > 0
                    && found
                        .links
                        .iter()
                        .any(|link| link.from == one.enabled_at && link.reason.data.why.is_stale()))
        };
        let list: Vec<&Deferred> = found.deferred.iter().filter(explains).collect();
        if list.is_empty() {
            return;
        }
        self.heading("late", "enabled at one step, executed much later");
        for one in list.iter().take(self.most(MOST_DEFERRED)) {
            let when = match one.step {
                Some(step) => format!("executed at step {step}"),
                None => "never executed".to_owned(),
            };
            let overtaken: Vec<String> = one.overtaken_by.iter().take(5).map(u64::to_string).collect();
            let more = if one.overtaken_by.len() > 5 { " and more" } else { "" };
            let cure = match one.atomic {
                Some(Atomic::Cured) => {
                    "; if no other step could run between it and the step before, no trace would fail (confirmed \
                     by a new search)"
                }
                Some(Atomic::StillFails) => "; were it executed at once, other traces would still fail",
                _ => "",
            };
            let text = format!(
                "{}: enabled after step {}, {when}; overtaken by {} {}{more}{cure}",
                self.event(&one.event),
                one.enabled_at,
                if one.overtaken_by.len() == 1 { "step" } else { "steps" },
                overtaken.join(", "),
            );
            self.sentence(" -", 3, &text);
        }
    }

    fn list(&mut self, found: &Anomalies) {
        let size = match found.length {
            1 => "event".to_owned(),
            2 => "pair of events".to_owned(),
            length => format!("sequence of {length} events"),
        };
        let many = |n: u64| {
            if n == 1 {
                format!("1 {size}")
            } else {
                format!(
                    "{} {}",
                    grouped(n),
                    size.replacen("pair", "pairs", 1).replacen("sequence", "sequences", 1).replacen(
                        "event",
                        if found.length == 1 { "events" } else { "event" },
                        1
                    )
                )
            }
        };
        let how = match (found.exactness, &found.good, &found.bad) {
            (Exactness::Exact, ..) => "all traces compared".to_owned(),
            (Exactness::Bounded, ..) => "as far as explored".to_owned(),
            (_, Some(good), Some(bad)) => format!(
                "a sample: {} failing and {} passing traces compared, these whether fair or not",
                grouped(bad.traces),
                grouped(good.traces)
            ),
            _ => "sampled".to_owned(),
        };
        let order = match found.order {
            Order::Process => ", by process",
            Order::Dependent => ", dependent events only",
            Order::Trace => "",
        };
        let text = if found.count == 0 {
            format!("no {size} occurs in failing traces only ({how}{order})")
        } else {
            format!(
                "{} that only failing traces have, {} ({how}{order})",
                many(found.count),
                match found.decisive {
                    0 => "none of them decisive".to_owned(),
                    n if n == found.count => "decisive".to_owned(),
                    n => format!("{} decisive", grouped(n)),
                },
            )
        };
        self.heading("anomalies", &text);
        let telling: Vec<&Anomaly> = if self.detail == Detail::Verbose {
            found.anomalies.iter().take(self.most(MOST_ANOMALIES)).collect()
        } else {
            let worthy =
                |one: &&Anomaly| one.kind != AnomalyKind::Consequence && (one.dependent || one.rank == 1);
            found.anomalies.iter().filter(worthy).take(MOST_ANOMALIES).collect()
        };
        for one in &telling {
            self.anomaly(one);
        }
        let left = found.count.saturating_sub(telling.len() as u64);
        if left > 0 {
            let rest =
                || found.anomalies.iter().filter(|one| telling.iter().all(|told| told.rank != one.rank));
            let consequences = rest().filter(|one| one.kind == AnomalyKind::Consequence).count();
            let accidents =
                rest().filter(|one| one.kind != AnomalyKind::Consequence && !one.dependent).count();
            let kinds = [(consequences, "consequence"), (accidents, "accidental neighbour")];
            let kinds = kinds.iter().filter(|(number, _)| *number > 0);
            let kinds: Vec<String> = kinds.map(|(number, what)| count(*number as u64, what)).collect();
            let colon = if kinds.is_empty() { "" } else { ": " };
            let more = if telling.is_empty() { "" } else { " more" };
            let how = self.rest_is_with();
            let text = format!("{}{more}{colon}{} ({how})", grouped(left), kinds.join(", "));
            self.sentence("  ...", 6, &text);
        }
    }

    fn anomaly(&mut self, one: &Anomaly) {
        let events: Vec<String> = one.events.iter().map(|event| self.event(event)).collect();
        let steps: Vec<String> = one.steps.iter().map(u64::to_string).collect();
        let place = match &steps[..] {
            [] => format!("not on this trace, at step {} at the earliest", one.position),
            [one] => format!("at step {one}"),
            [first @ .., last] => format!("at steps {} and {last}", first.join(", ")),
        };
        let kind = match one.kind {
            AnomalyKind::Decisive => "decisive",
            AnomalyKind::Inside => "decided on the way",
            AnomalyKind::Consequence => "a consequence",
        };
        let accident = if one.dependent { "" } else { ", events that have nothing to do with each other" };
        let text = format!("{}; {place}; {kind}{accident}", events.join(", then "));
        self.sentence(&format!("  {:>3} ", one.rank), 6, &text);
    }

    fn core(&mut self, found: &Anomalies, counterexample: &Counterexample) {
        if found.order_core.is_empty() {
            if let Some(why) = &found.no_order_core
                && self.detail == Detail::Verbose
            {
                self.heading("order core", &format!("none: {}", why.text()));
            }
            return;
        }
        let text = match found.order_core.len() {
            1 => "this event is in no passing trace".to_owned(),
            n => format!("no passing trace has these {n} events in this order, whatever comes between"),
        };
        self.heading("order core", &text);
        for n in &found.order_core {
            let Some(step) = counterexample.steps.get((*n as usize).wrapping_sub(1)) else { continue };
            self.line(&format!("    {n:>4}  {}", self.deed_of(step)));
        }
    }

    fn patterns(&mut self, found: &Anomalies) {
        if found.patterns.is_empty() {
            return;
        }
        self.heading("patterns", "events in this order, others between, that mostly failing traces have");
        for pattern in found.patterns.iter().take(self.most(MOST_ANOMALIES)) {
            let events: Vec<String> =
                pattern.events.iter().map(|event| format!("`{}`", shown(event))).collect();
            let text = format!(
                "{} ({} failing, {} passing)",
                events.join(", "),
                count(pattern.failing, "trace"),
                grouped(pattern.passing)
            );
            self.sentence(" -", 3, &text);
        }
    }

    fn points(&mut self, found: &Anomalies) {
        let points = &found.points_of_no_return;
        if points.is_empty() {
            return;
        }
        self.heading("points of no return by statement", "how often each is fatal, and how often it is not");
        for point in points.iter().take(self.most(MOST_POINTS)) {
            let harmless = match point.harmless {
                0 => "always fatal".to_owned(),
                n => format!("harmless {}", count(n, "time")),
            };
            let text =
                format!("{}: fatal {}, {harmless}", self.event(&point.event), count(point.crosses, "time"));
            self.sentence(" -", 3, &text);
            if let Some(found) = &point.fatal_when {
                self.sentence("  ", 3, &fatal_when(found));
            }
        }
        let left = points.len().saturating_sub(self.most(MOST_POINTS));
        if left > 0 {
            self.line(&format!(
                "  ... and {} ({})",
                count(left as u64, "more statement").replace("more statements", "more"),
                self.rest_is_with()
            ));
        }
    }
}

/// `it is fatal exactly when ...`, or how well the condition fits.
fn fatal_when(found: &FatalWhen) -> String {
    let rules = found.condition.words().into_iter().flatten();
    let rules: Vec<String> = rules.map(|rule| rule.join(" and ")).collect();
    let condition = rules.join(", or ");
    if rules.is_empty() {
        return "no condition was found for when it is fatal".to_owned();
    }
    if found.is_exact {
        return format!("it is fatal exactly when {condition}");
    }
    format!(
        "{condition}: true in {} of {} fatal cases and in {} of {} harmless ones",
        grouped(found.fatal_covered),
        grouped(found.fatal),
        grouped(found.harmless_covered),
        grouped(found.harmless),
    )
}
