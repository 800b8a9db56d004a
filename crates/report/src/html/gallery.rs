//! A page that leads to several reports: the same style and the same policy, without a script. Which colours it has is
//! up to the browser, because nobody is there to ask.

use std::io;

use super::{escaped, head};

/// One report, and what to say of it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The file of the report, beside this page.
    pub file: String,
    /// What kind of example it is.
    pub kind: String,
    /// The command that makes the report.
    pub command: String,
    /// What is wrong.
    pub verdict: String,
    /// The first cause, and what its recheck said.
    pub cause: String,
    pub recheck: String,
}

/// Layout of this page alone, beside the style of the reports.
const OWN: &str = include_str!("assets/gallery.css");

/// Writes the page.
pub fn gallery(entries: &[Entry], out: &mut dyn io::Write) -> io::Result<()> {
    head("Gallery", &format!("{}{OWN}", super::STYLE), None, out)?;
    write!(
        out,
        "<header><span class=\"brand\">Wherefore</span>\n<h1>Reports of the examples</h1></header>\n\
         <main id=\"main\" class=\"gallery\">\n"
    )?;
    for entry in entries {
        let class = if entry.recheck == "confirmed" { "good" } else { "muted" };
        write!(
            out,
            "<article class=\"card\">\n<h2><a href=\"{}\">{}</a></h2>\n\
             <p><span class=\"badge danger\">violated</span>{}</p>\n\
             <p>{}</p>\n<p><span class=\"badge {class}\">{}</span></p>\n\
             <p><code>{}</code></p>\n</article>\n",
            escaped(&entry.file),
            escaped(&entry.kind),
            escaped(&entry.verdict),
            coded(&entry.cause),
            escaped(&entry.recheck),
            escaped(&entry.command),
        )?;
    }
    write!(out, "</main>\n</body>\n</html>\n")
}

/// A sentence whose parts in backticks are code.
fn coded(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(sentence);
    }
    let part = |(number, part): (usize, &&str)| match number % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_text() {
        assert_eq!(coded("step `a<b` is"), "step <code>a&#60;b</code> is");
        assert_eq!(coded("a ` b<"), "a ` b&#60;");
        let entry = Entry {
            file: "a\".html".to_owned(),
            kind: "<b>".to_owned(),
            command: "wherefore 'x' && y".to_owned(),
            verdict: "deadlock".to_owned(),
            cause: "</p><script>".to_owned(),
            recheck: "confirmed".to_owned(),
        };
        let mut page = Vec::new();
        gallery(&[entry], &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("href=\"a&#34;.html\"") && page.contains("&#60;b&#62;"), "{page}");
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert!(page.contains("default-src 'none'; style-src 'sha256-"), "{page}");
    }
}
