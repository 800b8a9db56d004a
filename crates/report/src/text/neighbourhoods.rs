//! Neighbourhoods: where the counterexample could have been left, and what that would have meant.

use super::{Detail, MOST_ALTERNATIVES, Page, escaped};
use crate::wording::{alternatives, count, grouped, shown};
use crate::{Exactness, NeighbourhoodKind, Neighbourhoods, StateId};

/// How many neighbourhoods are listed without `-v`.
const MOST_NEIGHBOURHOODS: usize = 5;

impl Page {
    pub(super) fn untouched(&mut self, found: &Neighbourhoods) {
        if let Some(reason) = &found.untouched
            && (self.lanes.is_none() || self.detail == Detail::Verbose)
        {
            self.line("");
            self.sentence("", 0, &format!("nothing could be left out of the trace: {}", reason.text()));
        }
    }

    pub(super) fn neighbourhoods(&mut self, found: &Neighbourhoods) {
        let is_none = found.count == 0 && found.exactness == Exactness::Exact;
        // On models this is the rule, and says little beside the point of no return.
        if is_none && self.lanes.is_some() && self.detail != Detail::Verbose {
            return;
        }
        let of = &found.counterexample_lts;
        if is_none {
            let text = format!(
                "none: from no state on a failing trace does a step lead to where nothing can fail any more. The \
                 counterexample LTS has {} and {}.",
                count(of.states, "state"),
                count(of.transitions, "transition"),
            );
            self.heading("neighbourhoods", &text);
            return;
        }
        let text = format!(
            "{} {}, where failing and passing traces part; {} of them on this trace. The counterexample LTS has {} and {}{}.",
            grouped(found.count),
            if found.exactness == Exactness::Exact { "in all" } else { "so far" },
            grouped(found.touched),
            count(of.states, "state"),
            count(of.transitions, "transition"),
            if found.exactness == Exactness::Exact { "" } else { " as far as explored" },
        );
        self.heading("neighbourhoods", &text);
        let most = self.most(MOST_NEIGHBOURHOODS);
        let real: Vec<_> =
            found.neighbourhoods.iter().filter(|hood| hood.kind != NeighbourhoodKind::R).collect();
        for hood in real.iter().take(most) {
            let several = if hood.full_states.is_empty() {
                std::slice::from_ref(&hood.full_state)
            } else {
                &hood.full_states
            };
            let mut names: Vec<String> = several.iter().take(MOST_ALTERNATIVES).map(state_name).collect();
            if several.len() > MOST_ALTERNATIVES {
                names.push("...".to_owned());
            }
            let state = names.join("/");
            let text = format!(
                "{} escapes, {} goes on towards failing",
                alternatives(&escaped(&hood.correct), MOST_ALTERNATIVES),
                if hood.failing.is_empty() {
                    "nothing".to_owned()
                } else {
                    alternatives(&escaped(&hood.failing), MOST_ALTERNATIVES)
                },
            );
            self.sentence(&format!("  state {state:<6} {:<4}", hood.kind), 20, &text);
        }
        let left = found.count.saturating_sub(real.len().min(most) as u64);
        if left > 0 {
            self.line(&format!("  ... and {} ({})", grouped(left), self.rest_is_with()));
        }
    }
}

fn state_name(state: &StateId) -> String {
    match state {
        StateId::Number(number) => number.to_string(),
        StateId::Text(text) => shown(text),
    }
}
