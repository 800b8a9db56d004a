//! What a program reads from standard input, out of the text of its test.

use model::{Binary, Builtin, Command, Expr, Place, Scalar, StatementKind};

use super::formats::length;
use super::{BYTE, SCANNED, entry};
use crate::lower::Lowered;
use crate::lower::body::Body;
use crate::lower::reading::text_of;
use crate::tests::{Conversion, END, Kind};
use crate::tree::ExprId;

/// A part of a format of `scanf`.
enum Part {
    Space,
    Literal(u8),
    Item {
        conversion: Conversion,
        suppressed: bool,
        bits: u8,
    },
    /// How many characters were read.
    Count,
}

/// What a table of conversions says of the place that was read up to.
struct Found {
    value: Expr,
    taken: Expr,
    length: Expr,
    status: Expr,
    sees_end: Expr,
}

impl Body<'_, '_> {
    /// The value of a call of a function that reads; nothing if it is another one, or reads something else.
    pub(in crate::lower) fn given_call(
        &mut self,
        id: ExprId,
        name: &str,
        arguments: &[ExprId],
    ) -> Lowered<Option<Expr>> {
        if self.tested().is_none() {
            return Ok(None);
        }
        let file = match (name, arguments) {
            ("getc" | "fgetc" | "getc_unlocked" | "feof" | "ferror" | "clearerr" | "rewind", [file])
            | ("fgets", [_, _, file])
            | ("ungetc", [_, file])
            | ("fscanf", [file, ..]) => Some(*file),
            _ => None,
        };
        if let Some(file) = file {
            let file = self.kept(file)?;
            let stdin = self.lowering.files.stream_objects()[0];
            let stdin = Expr::Constant(self.lowering.pointers.pointer(stdin, 0));
            let is_other = Expr::binary(Binary::NotEqual, file, stdin);
            self.when(is_other, |body| body.give_up("the program reads a file that the test does not have"));
        }
        let value = match (name, arguments) {
            ("getchar" | "getchar_unlocked", []) | ("getc" | "fgetc" | "getc_unlocked", [_]) => {
                self.within(StatementKind::Assumption, Self::next_of_input)
            }
            ("ungetc", [character, _]) => {
                let character = self.kept(*character)?;
                self.within(StatementKind::Assumption, |body| body.back_to_input(character))
            }
            ("fgets", [to, size, _]) => {
                let (to, size) = (self.kept(*to)?, self.kept(*size)?);
                self.within(StatementKind::Assumption, |body| body.line_of_input(to, Some(size)))
            }
            ("gets", [to]) => {
                let to = self.kept(*to)?;
                self.within(StatementKind::Assumption, |body| body.line_of_input(to, None))
            }
            ("scanf", [format, to @ ..]) | ("fscanf", [_, format, to @ ..]) => {
                self.items_of_input(id, *format, to)?
            }
            ("feof", [_]) => Expr::Load(self.number_of_tests(|tested| tested.met_end)),
            ("ferror" | "rewind", [_]) => Expr::Constant(0),
            ("clearerr", [_]) => {
                let met = self.number_of_tests(|tested| tested.met_end);
                self.set(&met, Expr::Constant(0));
                Expr::Constant(0)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn position(&self) -> Place {
        self.number_of_tests(|tested| tested.read)
    }

    /// The byte that is read next, or -1.
    fn upcoming(&self, further: i64) -> Expr {
        let at = Expr::Load(self.position());
        entry(self.table_of(|tables| tables.inputs), at, 2, 2 * further, BYTE)
    }

    fn next_of_input(&mut self) -> Expr {
        let byte = self.keep(self.upcoming(0));
        let is_end = Expr::binary(Binary::Equal, byte.clone(), Expr::Constant(i64::from(END)));
        let met = self.number_of_tests(|tested| tested.met_end);
        self.set(&met, Expr::OrElse(Box::new(Expr::Load(met.clone())), Box::new(is_end.clone())));
        self.read_on(Expr::negation(is_end));
        byte
    }

    fn read_on(&mut self, by: Expr) {
        let position = self.position();
        self.set(&position, Expr::binary(Binary::Add, Expr::Load(position.clone()), by));
    }

    /// Puts back the character that was read last.
    fn back_to_input(&mut self, character: Expr) -> Expr {
        let is_end = Expr::binary(Binary::Equal, character.clone(), Expr::Constant(i64::from(END)));
        let is_there = self.keep(Expr::negation(is_end));
        let byte = Expr::Wrap(Scalar::U8, Box::new(character.clone()));
        let is_other = Expr::binary(Binary::NotEqual, self.upcoming(-1), byte);
        let at_start = Expr::binary(Binary::Equal, Expr::Load(self.position()), Expr::Constant(0));
        let is_unknown = Expr::OrElse(Box::new(at_start), Box::new(is_other));
        let is_unknown = Expr::AndAlso(Box::new(is_there.clone()), Box::new(is_unknown));
        self.when(is_unknown, |body| {
            body.give_up("another character is pushed back than the one that was read");
        });
        let met = self.number_of_tests(|tested| tested.met_end);
        let stays =
            Expr::AndAlso(Box::new(Expr::Load(met.clone())), Box::new(Expr::negation(is_there.clone())));
        self.set(&met, stays);
        self.read_on(Expr::Unary(model::Unary::Negate, Box::new(is_there)));
        character
    }

    /// What a conversion makes of what comes next.
    fn found(&mut self, conversion: Conversion) -> Found {
        let table = self.lowering.scanned(conversion);
        let at = Expr::Load(self.position());
        let mut field = |offset: i64, scalar: Scalar| {
            let value = entry(table, at.clone(), i64::from(SCANNED), offset, scalar);
            self.keep(value)
        };
        Found {
            value: field(0, Scalar::I64),
            taken: field(8, Scalar::unsigned(32)),
            length: field(12, Scalar::unsigned(32)),
            status: field(16, Scalar::U8),
            sees_end: field(17, Scalar::U8),
        }
    }

    /// Reads what was found.
    fn take_found(&mut self, found: &Found) {
        let met = self.number_of_tests(|tested| tested.met_end);
        self.set(&met, Expr::OrElse(Box::new(Expr::Load(met.clone())), Box::new(found.sees_end.clone())));
        self.read_on(found.taken.clone());
    }

    /// Copies the characters that were just read, and puts a 0 behind them if it is a text.
    fn copy_read(&mut self, to: &Expr, length: &Expr, is_text: bool) {
        let end = Expr::Load(self.position());
        let characters = Expr::Constant(self.table_of(|tables| tables.characters));
        let from = Expr::binary(Binary::Add, characters, end);
        let from = self.keep(Expr::binary(Binary::Subtract, from, length.clone()));
        let arguments = vec![to.clone(), from, length.clone()];
        self.emit(Command::Builtin { which: Builtin::CopyBytes, arguments, result: None });
        if is_text {
            let address = self.further(to.clone(), length.clone());
            self.emit(Command::Store { address, scalar: Scalar::U8, value: Expr::Constant(0) });
        }
    }

    /// Reads a line into an array of some size, with the character that ends it, or of any size, without.
    fn line_of_input(&mut self, to: Expr, size: Option<Expr>) -> Expr {
        let found = self.found(Conversion { kind: Kind::Line, width: None });
        let result = self.variable(Expr::Constant(0));
        let (length, is_whole) = match size.clone() {
            Some(size) => {
                let room = self.keep(Expr::binary(Binary::Subtract, size, Expr::Constant(1)));
                let fits = self.keep(Expr::binary(Binary::LessEqual, found.taken.clone(), room.clone()));
                let fits_in =
                    Expr::Choose(Box::new(fits.clone()), Box::new(found.taken.clone()), Box::new(room));
                (self.keep(fits_in), fits)
            }
            None => (found.taken.clone(), Expr::Constant(1)),
        };
        let met = self.number_of_tests(|tested| tested.met_end);
        let sees_end = Expr::AndAlso(Box::new(is_whole), Box::new(found.sees_end.clone()));
        self.set(&met, Expr::OrElse(Box::new(Expr::Load(met.clone())), Box::new(sees_end)));
        let is_there = Expr::negation(found.status.clone());
        self.when(is_there, |body| {
            body.read_on(length.clone());
            body.copy_read(&to, &length, true);
            if size.is_none() {
                let last = Expr::binary(Binary::Subtract, length.clone(), Expr::Constant(1));
                let last = body.further(to.clone(), last);
                let last = body.keep(last);
                let is_end = Expr::Deref(Scalar::U8, Box::new(last.clone()));
                let is_end = Expr::binary(Binary::Equal, is_end, Expr::Constant(i64::from(b'\n')));
                body.when(is_end, |body| {
                    let value = Expr::Constant(0);
                    body.emit(Command::Store { address: last, scalar: Scalar::U8, value });
                });
            }
            body.set(&result, to);
        });
        Expr::Load(result)
    }

    /// What a format says is read.
    fn items_of_input(&mut self, id: ExprId, format: ExprId, to: &[ExprId]) -> Lowered<Expr> {
        let tree = self.lowering.tree;
        let long = self.lowering.pointers.scalar.bits;
        let Some(parts) = text_of(tree, format).and_then(|text| parts(&text, long)) else {
            let message = "a format with other parts than %d %i %u %x %o %c %s %f %[] is not known where a program \
                           runs on tests";
            return self.lowering.refuse(tree[format].span, message);
        };
        let is_stored = |part: &&Part| matches!(part, Part::Item { suppressed: false, .. } | Part::Count);
        if parts.iter().filter(is_stored).count() > to.len() {
            let message = "there are fewer arguments than the format asks for";
            return self.lowering.refuse(tree[id].span, message);
        }
        let targets: Vec<Expr> = to.iter().map(|to| self.kept(*to)).collect::<Lowered<_>>()?;
        Ok(self.within(StatementKind::Assumption, |body| body.read_parts(&parts, targets)))
    }

    fn read_parts(&mut self, parts: &[Part], targets: Vec<Expr>) -> Expr {
        let count = self.variable(Expr::Constant(0));
        let start = self.keep(Expr::Load(self.position()));
        let end = self.location();
        let mut targets = targets.into_iter();
        for part in parts {
            match part {
                Part::Space => {
                    let found = self.found(Conversion { kind: Kind::Space, width: None });
                    self.take_found(&found);
                }
                Part::Literal(byte) => {
                    let next = self.keep(self.upcoming(0));
                    let (same, other) = (self.location(), self.location());
                    let is_same = Expr::binary(Binary::Equal, next.clone(), Expr::Constant(i64::from(*byte)));
                    self.split(is_same, same, other);
                    self.at = other;
                    let is_end = Expr::binary(Binary::Equal, next, Expr::Constant(i64::from(END)));
                    self.leave_reading(&count, is_end, end);
                    self.at = same;
                    self.read_on(Expr::Constant(1));
                }
                Part::Count => {
                    let Some(address) = targets.next() else { continue };
                    let position = Expr::Load(self.position());
                    let value = Expr::binary(Binary::Subtract, position, start.clone());
                    self.emit(Command::Store { address, scalar: Scalar::I32, value });
                }
                Part::Item { conversion, suppressed, bits } => {
                    let found = self.found(conversion.clone());
                    self.take_found(&found);
                    let (read, other) = (self.location(), self.location());
                    self.split(Expr::negation(found.status.clone()), read, other);
                    self.at = other;
                    let is_end = Expr::binary(Binary::Equal, found.status.clone(), Expr::Constant(2));
                    self.leave_reading(&count, is_end, end);
                    self.at = read;
                    if let Some(to) = (!suppressed).then(|| targets.next()).flatten() {
                        self.put_item(conversion, *bits, &found, &to);
                        let more = Expr::binary(Binary::Add, Expr::Load(count.clone()), Expr::Constant(1));
                        self.set(&count, more);
                    }
                }
            }
        }
        self.flush(end, None);
        Expr::Load(count)
    }

    /// Reads no further; at the end of the input before anything was read, the result is -1.
    fn leave_reading(&mut self, count: &Place, is_end: Expr, end: u32) {
        let is_none = Expr::binary(Binary::Equal, Expr::Load(count.clone()), Expr::Constant(0));
        let is_none = Expr::AndAlso(Box::new(is_end.clone()), Box::new(is_none));
        let met = self.number_of_tests(|tested| tested.met_end);
        self.set(&met, Expr::OrElse(Box::new(Expr::Load(met.clone())), Box::new(is_end)));
        let (none, some) = (Box::new(Expr::Constant(-1)), Box::new(Expr::Load(count.clone())));
        self.set(count, Expr::Choose(Box::new(is_none), none, some));
        self.flush(end, None);
    }

    fn put_item(&mut self, conversion: &Conversion, bits: u8, found: &Found, to: &Expr) {
        let (scalar, value) = match (&conversion.kind, bits) {
            (Kind::Integer { .. }, bits) => (Scalar::unsigned(bits), found.value.clone()),
            (Kind::Float, 32) => {
                let single = Expr::Apply(model::Primitive::RoundToSingle, vec![found.value.clone()]);
                (Scalar::unsigned(32), Expr::Apply(model::Primitive::ToSingleBits, vec![single]))
            }
            (Kind::Float, _) => (Scalar::I64, found.value.clone()),
            (kind, _) => return self.copy_read(to, &found.length, *kind != Kind::Characters),
        };
        self.emit(Command::Store { address: to.clone(), scalar, value });
    }
}

/// The parts of a format; nothing if one of them is not known.
fn parts(format: &[u8], long: u8) -> Option<Vec<Part>> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(character) = rest.next() {
        if character.is_ascii_whitespace() {
            found.push(Part::Space);
            continue;
        }
        if character != b'%' {
            found.push(Part::Literal(character));
            continue;
        }
        if rest.next_if_eq(&b'%').is_some() {
            found.extend([Part::Space, Part::Literal(b'%')]);
            continue;
        }
        let suppressed = rest.next_if_eq(&b'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = Some(width.unwrap_or(0u32).checked_mul(10)?.checked_add(u32::from(digit - b'0'))?);
        }
        let mut bits = length(&mut rest, b"hljzt", long);
        let kind = match rest.next()? {
            b'd' | b'u' => Kind::Integer { base: 10 },
            b'i' => Kind::Integer { base: 0 },
            b'x' | b'X' => Kind::Integer { base: 16 },
            b'o' => Kind::Integer { base: 8 },
            b'f' | b'e' | b'g' => {
                bits = if bits == 32 { 32 } else { 64 };
                Kind::Float
            }
            b'c' => Kind::Characters,
            b's' => Kind::Word,
            b'[' => set(&mut rest)?,
            b'n' => {
                found.push(Part::Count);
                continue;
            }
            _ => return None,
        };
        if width == Some(0) {
            return None;
        }
        found.push(Part::Item { conversion: Conversion { kind, width }, suppressed, bits });
    }
    Some(found)
}

/// The characters of a set, behind its `[`.
fn set(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Option<Kind> {
    let inverted = rest.next_if_eq(&b'^').is_some();
    let mut members = vec![];
    members.extend(rest.next_if_eq(&b']'));
    loop {
        match rest.next()? {
            b']' => return Some(Kind::Set { members, inverted }),
            b'-' if !members.is_empty() && rest.peek().is_some_and(|next| *next != b']') => {
                let (from, to) = (*members.last()?, rest.next()?);
                members.extend(from..=to);
            }
            byte => members.push(byte),
        }
    }
}
