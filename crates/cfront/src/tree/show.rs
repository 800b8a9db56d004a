//! The tree as text that looks like C with every conversion written out, for tests and for looking at it.
//!
//! A place that is read is shown by its name alone; `@` tells of volatile and atomic accesses. Deep
//! expressions are cut off.

use std::fmt::Write as _;

use super::{
    Access, Arithmetic, Base, Callee, Comparison, ExprId, ExprKind, FunctionId, InitEntry, InitValue, Logic,
    ObjectId, PlaceId, PlaceKind, Program, StmtId, StmtKind, Storage, StringId, Type, Unary,
};

const DEEPEST: usize = 500;

impl Program {
    /// All objects that exist from the start, then all functions with a body.
    pub fn show(&self) -> String {
        let mut text = String::new();
        for object in self.object_ids() {
            if !matches!(self[object].storage, Storage::Local | Storage::Parameter) {
                _ = writeln!(text, "{};", self.show_object(object));
            }
        }
        for function in self.function_ids() {
            if self[function].body.is_some() {
                text.push_str(&self.show_function(function));
            }
        }
        text
    }

    pub fn show_function(&self, id: FunctionId) -> String {
        let function = &self[id];
        let parameters: Vec<_> = function.parameters.iter().map(|object| self.show_object(*object)).collect();
        let result = self.types.spell(function.result);
        let mut text = format!("{result} {}({})\n", function.name, parameters.join(", "));
        if let Some(body) = function.body {
            self.stmt(body, 0, &mut text);
        }
        text
    }

    pub fn show_expr(&self, id: ExprId) -> String {
        let mut text = String::new();
        self.expr(id, 0, &mut text);
        text
    }

    fn show_object(&self, id: ObjectId) -> String {
        let object = &self[id];
        let storage = match object.storage {
            Storage::Static => "static ",
            Storage::Thread => "thread ",
            Storage::Extern => "extern ",
            Storage::Local | Storage::Parameter => "",
        };
        let mut text = format!("{storage}{} {}", self.types.spell(object.ty), self.object_name(id));
        if let Some(init) = &object.init {
            text.push_str(" = ");
            self.init(&init.entries, 0, &mut text);
        }
        text
    }

    fn object_name(&self, id: ObjectId) -> String {
        self[id].name.as_deref().map_or_else(|| format!("literal{}", id.index()), str::to_owned)
    }

    fn init(&self, entries: &[InitEntry], depth: usize, text: &mut String) {
        text.push('{');
        for (index, entry) in entries.iter().enumerate() {
            _ = write!(text, "{}+{}", if index == 0 { "" } else { ", " }, entry.offset);
            if let Some(bits) = entry.bits {
                _ = write!(text, ".{}:{}", bits.start, bits.width);
            }
            text.push_str(": ");
            match entry.value {
                InitValue::Expr(expr) => self.expr(expr, depth + 1, text),
                InitValue::String(string) => text.push_str(&self.string(string)),
            }
        }
        text.push('}');
    }

    fn string(&self, id: StringId) -> String {
        let characters = self[id].elements.iter().take(self[id].elements.len().saturating_sub(1));
        let text: String = characters.map(|element| char::from_u32(*element).unwrap_or('?')).collect();
        format!("{text:?}")
    }

