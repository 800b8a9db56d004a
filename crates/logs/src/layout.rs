//! How the lines of a log are written, from its name and its first lines.

use std::sync::Arc;

use crate::csv::{self, Row};
use crate::json;
use crate::options::{Kind, Options};
use crate::record::{EVENT, FIELDS, NAMES, PROCESS, TRACE};

/// Names that the field with the event usually has, the best first.
const USUAL: [&str; 8] = ["event", "message", "msg", "action", "activity", "log", "text", "name"];

/// All that is needed to read a line.
#[derive(Debug)]
pub(crate) enum Layout {
    /// The line is the event.
    Text,
    /// The line has named groups.
    Groups(regex::Regex),
    Json(json::Paths),
    Csv(Columns),
}

#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) delimiter: u8,
    pub(crate) fields: [Option<usize>; FIELDS],
    /// How many columns a row has, where a header says so.
    pub(crate) count: Option<usize>,
    /// Whether the first row names the columns.
    pub(crate) header: bool,
}

impl Layout {
    /// The layout of a log called `name` that begins with `start`; an error is a sentence.
    pub(crate) fn detect(name: &str, start: &str, options: &Options) -> Result<Arc<Self>, String> {
        let fields = [&options.fields.trace, &options.fields.process, &options.fields.event];
        let first = start.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let kind = options.kind.or_else(|| named(name)).unwrap_or_else(|| guessed(first, &fields));
        let layout = match kind {
            Kind::Text => Self::text(options, &fields)?,
            _ if options.line.is_some() => {
                return Err(format!("a pattern for lines is for plain text; this is {}", kind.name()));
            }
            Kind::JsonLines => Self::Json(paths(start, fields)?),
            Kind::Csv => Self::Csv(columns(start, fields)?),
        };
        Ok(Arc::new(layout))
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Text | Self::Groups(_) => Kind::Text,
            Self::Json(_) => Kind::JsonLines,
            Self::Csv(_) => Kind::Csv,
        }
    }

    fn text(options: &Options, fields: &[&Option<String>; FIELDS]) -> Result<Self, String> {
        if let Some(field) = fields.iter().find_map(|field| field.as_ref()) {
            return Err(format!(
                "plain text has no field `{field}`: name its parts with a pattern for lines, with groups \
                 (?<trace>..), (?<process>..), (?<event>..)"
            ));
        }
        match &options.line {
            None => Ok(Self::Text),
            Some(line) if line.capture_names().flatten().any(|name| name == NAMES[EVENT]) => {
                Ok(Self::Groups(line.clone()))
            }
            Some(_) => Err("the pattern for lines has no group (?<event>..)".to_owned()),
        }
    }
}

fn named(name: &str) -> Option<Kind> {
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_suffix(".gz").or_else(|| lower.strip_suffix(".zst")).unwrap_or(&lower);
    match bare.rsplit_once('.')?.1 {
        "jsonl" | "ndjson" | "json" => Some(Kind::JsonLines),
        "csv" | "tsv" => Some(Kind::Csv),
        _ => None,
    }
}

/// Objects are JSON; a first line that has the wanted names between separators is a header; all else is
/// plain text.
fn guessed(first: &str, fields: &[&Option<String>; FIELDS]) -> Kind {
    if json::names(first).is_some() {
        return Kind::JsonLines;
    }
    let mut wanted = fields.iter().filter_map(|field| field.as_deref()).peekable();
    let mut header = Row::default();
    if wanted.peek().is_some() && header.read(first, csv::delimiter(first)).is_some() {
        let names: Vec<&str> = (0..header.len()).filter_map(|column| header.get(first, column)).collect();
        if names.len() > 1 && wanted.all(|field| names.contains(&field)) {
            return Kind::Csv;
        }
    }
    Kind::Text
}

fn paths(start: &str, fields: [&Option<String>; FIELDS]) -> Result<json::Paths, String> {
    if start.trim_start().starts_with('[') {
        return Err(
            "this is one JSON list; what is read is one JSON object a line: `jq -c '.[]'` makes it so"
                .to_owned(),
        );
    }
    let mut paths = fields.map(Clone::clone);
    if paths[EVENT].is_none() {
        // The last line may be cut off.
        let names = start.lines().find_map(json::names).unwrap_or_default();
        paths[EVENT] = Some(usual(&names, "member")?);
    }
    Ok(paths)
}

