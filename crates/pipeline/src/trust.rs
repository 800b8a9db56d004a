//! What is never blamed: functions, processes, files, or labels, by patterns of their names.

use graph::BitSet;

/// Patterns with `*` for anything and `?` for one character, each for a whole name.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    patterns: Vec<Vec<char>>,
}

impl Trust {
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        Self { patterns: patterns.into_iter().map(|pattern| pattern.chars().collect()).collect() }
    }

    /// The labels of which some part is trusted; `parts` tells the names of all that a label belongs to.
    pub(crate) fn labels(&self, count: usize, parts: impl Fn(u32) -> Vec<String>) -> BitSet {
        let mut trusted = BitSet::new(count);
        if self.patterns.is_empty() {
            return trusted;
        }
        for label in 0..count as u32 {
            if parts(label).iter().any(|name| self.includes(name)) {
                trusted.insert(label);
            }
        }
        trusted
    }

    pub fn includes(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        self.patterns.iter().any(|pattern| matches(pattern, &name))
    }
}

/// Goes on behind the last `*` whenever something does not fit, so that it is never slower than the product of
/// both lengths.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut in_name) = (0, 0);
    let mut star = None;
    while in_name < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == name[in_name] => {
                at += 1;
                in_name += 1;
            }
            _ => match star {
                None => return false,
                Some((behind, from)) => {
                    star = Some((behind, from + 1));
                    at = behind + 1;
                    in_name = from + 1;
                }
            },
        }
    }
    pattern[at..].iter().all(|wanted| *wanted == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        let fits = |pattern: &str, name: &str| Trust::new([pattern]).includes(name);
        for (pattern, name) in
            [("lib*", "lib"), ("lib*", "library"), ("*.h", "a/b.h"), ("a?c", "abc"), ("*a*b", "xaab")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("lib", "library"), ("*.h", "h.c"), ("a?c", "ac"), ("", "a"), ("*a*b", "xab_")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
