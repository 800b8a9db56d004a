//! How many states have each fate, and how many steps decide one: from free to doomed is a point of no return, from free
//! to safe an escape.

use findings::Fate;

use crate::case::{Case, Tested, same};
use crate::report::FateCounts;

pub(crate) fn fates(case: &Case<'_>, told: &FateCounts) -> Tested {
    let with = |fate: Fate| case.live.keys().filter(move |node| case.fate(**node) == fate);
    let count = |fate: Fate| with(fate).count() as u64;
    let decide = |fate: Fate| {
        let edges = with(Fate::Free).flat_map(|node| &case.net.nodes[*node].edges);
        edges.filter(|edge| case.fate(edge.to) == fate).count() as u64
    };
    same("unknown", &told.unknown, &0)?;
    same("safe", &told.safe, &count(Fate::Safe))?;
    same("doomed", &told.doomed, &count(Fate::Doomed))?;
    same("free", &told.free, &count(Fate::Free))?;
    same("elsewhere", &told.elsewhere, &count(Fate::Elsewhere))?;
    same("points_of_no_return", &told.points_of_no_return, &decide(Fate::Doomed))?;
    same("escapes", &told.escapes, &decide(Fate::Safe))
}
