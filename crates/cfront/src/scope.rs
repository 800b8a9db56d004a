//! The variables that a statement can name.

use ::model::{Place, Scalar};

use crate::lower::Home;
use crate::model::Model;
use crate::tree::{ObjectId, Program, StmtId, StmtKind, Type};

impl Model {
    /// The integer variables that the source names where a statement stands: those of its function that are declared
    /// before it in blocks that are still open, innermost first, and globals.
    pub fn variables_at(&self, statement: u32) -> Vec<(String, Place)> {
        let Some(statement) = self.program().statements.get(statement as usize) else { return Vec::new() };
        let function = self.origins.get(statement.function.0 as usize).copied();
        let mut found: Vec<(String, Place)> = Vec::new();
        let ids: Vec<ObjectId> = self.tree.object_ids().collect();
        for local in [true, false] {
            for id in ids.iter().rev() {
                let object = &self.tree[*id];
                let Some(name) = &object.name else { continue };
                let Some(scalar) = self.integer(*id) else { continue };
                let place = match self.homes[id.index()] {
                    Home::Local { offset, .. } if local && object.function == function => {
                        let scope = object.span.end..self.scope_ends[id.index()];
                        if !scope.contains(&statement.span.start) {
                            continue;
                        }
                        Place::local(offset, scalar)
                    }
                    Home::Global { offset, .. }
                        if !local && object.function.is_none_or(|owner| Some(owner) == function) =>
                    {
                        Place::global(offset, scalar)
                    }
                    _ => continue,
                };
                if !found.iter().any(|(known, _)| **known == **name) {
                    found.push((name.to_string(), place));
                }
            }
        }
        found
    }

    fn integer(&self, id: ObjectId) -> Option<Scalar> {
        let ty = self.tree[id].ty;
        match self.tree.types.get(ty) {
            Type::Bool | Type::Int(_) | Type::Enum(_) => {
                let int = self.tree.types.int(ty).filter(|int| int.bits <= 64)?;
                Some(Scalar { bits: int.bits, signed: int.signed })
            }
            _ => None,
        }
    }
}

/// Where in the preprocessed text the scope of every object ends: with the block that declares it, with the whole loop
/// if a `for` does, with the body of the function if it is a parameter. Objects that exist from the start have none.
pub(crate) fn scope_ends(tree: &Program) -> Vec<usize> {
    let mut ends = vec![0; tree.objects.len()];
    for function in &tree.functions {
        if let Some(body) = function.body {
            for parameter in &function.parameters {
                ends[parameter.index()] = tree[body].span.end;
            }
        }
    }
    for scope in &tree.stmts {
        let statements = match &scope.kind {
            StmtKind::Block(statements) => statements,
            StmtKind::For { init, .. } => init.as_slice(),
            _ => continue,
        };
        for object in statements.iter().flat_map(|statement| declared(tree, *statement)) {
            ends[object.index()] = scope.span.end;
        }
    }
    ends
}

/// The variables that a statement declares, which may have labels.
fn declared(tree: &Program, statement: StmtId) -> &[ObjectId] {
    match &tree[statement].kind {
        StmtKind::Declare(objects) => objects,
        StmtKind::Label { body, .. } | StmtKind::Target { body } => declared(tree, *body),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use preprocess::NoFiles;

    use crate::{Model, Options};

    /// The names that every call of `look` can use, by its argument.
    fn seen(text: &str) -> Vec<(String, String)> {
        let text = format!("int last;\nvoid look(int place) {{ last = place; }}\n{text}");
        let reading = Model::read(&NoFiles, Path::new("t.c"), &text, &Options::default(), None);
        let model = reading.model.unwrap_or_else(|| panic!("{:?}\n{text}", reading.diagnostics));
        let statements = &model.program().statements;
        let mut found: Vec<(String, String)> = Vec::new();
        for (number, statement) in (0..).zip(statements) {
            let Some(place) = statement.text.strip_prefix("look(").and_then(|rest| rest.strip_suffix(')'))
            else {
                continue;
            };
            let names =
                model.variables_at(number).into_iter().map(|(name, _)| name).filter(|name| name != "last");
            found.push((place.to_owned(), names.collect::<Vec<_>>().join(" ")));
        }
        found.sort();
        found.dedup();
        found
    }

    fn check(text: &str, expected: &[(&str, &str)]) {
        let seen = seen(text);
        let seen: Vec<(&str, &str)> = seen.iter().map(|(place, names)| (&**place, &**names)).collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn a_block_that_ends_takes_its_variables_along() {
        let text = "
            int inside(int a, int b) { look(1); if (a) { int c = b; look(2); } look(3); return b; }
            int main(void) {
                int x = inside(1, 2);
                { int y = x; look(4); { int x = y; look(5); } look(6); }
                do { int z = x; look(7); x--; } while (x > 0);
                look(8);
                int late = 1;
                look(9);
                return late;
            }";
        let expected = [
            ("1", "b a"),
            ("2", "c b a"),
            ("3", "b a"),
            ("4", "y x"),
            ("5", "x y"),
            ("6", "y x"),
            ("7", "z x"),
            ("8", "x"),
            ("9", "late x"),
        ];
        check(text, &expected);
    }

    #[test]
    fn braces_that_are_no_blocks_open_and_close_nothing() {
        let text = "
            #define OPEN {
            #define CLOSE }
            struct pair { int first, second; };
            int main(void) {
                int x = 1;
                const char *text = \"}}}\"; /* } */ // }
                char brace = '}';
                struct pair pair = { 1, 2 };
                look(1);
                OPEN int y = x; look(2); CLOSE
                text = \"{\"; brace = '{'; /* { */
                look(3);
                return text[0] + brace + pair.first;
            }";
        check(text, &[("1", "brace x"), ("2", "y brace x"), ("3", "brace x")]);
    }

    #[test]
    fn the_variables_of_a_loop_end_with_it() {
        let text = "
            int main(void) {
                int sum = 0;
                for (int i = 0; i < 2; i++) { int twice = 2 * i; look(1); sum += twice; }
                look(2);
                for (int j = 0; j < 2; j++) look(3);
                look(4);
                switch (sum) { case 0: { int k = 1; look(5); sum = k; } default: look(6); }
                look(7);
                sum = ({ int inner = sum; look(8); inner; });
                look(9);
                return sum;
            }";
        let expected = [
            ("1", "twice i sum"),
            ("2", "sum"),
            ("3", "j sum"),
            ("4", "sum"),
            ("5", "k sum"),
            ("6", "sum"),
            ("7", "sum"),
            ("8", "inner sum"),
            ("9", "sum"),
        ];
        check(text, &expected);
    }
}