fn columns(start: &str, fields: [&Option<String>; FIELDS]) -> Result<Columns, String> {
    let first = start.lines().next().unwrap_or_default();
    let delimiter = csv::delimiter(first);
    let mut header = Row::default();
    header.read(start, delimiter).ok_or("a quoted field of the first row does not end")?;
    let names: Vec<String> =
        (0..header.len()).map(|column| header.get(start, column).unwrap_or_default().to_owned()).collect();
    // Without a header columns have numbers only.
    let numbers = fields.map(|field| field.as_ref()?.parse::<usize>().ok()?.checked_sub(1));
    let given = fields.iter().filter(|field| field.is_some()).count();
    if fields[EVENT].is_some()
        && numbers.iter().flatten().count() == given
        && !fields.iter().any(|field| field.as_ref().is_some_and(|field| names.contains(field)))
    {
        return Ok(Columns { delimiter, fields: numbers, count: None, header: false });
    }
    let mut found = [None; FIELDS];
    for field in [TRACE, PROCESS, EVENT] {
        let wanted = match fields[field] {
            Some(name) => name.clone(),
            None if field == EVENT => usual(&names, "column")?,
            None => continue,
        };
        let column = names.iter().position(|name| *name == wanted);
        found[field] = Some(column.ok_or_else(|| {
            format!("no column `{wanted}` for the {}; the columns are {}", NAMES[field], listed(&names))
        })?);
    }
    Ok(Columns { delimiter, fields: found, count: Some(names.len()), header: true })
}

/// The one of `names` that usually has the event.
fn usual(names: &[String], what: &str) -> Result<String, String> {
    let found = USUAL.iter().find(|usual| names.iter().any(|name| name == *usual));
    found.map(|name| (*name).to_owned()).ok_or_else(|| match names {
        [] => format!("no {what} to take the event from: the first lines are not records"),
        _ => format!("which {what} has the event? There are {}", listed(names)),
    })
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 12;
    let mut text: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST {
        text.push(format!("{} more", names.len() - MOST));
    }
    text.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Fields;

    fn detected(name: &str, start: &str, trace: Option<&str>, event: Option<&str>) -> Result<Kind, String> {
        let fields =
            Fields { trace: trace.map(str::to_owned), process: None, event: event.map(str::to_owned) };
        Layout::detect(name, start, &Options { fields, ..Options::default() }).map(|layout| layout.kind())
    }

    #[test]
    fn names_come_before_content() {
        assert_eq!(detected("a.log", "{\"msg\":\"x\"}\n", None, None), Ok(Kind::JsonLines));
        assert_eq!(detected("a.log", "conn open\n", None, None), Ok(Kind::Text));
        assert_eq!(detected("a.CSV.gz", "time,event\n1,a\n", None, None), Ok(Kind::Csv));
        assert_eq!(detected("a.jsonl.zst", "{\"e\":1}\n", None, Some("e")), Ok(Kind::JsonLines));
        assert_eq!(detected("a", "id;what\n1;a\n", Some("id"), Some("what")), Ok(Kind::Csv));
        assert_eq!(detected("a.log", "{ not json }\n", None, None), Ok(Kind::Text));
    }

    #[test]
    fn what_cannot_be_told_is_asked_for() {
        for (name, start, trace, event, why) in [
            ("a.jsonl", "{\"x\":1}\n", None, None, "which member has the event? There are `x`"),
            ("a.json", "[{\"x\":1}]\n", None, None, "jq -c"),
            ("a.csv", "x,y\n", None, Some("z"), "no column `z` for the event; the columns are `x`, `y`"),
            ("a.csv", "x,y\n", None, None, "which column"),
            ("a.log", "plain\n", Some("id"), None, "plain text has no field `id`"),
            ("a.csv", "\"x\n", None, None, "does not end"),
        ] {
            let error = detected(name, start, trace, event).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn columns_without_a_header_have_numbers() {
        let fields = Fields { event: Some("2".to_owned()), ..Fields::default() };
        let layout = Layout::detect("a.csv", "1,a\n", &Options { fields, ..Options::default() }).unwrap();
        assert!(matches!(
            &*layout,
            Layout::Csv(Columns { header: false, fields: [None, None, Some(1)], .. })
        ));
    }
}
