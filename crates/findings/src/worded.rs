//! Data that a report shows as words.
//!
//! The results of methods are the same in findings and in reports, but for a few places where people read a sentence. Such a
//! place holds both: the data, and the words that `report` makes of it before anything is shown. Nothing reads them back.

use serde::{Serialize, Serializer};

/// Data, with the words for it once they were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worded<T, W = String> {
    pub data: T,
    words: Option<W>,
}

impl<T, W> Worded<T, W> {
    /// Makes the words.
    pub fn tell(&mut self, words: impl FnOnce(&T) -> W) {
        self.words = Some(words(&self.data));
    }

    /// The words; none before they were made.
    pub fn words(&self) -> Option<&W> {
        self.words.as_ref()
    }
}

impl<T> Worded<T> {
    /// The words as text.
    pub fn text(&self) -> &str {
        self.words.as_deref().unwrap_or_default()
    }
}

impl<T, W> From<T> for Worded<T, W> {
    fn from(data: T) -> Self {
        Self { data, words: None }
    }
}

impl<T, W: Serialize> Serialize for Worded<T, W> {
    /// As its words, which is how a report shows it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_shown_by_its_words_alone() {
        let mut seven: Worded<u8> = 7.into();
        assert_eq!((serde_json::to_string(&seven).unwrap().as_str(), seven.text()), ("null", ""));
        seven.tell(|number| format!("the number {number}"));
        assert_eq!(serde_json::to_string(&seven).unwrap(), "\"the number 7\"");
        assert_eq!((seven.data, seven.text()), (7, "the number 7"));
    }
}
