//! SV-COMP's violation witnesses of format 2.x: a sequence of segments, each some waypoints to avoid and one to follow.

use super::yaml_text::{Node, parse};
use super::{Waypoint, What, Witness, WitnessError, result_value};

pub(super) fn read(text: &str) -> Result<Witness, WitnessError> {
    let root = parse(text)?;
    let is_sequence =
        |entry: &&Node| entry.get("entry_type").and_then(Node::text) == Some("violation_sequence");
    let entry = root.items().iter().find(is_sequence).or(Some(&root).filter(is_sequence));
    let Some(entry) = entry else {
        return Err(root.error("there is no entry of the type violation_sequence"));
    };
    let content = entry.get("content").ok_or_else(|| entry.error("the entry has no `content`"))?;
    let mut witness = Witness::default();
    for segment in content.items() {
        let waypoints = segment.get("segment").ok_or_else(|| segment.error("this is no `segment`"))?;
        for item in waypoints.items() {
            let waypoint = item.get("waypoint").ok_or_else(|| item.error("this is no `waypoint`"))?;
            witness.waypoints.extend(one(waypoint)?);
        }
    }
    Ok(witness)
}

/// A waypoint; nothing for those that say where a run does not go, or nothing that can be looked for.
fn one(node: &Node) -> Result<Option<Waypoint>, WitnessError> {
    let field = |name: &str| {
        let found = node.get(name).ok_or_else(|| node.error(format!("the waypoint has no `{name}`")))?;
        found.text().ok_or_else(|| found.error(format!("`{name}` is no text")))
    };
    let kind = field("type")?;
    match field("action")? {
        "follow" => {}
        "avoid" => return Ok(None),
        other => return Err(node.error(format!("the action `{other}` is not known"))),
    }
    let place = node.get("location").ok_or_else(|| node.error("the waypoint has no `location`"))?;
    let line = place.get("line").ok_or_else(|| place.error("the location has no `line`"))?;
    let number = line.text().and_then(|text| text.parse().ok());
    let number = number.ok_or_else(|| line.error("this is no number of a line"))?;
    let constraint = || {
        let found = node.get("constraint").and_then(|constraint| constraint.get("value"));
        let found = found.ok_or_else(|| node.error("the waypoint has no `constraint` with a `value`"))?;
        found.text().map(str::to_owned).ok_or_else(|| found.error("the constraint is no text"))
    };
    let what = match kind {
        "assumption" => What::Holds(constraint()?),
        "branching" => match constraint()?.as_str() {
            "true" => What::Branch(true),
            "false" => What::Branch(false),
            // The case of a switch: that it is met shows in what follows.
            _ => return Ok(None),
        },
        "function_return" => What::Returns(result_value(&constraint()?)),
        "function_enter" => return Ok(None),
        "target" => What::Target,
        other => return Err(node.error(format!("waypoints of the type `{other}` are not known"))),
    };
    Ok(Some(Waypoint { line: number, what }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "- entry_type: violation_sequence
  metadata:
    format_version: '2.0'
  content:
  - segment:
    - waypoint:
        type: branching
        action: avoid
        location:
          line: 3
        constraint:
          value: 'false'
    - waypoint:
        type: function_return
        action: follow
        location:
          file_name: t.c
          line: 4
          column: 32
        constraint:
          value: \"\\result == 7\"
          format: c_expression
  - segment:
    - waypoint:
        type: target
        action: follow
        location:
          line: 9
";

    #[test]
    fn segments_are_read() {
        let read = read(SAMPLE).unwrap();
        let expected =
            [Waypoint { line: 4, what: What::Returns(Some(7)) }, Waypoint { line: 9, what: What::Target }];
        assert_eq!(read.waypoints, expected);
    }

    #[test]
    fn what_is_missing_is_named_with_its_place() {
        let error = read(&SAMPLE.replace("line: 9", "line: nine")).unwrap_err();
        assert_eq!((error.line, error.column), (28, 17), "{error}");
        let error = read(&SAMPLE.replace("type: target", "type: finish")).unwrap_err();
        assert_eq!(error.line, 25, "{error}");
        assert!(error.message.contains("finish"));
    }
}
