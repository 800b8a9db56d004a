//! What is wanted of a line: which trace it belongs to, who acted, and what happened.

/// The fields of a record, by number.
pub(crate) const TRACE: usize = 0;
pub(crate) const PROCESS: usize = 1;
pub(crate) const EVENT: usize = 2;
pub(crate) const FIELDS: usize = 3;

/// What each field is called in messages.
pub(crate) const NAMES: [&str; FIELDS] = ["trace", "process", "event"];

/// The values of the wanted fields of one record; the memory is used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Values {
    texts: [String; FIELDS],
    present: [bool; FIELDS],
}

impl Values {
    pub(crate) fn clear(&mut self) {
        self.present = [false; FIELDS];
    }

    pub(crate) fn set(&mut self, field: usize, text: &str) {
        self.texts[field].clear();
        self.texts[field].push_str(text);
        self.present[field] = true;
    }

    pub(crate) fn get(&self, field: usize) -> Option<&str> {
        self.present[field].then_some(self.texts[field].as_str())
    }
}
