//! Spellings as numbers. Every token's text is kept once, so that comparing two tokens is comparing
//! two numbers and a token is small enough to be copied freely.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The number of a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Symbol(u32);

impl Symbol {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Declares the spellings the preprocessor itself asks about; they are numbered first.
macro_rules! known {
    ($($name:ident = $text:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Known { $($name),* }
        const KNOWN: &[&str] = &[$($text),*];
        impl Symbol {
            $(pub(crate) const $name: Symbol = Symbol(Known::$name as u32);)*
        }
    };
}

known! {
    NOTHING = "",
    OPEN = "(",
    CLOSE = ")",
    COMMA = ",",
    HASH = "#",
    HASH_DIGRAPH = "%:",
    PASTE = "##",
    PASTE_DIGRAPH = "%:%:",
    DOTS = "...",
    LESS = "<",
    GREATER = ">",
    DEFINED = "defined",
    VA_ARGS = "__VA_ARGS__",
    VA_OPT = "__VA_OPT__",
}

/// The table of spellings.
#[derive(Debug)]
pub(crate) struct Symbols {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Symbols {
    pub(crate) fn new() -> Self {
        let mut symbols = Self { text: String::new(), ends: Vec::new(), table: HashTable::new() };
        for text in KNOWN {
            symbols.intern(text);
        }
        symbols
    }

    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        let Self { text: all, ends, table } = self;
        let hash = FxBuildHasher.hash_one(text);
        if let Some(found) = table.find(hash, |index| slice(all, ends, *index) == text) {
            return Symbol(*found);
        }
        // The limits on input and on expansion end a run long before the numbers do.
        let index = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        all.push_str(text);
        ends.push(all.len());
        table.insert_unique(hash, index, |index| FxBuildHasher.hash_one(slice(all, ends, *index)));
        Symbol(index)
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol.0)
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], index: u32) -> &'a str {
    let index = index as usize;
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[index]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_has_one_number() {
        let mut symbols = Symbols::new();
        assert_eq!(symbols.intern("("), Symbol::OPEN);
        assert_eq!(symbols.intern("__VA_OPT__"), Symbol::VA_OPT);
        let name = symbols.intern("name");
        assert_eq!(symbols.intern("name"), name);
        assert_eq!(symbols.text(name), "name");
        assert_eq!(symbols.text(Symbol::NOTHING), "");
    }
}
