//! Fits the first screen to 25 lines: what says least is left out first, until the rest fits.
//!
//! The order: the second line of a step, empty lines, what more a cause claims, what a step changes besides, other violations
//! and blocked processes, and last the steps that the first cause does not name. The verdict, the cause in its words, the
//! line that is wrong and one repair are always there. No sentence is cut: it is told whole, in fewer words, or not at
//! all. `-v` has everything.

use super::Page;
use crate::Report;
use crate::wording::shown;

/// How many lines the first screen has at most.
const MOST_LINES: usize = 25;

/// How much room there is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// How many lines a step may have below its own.
    pub(super) below: usize,
    /// Whether sentences after the cause are told, and in how many lines each.
    pub(super) claims: usize,
    /// Whether an empty line stands between the parts, and in the excerpt.
    pub(super) gaps: bool,
    /// How many lines each other violation, the heading of the repair and the last line may have.
    pub(super) lines: usize,
    pub(super) blocked: usize,
    pub(super) others: usize,
    /// How many changed lines a repair may have that is shown as a patch.
    pub(super) changed: usize,
    pub(super) steps: usize,
}

/// The first screen as it would be told with room for everything.
pub(super) const ROOMY: Fit = Fit {
    below: usize::MAX,
    claims: usize::MAX,
    gaps: true,
    lines: usize::MAX,
    blocked: 5,
    others: 3,
    changed: 8,
    steps: usize::MAX,
};

/// From roomy to tight.
const FITS: [Fit; 17] = [
    ROOMY,
    Fit { below: 2, ..ROOMY },
    Fit { below: 1, lines: 2, claims: 3, ..ROOMY },
    Fit { below: 1, lines: 1, claims: 3, gaps: false, ..ROOMY },
    Fit { below: 0, claims: 2, ..TIGHT },
    Fit { claims: 2, blocked: 4, others: 1, changed: 6, ..TIGHT },
    Fit { others: 1, blocked: 4, changed: 6, ..TIGHT },
    Fit { others: 1, blocked: 4, changed: 4, ..TIGHT },
    Fit { claims: 0, others: 1, blocked: 3, changed: 4, steps: 9, ..TIGHT },
    Fit { claims: 0, others: 1, blocked: 3, changed: 4, steps: 8, ..TIGHT },
    Fit { claims: 0, others: 1, blocked: 3, changed: 4, steps: 7, ..TIGHT },
    Fit { claims: 0, others: 1, blocked: 2, changed: 4, steps: 7, ..TIGHT },
    Fit { claims: 0, others: 1, blocked: 2, changed: 2, steps: 7, ..TIGHT },
    Fit { claims: 0, others: 1, blocked: 2, changed: 2, steps: 6, ..TIGHT },
    Fit { claims: 0, others: 1, blocked: 2, changed: 2, steps: 5, ..TIGHT },
    Fit { claims: 0, others: 0, blocked: 2, changed: 2, steps: 4, ..TIGHT },
    Fit { claims: 0, others: 0, blocked: 1, changed: 2, steps: 3, ..TIGHT },
];

const TIGHT: Fit = Fit { below: 0, claims: 1, gaps: false, lines: 1, ..ROOMY };

impl Page {
    /// The first screen, and how to see more, in as many lines as there are.
    pub(super) fn fitted_screen(&mut self, report: &Report) {
        let begun = self.text.clone();
        for fit in FITS {
            self.text.clone_from(&begun);
            self.fit = fit;
            self.screen(report);
            self.pointers(report);
            if self.text.lines().count() <= MOST_LINES {
                return;
            }
        }
    }

    /// An empty line, where there is room.
    pub(super) fn gap(&mut self) {
        if self.fit.gaps {
            self.line("");
        }
    }

    /// The first of these wordings that fits into so many lines, or nothing: half a sentence would say something else.
    pub(super) fn first_that_fits(&mut self, first: &str, indent: usize, told: &[String], most: usize) {
        let begins = self.text.len();
        for text in told {
            self.text.truncate(begins);
            self.sentence(first, indent, text);
            if self.text[begins..].lines().count() <= most {
                return;
            }
        }
        self.text.truncate(begins);
    }

    /// A piece of text in so many columns.
    pub(super) fn clipped(text: &str, width: usize) -> String {
        if text.chars().count() <= width {
            return text.to_owned();
        }
        let kept: String = text.chars().take(width.saturating_sub(4)).collect();
        shown(&format!("{} ...", kept.trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Detail;
    use super::*;

    #[test]
    fn sentences_are_told_whole_or_in_other_words() {
        let mut page = Page { width: 60, ..Page::new(Detail::Normal, false) };
        let told = ["word ".repeat(40), "few words".to_owned()];
        page.first_that_fits("= ", 2, &told, 1);
        assert_eq!(page.text(), "= few words\n");
        page.first_that_fits("= ", 2, &told[..1], 1);
        assert_eq!(page.text(), "= few words\n", "what does not fit is left out, not cut");
        page.first_that_fits("= ", 2, &told[..1], 4);
        assert_eq!(page.text().lines().count(), 5);
    }
}
