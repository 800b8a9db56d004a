//! Names that do not occur: the nearest one that does, and a list of them.

use graph::Labels;

/// How many names are listed.
const MOST_LISTED: usize = 20;

/// What to say beside a name that does not occur: which one may be meant, and which there are. `what` is what they are
/// called, in the plural; `words` are understood besides, beside numbers of lines.
pub(crate) fn instead_of<'a>(
    name: &str,
    what: &str,
    names: impl IntoIterator<Item = &'a str>,
    words: &[&str],
) -> String {
    let mut labels = Labels::default();
    for known in names {
        labels.intern(known);
    }
    let count = labels.len();
    let listed: Vec<String> = labels.iter().take(MOST_LISTED).map(|known| format!("`{known}`")).collect();
    let more = count.saturating_sub(MOST_LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let list = match count {
        0 => format!("there are no {what}"),
        _ => format!("the {what} are {}{more}", listed.join(", ")),
    };
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let list = match words {
        [] => list,
        _ => format!("{list}; properties are {}, or the number of a line", quoted.join(", ")),
    };
    for word in words {
        labels.intern(word);
    }
    match property::closest(name, &labels) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    }
}

/// Why there is nothing to check in a line, if the text does not have it.
pub(crate) fn no_line(asked: u64, text: &str) -> Option<String> {
    let lines = text.lines().count() as u64;
    if asked == 0 || asked > lines {
        return Some(format!("there is no line {asked}: the file has {lines}"));
    }
    let line = text.lines().nth(asked as usize - 1)?.trim();
    (line.is_empty() || line.starts_with("//")).then(|| format!("there is no statement in line {asked}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_with_a_list() {
        let told = instead_of("mutx", "formulas", ["served", "mutex"], &[]);
        assert_eq!(told, "did you mean `mutex`? the formulas are `served`, `mutex`");
        assert_eq!(instead_of("other", "formulas", ["mutex"], &[]), "the formulas are `mutex`");
        assert_eq!(instead_of("p", "formulas", [], &[]), "there are no formulas");
        let told = instead_of("deadlok", "formulas", [], &["deadlock", "fault"]);
        let list = "there are no formulas; properties are `deadlock`, `fault`, or the number of a line";
        assert_eq!(told, format!("did you mean `deadlock`? {list}"));
        assert_eq!(no_line(2, "a\n\nb").as_deref(), Some("there is no statement in line 2"));
        assert_eq!(no_line(3, "a\nb\n").as_deref(), Some("there is no line 3: the file has 2"));
        assert_eq!(no_line(2, "a\nb\n"), None);
    }
}