    fn stmt(&self, id: StmtId, indent: usize, text: &mut String) {
        let pad = "  ".repeat(indent);
        if indent > DEEPEST {
            _ = writeln!(text, "...");
            return;
        }
        let show = |expr: &ExprId| self.show_expr(*expr);
        match &self[id].kind {
            StmtKind::Empty => _ = writeln!(text, "{pad};"),
            StmtKind::Expr(expr) => _ = writeln!(text, "{pad}{};", show(expr)),
            StmtKind::Block(stmts) => {
                _ = writeln!(text, "{pad}{{");
                for stmt in stmts {
                    self.stmt(*stmt, indent + 1, text);
                }
                _ = writeln!(text, "{pad}}}");
            }
            StmtKind::Declare(objects) => {
                for object in objects {
                    _ = writeln!(text, "{pad}{};", self.show_object(*object));
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                _ = writeln!(text, "{pad}if ({})", show(condition));
                self.stmt(*then, indent + 1, text);
                if let Some(otherwise) = otherwise {
                    _ = writeln!(text, "{pad}else");
                    self.stmt(*otherwise, indent + 1, text);
                }
            }
            StmtKind::While { condition, body } => {
                _ = writeln!(text, "{pad}while ({})", show(condition));
                self.stmt(*body, indent + 1, text);
            }
            StmtKind::DoWhile { body, condition } => {
                _ = writeln!(text, "{pad}do");
                self.stmt(*body, indent + 1, text);
                _ = writeln!(text, "{pad}while ({});", show(condition));
            }
            StmtKind::For { init, condition, step, body } => {
                _ = writeln!(text, "{pad}for");
                if let Some(init) = init {
                    self.stmt(*init, indent + 2, text);
                }
                let condition = condition.as_ref().map(show).unwrap_or_default();
                _ = writeln!(text, "{pad}    while ({condition})");
                let step = step.as_ref().map(show).unwrap_or_default();
                _ = writeln!(text, "{pad}    step {step};");
                self.stmt(*body, indent + 1, text);
            }
            StmtKind::Switch { value, body, cases, default } => {
                _ = write!(text, "{pad}switch ({})", show(value));
                for case in cases {
                    let range = match case.high == case.low {
                        true => case.low.to_string(),
                        false => format!("{}...{}", case.low, case.high),
                    };
                    _ = write!(text, " {range} -> s{}", case.target.index());
                }
                if let Some(default) = default {
                    _ = write!(text, " else -> s{}", default.index());
                }
                text.push('\n');
                self.stmt(*body, indent + 1, text);
            }
            StmtKind::Target { body } => {
                _ = writeln!(text, "{pad}s{}:", id.index());
                self.stmt(*body, indent, text);
            }
            StmtKind::Label { label, body } => {
                _ = writeln!(text, "{pad}{}:", self[*label].name);
                self.stmt(*body, indent, text);
            }
            StmtKind::Goto(label) => _ = writeln!(text, "{pad}goto {};", self[*label].name),
            StmtKind::Break => _ = writeln!(text, "{pad}break;"),
            StmtKind::Continue => _ = writeln!(text, "{pad}continue;"),
            StmtKind::Return(None) => _ = writeln!(text, "{pad}return;"),
            StmtKind::Return(Some(value)) => _ = writeln!(text, "{pad}return {};", show(value)),
        }
    }

    fn place_text(&self, id: PlaceId, depth: usize, text: &mut String) {
        if depth > DEEPEST {
            text.push_str("...");
            return;
        }
        match self[id].kind {
            PlaceKind::Variable(object) => text.push_str(&self.object_name(object)),
            PlaceKind::String(string) => text.push_str(&self.string(string)),
            PlaceKind::Deref(pointer) => {
                text.push('*');
                self.expr(pointer, depth + 1, text);
            }
            PlaceKind::Index { array, index } => {
                self.place_text(array, depth + 1, text);
                text.push('[');
                self.expr(index, depth + 1, text);
                text.push(']');
            }
            PlaceKind::Element { pointer, index } => {
                self.expr(pointer, depth + 1, text);
                text.push_str("->[");
                self.expr(index, depth + 1, text);
                text.push(']');
            }
            PlaceKind::Member { record, field } => {
                let grouped = matches!(self[record].kind, PlaceKind::Deref(_));
                text.push_str(if grouped { "(" } else { "" });
                self.place_text(record, depth + 1, text);
                text.push_str(if grouped { ")." } else { "." });
                match self.types.get(self[record].ty) {
                    Type::Record(id) => {
                        let name = self.types.record(id).fields.get(field as usize);
                        let name = name.and_then(|field| field.name.as_deref());
                        text.push_str(name.unwrap_or("_"));
                    }
                    _ => text.push('?'),
                }
            }
            PlaceKind::Temporary(value) => self.expr(value, depth + 1, text),
            PlaceKind::CompoundLiteral(object) => {
                _ = write!(text, "({})", self.types.spell(self[object].ty));
                if let Some(init) = &self[object].init {
                    self.init(&init.entries, depth, text);
                }
            }
        }
    }

    fn expr(&self, id: ExprId, depth: usize, text: &mut String) {
        if depth > DEEPEST {
            text.push_str("...");
            return;
        }
        let ty = self[id].ty;
        let deeper = depth + 1;
        let access = |access: Access| match access {
            Access::Plain => "",
            Access::Volatile => "@volatile",
            Access::Atomic => "@atomic",
        };
        match &self[id].kind {
            ExprKind::Int(0) if self.types.is_pointer(ty) => text.push_str("null"),
            ExprKind::Int(value) => _ = write!(text, "{value}"),
            ExprKind::Float(value) => _ = write!(text, "{value:?}"),
            ExprKind::Function(function) => _ = write!(text, "&{}", self[*function].name),
            ExprKind::Address { base, offset } => {
                let base = match base {
                    Base::Object(object) => self.object_name(*object),
                    Base::Function(function) => self[*function].name.to_string(),
                    Base::String(string) => self.string(*string),
                };
                _ = write!(text, "&{base}");
                if *offset != 0 {
                    _ = write!(text, "{offset:+}");
                }
            }
            ExprKind::AddressOf(place) => {
                text.push('&');
                self.place_text(*place, deeper, text);
            }
            ExprKind::Decay(place) => {
                text.push_str("[]");
                self.place_text(*place, deeper, text);
            }
            ExprKind::Load { place, access: how } => {
                self.place_text(*place, deeper, text);
                text.push_str(access(*how));
            }
            ExprKind::Unary { op, operand } => {
                text.push(match op {
                    Unary::Negate => '-',
                    Unary::Complement => '~',
                    Unary::Not => '!',
                });
                self.expr(*operand, deeper, text);
            }
            ExprKind::Binary { op, left, right } => self.infix(*left, spelling(*op), *right, deeper, text),
            ExprKind::Compare { op, left, right } => {
                let op = match op {
                    Comparison::Equal => "==",
                    Comparison::NotEqual => "!=",
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterEqual => ">=",
                };
                self.infix(*left, op, *right, deeper, text);
            }
            ExprKind::PointerAdd { pointer, index, back } => {
                self.infix(*pointer, if *back { "->-" } else { "->+" }, *index, deeper, text);
            }
            ExprKind::PointerDifference { left, right } => self.infix(*left, "-><-", *right, deeper, text),
            ExprKind::Convert { operand, .. } => {
                _ = write!(text, "({})", self.types.spell(ty));
                self.expr(*operand, deeper, text);
            }
            ExprKind::Logical { op, left, right } => {
                let op = match op {
                    Logic::And => "&&",
                    Logic::Or => "||",
                };
                self.infix(*left, op, *right, deeper, text);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                text.push('(');
                self.expr(*condition, deeper, text);
                text.push_str(" ? ");
                self.expr(*then, deeper, text);
                text.push_str(" : ");
                self.expr(*otherwise, deeper, text);
                text.push(')');
            }
            ExprKind::Comma { first, second } => self.infix(*first, ",", *second, deeper, text),
            ExprKind::OrElse { value, otherwise } => self.infix(*value, "?:", *otherwise, deeper, text),
            ExprKind::Assign { place, value, access: how } => {
                text.push('(');
                self.place_text(*place, deeper, text);
                _ = write!(text, "{} = ", access(*how));
                self.expr(*value, deeper, text);
                text.push(')');
            }
            ExprKind::Compound { place, op, right, computed_in, access: how } => {
                text.push('(');
                self.place_text(*place, deeper, text);
                _ = write!(
                    text,
                    "{} {}= in {}: ",
                    access(*how),
                    spelling(*op),
                    self.types.spell(*computed_in)
                );
                self.expr(*right, deeper, text);
                text.push(')');
            }
            ExprKind::Increment { place, down, prefix, computed_in, access: how } => {
                let op = if *down { "--" } else { "++" };
                text.push_str(if *prefix { op } else { "" });
                self.place_text(*place, deeper, text);
                text.push_str(access(*how));
                text.push_str(if *prefix { "" } else { op });
                if *computed_in != ty {
                    _ = write!(text, " in {}", self.types.spell(*computed_in));
                }
            }
            ExprKind::Call { callee, arguments } => {
                match callee {
                    Callee::Direct(function) => text.push_str(&self[*function].name),
                    Callee::Pointer(pointer) => {
                        text.push_str("(*");
                        self.expr(*pointer, deeper, text);
                        text.push(')');
                    }
                }
                self.arguments(arguments, deeper, text);
            }
            ExprKind::Builtin { which, arguments } => {
                _ = write!(text, "{which:?}");
                self.arguments(arguments, deeper, text);
            }
            ExprKind::Statement { body, value } => {
                text.push_str("({\n");
                self.stmt(*body, deeper, text);
                if let Some(value) = value {
                    self.expr(*value, deeper, text);
                }
                text.push_str("})");
            }
        }
    }

    fn infix(&self, left: ExprId, op: &str, right: ExprId, depth: usize, text: &mut String) {
        text.push('(');
        self.expr(left, depth, text);
        text.push_str(if op == "," { "" } else { " " });
        _ = write!(text, "{op} ");
        self.expr(right, depth, text);
        text.push(')');
    }

    fn arguments(&self, arguments: &[ExprId], depth: usize, text: &mut String) {
        text.push('(');
        for (index, argument) in arguments.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { ", " });
            self.expr(*argument, depth, text);
        }
        text.push(')');
    }
}

fn spelling(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "%",
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::ShiftLeft => "<<",
        Arithmetic::ShiftRight => ">>",
        Arithmetic::And => "&",
        Arithmetic::Or => "|",
        Arithmetic::Xor => "^",
    }
}
