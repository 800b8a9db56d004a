//! Interned labels: each distinct text once, in one string, with a number.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// The distinct labels of a graph, numbered from 0 in the order in which they were first seen.
#[derive(Clone, Default)]
pub struct Labels {
    text: String,
    /// Where each label ends in `text`.
    ends: Vec<usize>,
    index: HashTable<u32>,
}

impl Labels {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of label `id`.
    ///
    /// # Panics
    /// If no label has that number.
    pub fn get(&self, id: u32) -> &str {
        &self.text[self.start(id)..self.ends[id as usize]]
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.get(id))
    }

    pub fn find(&self, label: &str) -> Option<u32> {
        self.find_bytes(label.as_bytes())
    }

    /// Looks a label up by its bytes, which need not be checked for UTF-8 first: readers meet the
    /// same few labels millions of times, and only a new one has to be checked.
    pub fn find_bytes(&self, label: &[u8]) -> Option<u32> {
        self.index.find(hash(label), |id| self.bytes(*id) == label).copied()
    }

    pub fn intern(&mut self, label: &str) -> u32 {
        let hash_of_label = hash(label.as_bytes());
        let Self { text, ends, index } = self;
        if let Some(id) = index.find(hash_of_label, |id| slice(text, ends, *id) == label.as_bytes()) {
            return *id;
        }
        let id = ends.len() as u32;
        text.push_str(label);
        ends.push(text.len());
        index.insert_unique(hash_of_label, id, |id| hash(slice(text, ends, *id)));
        id
    }

    fn start(&self, id: u32) -> usize {
        start(&self.ends, id)
    }

    fn bytes(&self, id: u32) -> &[u8] {
        slice(&self.text, &self.ends, id)
    }
}

impl std::fmt::Debug for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

fn start(ends: &[usize], id: u32) -> usize {
    if id == 0 { 0 } else { ends[id as usize - 1] }
}

fn slice<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a [u8] {
    &text.as_bytes()[start(ends, id)..ends[id as usize]]
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_a_number() {
        let mut labels = Labels::new();
        assert_eq!(labels.intern("a"), 0);
        assert_eq!(labels.intern(""), 1);
        assert_eq!(labels.intern("ab"), 2);
        assert_eq!(labels.intern("a"), 0);
        assert_eq!(labels.iter().collect::<Vec<_>>(), ["a", "", "ab"]);
        assert_eq!(labels.find("ab"), Some(2));
        assert_eq!(labels.find("b"), None);
    }

    #[test]
    fn many_labels_survive_growth() {
        let mut labels = Labels::new();
        for n in 0..10_000 {
            assert_eq!(labels.intern(&format!("l{n}")), n);
        }
        for n in 0..10_000 {
            assert_eq!(labels.find(&format!("l{n}")), Some(n));
        }
    }
}
