//! SV-COMP's violation witnesses of format 2.x: a sequence of segments, each some waypoints to avoid and one to follow.

use crate::yaml_text::{Node, parse};
use crate::{Waypoint, What, Witness, WitnessError, integer, result_value};

pub(crate) fn read(text: &str) -> Result<Witness, WitnessError> {
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
        let waypoints = segment.get("segment").ok_or_else(|| segment.error("this is not a `segment`"))?;
        let mut avoid = Vec::new();
        for item in waypoints.items() {
            let waypoint = item.get("waypoint").ok_or_else(|| item.error("this is not a `waypoint`"))?;
            match one(waypoint)? {
                (Action::Avoid, found) => avoid.push(found),
                (Action::Follow, found) => {
                    let avoid = std::mem::take(&mut avoid);
                    witness.waypoints.push(Waypoint { avoid, ..found });
                }
            }
        }
        if !avoid.is_empty() {
            return Err(segment.error("the segment has no waypoint to follow behind those to avoid"));
        }
    }
    Ok(witness)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Follow,
    Avoid,
}

/// A waypoint, and what to do about it.
fn one(node: &Node) -> Result<(Action, Waypoint), WitnessError> {
    let field = |name: &str| {
        let found = node.get(name).ok_or_else(|| node.error(format!("the waypoint has no `{name}`")))?;
        found.text().ok_or_else(|| found.error(format!("`{name}` is not text")))
    };
    let kind = field("type")?;
    let action = match field("action")? {
        "follow" => Action::Follow,
        "avoid" => Action::Avoid,
        other => return Err(node.error(format!("the action `{other}` is not known"))),
    };
    let place = node.get("location").ok_or_else(|| node.error("the waypoint has no `location`"))?;
    let line = place.get("line").ok_or_else(|| place.error("the location has no `line`"))?;
    let number = line.text().and_then(|text| text.parse().ok());
    let number = number.ok_or_else(|| line.error("this is not a number of a line"))?;
    let constraint = || {
        let found = node.get("constraint").and_then(|constraint| constraint.get("value"));
        let found = found.ok_or_else(|| node.error("the waypoint has no `constraint` with a `value`"))?;
        found.text().map(str::to_owned).ok_or_else(|| found.error("the constraint is not text"))
    };
    let what = match kind {
        "assumption" => What::Holds(constraint()?),
        "branching" => match constraint()?.as_str() {
            "true" => What::Branch(true),
            "false" => What::Branch(false),
            "default" => What::Case(None),
            text => match integer(text) {
                Some(value) => What::Case(Some(value)),
                None => {
                    return Err(
                        node.error(format!("`{text}` is neither a way of a branch nor a case of a switch"))
                    );
                }
            },
        },
        "function_return" => What::Returns(result_value(&constraint()?)),
        "function_enter" => What::Enters,
        "target" => What::Target,
        other => return Err(node.error(format!("waypoints of the type `{other}` are not known"))),
    };
    Ok((action, Waypoint { written: Some(node.line), ..Waypoint::new(number, what) }))
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
        let avoid = vec![Waypoint { written: Some(7), ..Waypoint::new(3, What::Branch(false)) }];
        let expected = [
            Waypoint { written: Some(14), avoid, ..Waypoint::new(4, What::Returns(Some(7))) },
            Waypoint { written: Some(25), ..Waypoint::new(9, What::Target) },
        ];
        assert_eq!(read.waypoints, expected);
    }

    #[test]
    fn cases_of_a_switch_and_calls_are_read() {
        let kind = |constraint: &str| {
            let text = SAMPLE.replace("'false'", constraint).replace("action: avoid", "action: follow");
            read(&text).map(|witness| witness.waypoints[0].what.clone())
        };
        assert_eq!(kind("3"), Ok(What::Case(Some(3))));
        assert_eq!(kind("default"), Ok(What::Case(None)));
        let error = kind("maybe").unwrap_err();
        assert!(error.message.contains("maybe") && error.line == 7, "{error}");
        let entered = SAMPLE.replace("type: target", "type: function_enter");
        assert_eq!(read(&entered).unwrap().waypoints[1].what, What::Enters);
        let error = read(&SAMPLE.replace("action: follow", "action: avoid")).unwrap_err();
        assert!(error.message.contains("to follow"), "{error}");
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
