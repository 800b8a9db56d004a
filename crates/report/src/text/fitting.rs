//! Fits the first screen to 25 lines: what says least is left out first, until the rest fits.
//!
//! The order: the second line of a step, what more a cause claims, what a step changes besides, other violations and blocked
//! processes, empty lines, and last the steps that the first cause does not name. The verdict, the cause in its words, the
//! line that is wrong and one repair are always there. `-v` has everything.

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
    /// How many lines each blocked process, other violation and the heading of the repair may have.
    pub(super) lines: usize,
    pub(super) blocked: usize,
    pub(super) others: usize,
    /// Of the repair.
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
    changed: 6,
    steps: usize::MAX,
};

/// From roomy to tight.
const FITS: [Fit; 14] = [
    ROOMY,
    Fit { below: 2, ..ROOMY },
    Fit { below: 1, lines: 2, ..ROOMY },
    Fit { below: 1, claims: 1, lines: 1, ..ROOMY },
    Fit { below: 0, claims: 1, lines: 1, ..ROOMY },
    Fit { below: 0, claims: 1, lines: 1, others: 1, changed: 4, blocked: 4, ..ROOMY },
    Fit { gaps: false, ..TIGHT },
    Fit { claims: 0, ..TIGHT },
    Fit { claims: 0, blocked: 3, steps: 8, ..TIGHT },
    Fit { claims: 0, blocked: 3, steps: 7, ..TIGHT },
    Fit { claims: 0, blocked: 2, steps: 6, ..TIGHT },
    Fit { claims: 0, changed: 2, blocked: 2, steps: 6, ..TIGHT },
    Fit { claims: 0, changed: 2, blocked: 2, steps: 4, ..TIGHT },
    Fit { claims: 0, changed: 2, blocked: 1, steps: 3, ..TIGHT },
];

const TIGHT: Fit =
    Fit { below: 0, claims: 1, gaps: false, lines: 1, blocked: 4, others: 1, changed: 4, steps: usize::MAX };

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

    /// A sentence in at most so many lines; what is cut off ends in dots.
    pub(super) fn cut_sentence(&mut self, first: &str, indent: usize, text: &str, most: usize) {
        let begins = self.text.len();
        self.sentence(first, indent, text);
        let most = most.max(1);
        let own: Vec<&str> = self.text[begins..].lines().collect();
        if own.len() <= most {
            return;
        }
        let mut kept: String = own[..most].join("\n");
        let last = own[..most].last().map_or(0, |line| visible(line));
        let room = self.width.saturating_sub(4);
        for _ in room..last {
            kept.pop();
        }
        self.text.truncate(begins);
        self.line(&format!("{} ...", kept.trim_end()));
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

/// How many columns a line takes; sequences that colour it take none.
fn visible(line: &str) -> usize {
    let (mut count, mut is_sequence) = (0, false);
    for c in line.chars() {
        match c {
            '\u{1b}' => is_sequence = true,
            'm' if is_sequence => is_sequence = false,
            _ if is_sequence => {}
            _ => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::Detail;
    use super::*;

    #[test]
    fn sentences_are_cut_where_there_is_no_room() {
        let mut page = Page { width: 60, ..Page::new(Detail::Normal, false) };
        let words = "word ".repeat(40);
        page.cut_sentence("= ", 2, &words, 1);
        assert_eq!(page.text().lines().count(), 1);
        assert!(page.text().trim_end().ends_with("word ..."), "{}", page.text());
        assert!(page.text().lines().all(|line| line.chars().count() <= 60));
        page.cut_sentence("= ", 2, &words, 0);
        assert_eq!(page.text().lines().count(), 2, "a heading is never left out");
    }
}
