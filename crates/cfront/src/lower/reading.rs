//! Reading from files: every character and every number that is read is an input, whatever the file.

use model::{Binary, Command, Expr, Place, Scalar, StaticObject, StaticPlace};

use super::body::Body;
use super::library::{either, within};
use super::{Lowered, Lowering};
use crate::tree::{Base, ExprId, ExprKind, PlaceKind, Program, Storage};

/// The files that are open from the start.
pub(super) const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];
/// How many characters of a word are read, if the format does not say it.
const LONGEST: u32 = 8;

/// What programs read with here.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// The objects that the names of [`STREAMS`] point to, and the one that stands for all other files.
    streams: [u32; 4],
    /// Where the character lies that was pushed back, plus 1, and behind it the file it belongs to.
    pushed_back: Option<u32>,
}

impl Files {
    /// The objects that the names of [`STREAMS`] point to.
    pub(super) fn stream_objects(&self) -> &[u32] {
        &self.streams
    }
}

impl Lowering<'_> {
    pub(super) fn settle_files(&mut self, end: &mut u32) {
        let tree = self.tree;
        let is_stream = |name: Option<&str>| name.is_some_and(|name| STREAMS.contains(&name));
        let reads = ["ungetc", "fopen", "freopen", "tmpfile"].iter().any(|name| self.calls(name));
        if !reads && !tree.objects.iter().any(|object| is_stream(object.name.as_deref())) {
            return;
        }
        self.files.streams = ["stdin", "stdout", "stderr", "file"].map(|name| {
            self.add_object(StaticObject { name: name.to_owned(), place: StaticPlace::Constant(0), size: 0 })
        });
        self.files.pushed_back = self.calls("ungetc").then(|| super::homes::aligned(end, 16, 8));
    }

    /// What the names of the files that are open from the start point to.
    pub(super) fn stream(&self, object: &crate::tree::Object) -> Option<i64> {
        let name = object.name.as_deref().filter(|_| object.storage == Storage::Extern)?;
        let index = STREAMS.iter().position(|known| *known == name)?;
        Some(self.pointers.pointer(self.files.streams[index], 0))
    }
}

/// One conversion of a format.
struct Conversion {
    kind: u8,
    width: Option<u32>,
    suppressed: bool,
    bits: u8,
}

impl Body<'_, '_> {
    /// The value of a call of a function that reads; nothing if it is another one.
    pub(super) fn reading_call(
        &mut self,
        id: ExprId,
        name: &str,
        arguments: &[ExprId],
    ) -> Lowered<Option<Expr>> {
        let stdin = Expr::Constant(self.lowering.pointers.pointer(self.lowering.files.streams[0], 0));
        let value = match (name, arguments) {
            ("getchar", []) if self.lowering.files.pushed_back.is_some() => self.next_character(&stdin, true),
            ("getc" | "fgetc", [file]) if self.lowering.files.pushed_back.is_some() => {
                let file = self.kept(*file)?;
                self.next_character(&file, true)
            }
            ("ungetc", [character, file]) => {
                let (character, file) = (self.kept(*character)?, self.kept(*file)?);
                self.push_back(character, file)
            }
            ("fgets", [to, size, file]) => {
                let (to, size, file) = (self.kept(*to)?, self.kept(*size)?, self.kept(*file)?);
                self.line(to, Some(size), &file)
            }
            ("gets", [to]) => {
                let to = self.kept(*to)?;
                self.line(to, None, &stdin)
            }
            ("fopen" | "freopen" | "tmpfile", arguments) => {
                self.effects(arguments)?;
                let opened = self.any(Scalar::I32, 0, 1);
                let file = Expr::Constant(self.lowering.pointers.pointer(self.lowering.files.streams[3], 0));
                Expr::Choose(Box::new(opened), Box::new(file), Box::new(Expr::Constant(0)))
            }
            ("scanf", [format, to @ ..]) => self.scan(id, *format, to)?,
            ("fscanf", [file, format, to @ ..]) => {
                self.effects(&[*file])?;
                self.scan(id, *format, to)?
            }
            _ => return Ok(None),
        };
        self.lowering.sources.insert(name.into());
        Ok(Some(value))
    }

    /// An input from the one to the other.
    fn any(&mut self, scalar: Scalar, low: i64, high: i64) -> Expr {
        let place = Place { scalar, ..self.temporary() };
        self.take(&place, Some((low, high)));
        Expr::Load(place)
    }

    /// One of many characters of a line or word, which together are too many to be tried one by one.
    fn any_of_many(&mut self, scalar: Scalar, low: i64, high: i64) -> Expr {
        let place = Place { scalar, ..self.temporary() };
        self.take(&place, None);
        let value = Expr::Load(place);
        let least = Expr::binary(Binary::LessEqual, Expr::Constant(low), value.clone());
        let most = Expr::binary(Binary::LessEqual, value.clone(), Expr::Constant(high));
        self.emit(Command::Assume(Expr::AndAlso(Box::new(least), Box::new(most))));
        value
    }

    fn take(&mut self, place: &Place, range: Option<(i64, i64)>) {
        let range = range.map(|(low, high)| (Expr::Constant(low), Expr::Constant(high)));
        self.emit(Command::Nondet { place: place.clone(), range });
    }

    /// The next character of a file, or -1 at its end; alone, or in a line.
    fn next_character(&mut self, file: &Expr, alone: bool) -> Expr {
        let fresh_one = |body: &mut Self| match alone {
            true => body.any(Scalar::I32, -1, 255),
            false => body.any_of_many(Scalar::I32, -1, 255),
        };
        let Some((slot, owner)) = self.pushed_back() else { return fresh_one(self) };
        let place = Place { scalar: Scalar::I32, ..self.temporary() };
        let (back, fresh, end) = (self.location(), self.location(), self.location());
        let is_there = Expr::binary(Binary::NotEqual, Expr::Load(slot.clone()), Expr::Constant(0));
        let is_own = Expr::binary(Binary::Equal, Expr::Load(owner), file.clone());
        self.split(Expr::AndAlso(Box::new(is_there), Box::new(is_own)), back, fresh);
        self.at = back;
        self.set(&place, Expr::binary(Binary::Subtract, Expr::Load(slot.clone()), Expr::Constant(1)));
        self.set(&slot, Expr::Constant(0));
        self.flush(end, None);
        self.at = fresh;
        let character = fresh_one(self);
        self.set(&place, character);
        self.flush(end, None);
        Expr::Load(place)
    }

    fn pushed_back(&self) -> Option<(Place, Place)> {
        let at = self.lowering.files.pushed_back?;
        Some((Place::global(at, Scalar::I32), Place::global(at + 8, self.lowering.pointers.scalar)))
    }

    fn push_back(&mut self, character: Expr, file: Expr) -> Expr {
        let Some((slot, owner)) = self.pushed_back() else { return Expr::Constant(-1) };
        let result = Place { scalar: Scalar::I32, ..self.temporary() };
        self.set(&result, Expr::Constant(-1));
        let is_end = Expr::binary(Binary::Equal, character.clone(), Expr::Constant(-1));
        self.when(Expr::negation(is_end), |body| {
            body.when(Expr::Load(slot.clone()), |body| {
                body.give_up("more than one character is pushed back");
            });
            body.set(&result, Expr::Wrap(Scalar::U8, Box::new(character)));
            body.set(&slot, Expr::binary(Binary::Add, Expr::Load(result.clone()), Expr::Constant(1)));
            body.set(&owner, file);
        });
        Expr::Load(result)
    }

    fn put_character(&mut self, to: &Expr, index: &Expr, value: Expr) {
        let address = self.further(to.clone(), index.clone());
        self.emit(Command::Store { address, scalar: Scalar::U8, value });
    }

    /// Reads a line into an array of some size, with the character that ends it, or of any size, without.
    fn line(&mut self, to: Expr, size: Option<Expr>, file: &Expr) -> Expr {
        let index = self.variable(Expr::Constant(0));
        let at = Expr::Load(index.clone());
        let last = self.variable(Expr::Constant(0));
        let bounded = size.is_some();
        let room = match size {
            Some(size) => {
                let used = Expr::binary(Binary::Add, at.clone(), Expr::Constant(1));
                Expr::binary(Binary::Less, used, size)
            }
            None => Expr::Constant(1),
        };
        self.repeat(room, |body, end| {
            let character = body.next_character(file, false);
            body.set(&last, character.clone());
            let (read, stays) = (body.location(), body.location());
            let is = |what: i64| Expr::binary(Binary::Equal, character.clone(), Expr::Constant(what));
            body.split(is(-1), end, read);
            body.at = read;
            if !bounded {
                body.split(is(10), end, stays);
                body.at = stays;
            }
            body.put_character(&to, &at, character.clone());
            body.set(&index, Expr::binary(Binary::Add, at.clone(), Expr::Constant(1)));
            if bounded {
                body.split(is(10), end, stays);
                body.at = stays;
            }
        });
        // Nothing is written if the file ends before the line begins.
        let ended = Expr::binary(Binary::Equal, Expr::Load(last), Expr::Constant(-1));
        let empty = Expr::binary(Binary::Equal, at.clone(), Expr::Constant(0));
        let none = self.keep(Expr::AndAlso(Box::new(ended), Box::new(empty)));
        self.when(Expr::negation(none.clone()), |body| body.put_character(&to, &at, Expr::Constant(0)));
        Expr::Choose(Box::new(none), Box::new(Expr::Constant(0)), Box::new(to))
    }

    /// What a format says is read.
    fn scan(&mut self, id: ExprId, format: ExprId, to: &[ExprId]) -> Lowered<Expr> {
        let span = self.lowering.tree[id].span;
        let Some(conversions) = text_of(self.lowering.tree, format).and_then(|text| conversions(&text))
        else {
            let message = "a format with other parts than %d %i %u %x %o %c %s is not known here; take inputs from \
                           `__VERIFIER_nondet_int` instead";
            return self.lowering.refuse(self.lowering.tree[format].span, message);
        };
        let items = conversions.iter().filter(|conversion| !conversion.suppressed).count();
        if items > to.len() {
            return self.lowering.refuse(span, "there are fewer arguments than the format asks for");
        }
        let targets: Vec<Expr> = to.iter().map(|to| self.kept(*to)).collect::<Lowered<_>>()?;
        if let Some((slot, _)) = self.pushed_back() {
            self.when(Expr::Load(slot), |body| {
                body.give_up("a character that was pushed back is read by a format")
            });
        }
        let result = self.any(Scalar::I32, -1, items as i64);
        let read = conversions.into_iter().filter(|conversion| !conversion.suppressed);
        for (number, (conversion, to)) in read.zip(targets).enumerate() {
            let is_read = Expr::binary(Binary::Greater, result.clone(), Expr::Constant(number as i64));
            self.when(is_read, |body| body.item(&conversion, &to));
        }
        Ok(result)
    }

    /// Reads one item into where a pointer points to.
    fn item(&mut self, conversion: &Conversion, to: &Expr) {
        match conversion.kind {
            b'c' => {
                for index in 0..i64::from(conversion.width.unwrap_or(1)) {
                    let value = self.any(Scalar::U8, 0, 255);
                    self.put_character(to, &Expr::Constant(index), value);
                }
            }
            b's' => self.word(conversion.width, to),
            kind => {
                let signed = matches!(kind, b'd' | b'i');
                let bits =
                    if conversion.bits == 0 { self.lowering.pointers.scalar.bits } else { conversion.bits };
                let scalar = Scalar { bits, signed };
                // So many digits, or one less behind a sign.
                let digits = conversion.width.filter(|width| signed && kind == b'd' && *width < 5);
                let narrow = digits.map(|width| (1 - 10i64.pow(width - 1), 10i64.pow(width) - 1));
                let place = Place { scalar, ..self.temporary() };
                let range = narrow.filter(|_| bits > 16).or(self.all_values(scalar));
                self.take(&place, range);
                self.emit(Command::Store { address: to.clone(), scalar, value: Expr::Load(place) });
            }
        }
    }

    /// Reads characters up to the next space; 0 stands for that.
    fn word(&mut self, width: Option<u32>, to: &Expr) {
        let most = width.unwrap_or(LONGEST).min(LONGEST);
        let index = self.variable(Expr::Constant(0));
        let at = Expr::Load(index.clone());
        let room = Expr::binary(Binary::Less, at.clone(), Expr::Constant(i64::from(most)));
        let ended = self.variable(Expr::Constant(0));
        self.repeat(room, |body, end| {
            let character = body.any_of_many(Scalar::U8, 0, 255);
            let space =
                either(within(character.clone(), b'\t', b'\r'), within(character.clone(), b' ', b' '));
            let empty = Expr::negation(either(at.clone(), character.clone()));
            body.emit(Command::Assume(Expr::negation(either(space, empty))));
            body.set(&ended, Expr::negation(character.clone()));
            let next = body.location();
            body.split(character.clone(), next, end);
            body.at = next;
            body.put_character(to, &at, character);
            body.set(&index, Expr::binary(Binary::Add, at.clone(), Expr::Constant(1)));
        });
        if width.is_none_or(|width| width > LONGEST) {
            self.when(Expr::negation(Expr::Load(ended)), |body| {
                let more = body.any(Scalar::I32, 0, 1);
                body.when(more, |body| body.give_up("a word that is read may be longer than 8 characters"));
            });
        }
        self.put_character(to, &at, Expr::Constant(0));
    }
}

/// The characters of a string literal.
pub(super) fn text_of(tree: &Program, expr: ExprId) -> Option<Vec<u8>> {
    let string = match tree[super::inputs::unconverted(tree, expr)].kind {
        ExprKind::Address { base: Base::String(string), offset: 0 } => string,
        ExprKind::Decay(place) | ExprKind::AddressOf(place) => match tree[place].kind {
            PlaceKind::String(string) => string,
            _ => return None,
        },
        _ => return None,
    };
    let elements = tree[string].elements.iter().take_while(|element| **element != 0);
    elements.map(|element| u8::try_from(*element).ok()).collect()
}

/// The conversions of a format; nothing if one of them is not known.
fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(character) = rest.next() {
        if character != b'%' || rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let suppressed = rest.next_if_eq(&b'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = Some(width.unwrap_or(0u32).checked_mul(10)?.checked_add(u32::from(digit - b'0'))?);
        }
        // 0 bits stand for those of a `long`.
        let bits = match rest.next_if(|size| b"hljzt".contains(size)) {
            None => 32,
            Some(b'h') if rest.next_if_eq(&b'h').is_some() => 8,
            Some(b'h') => 16,
            Some(b'l') if rest.next_if_eq(&b'l').is_some() => 64,
            Some(b'j') => 64,
            Some(_) => 0,
        };
        let kind = rest.next()?;
        let is_known = match kind {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => true,
            b'c' | b's' => bits == 32,
            _ => false,
        };
        if !is_known || width == Some(0) || kind == b'c' && width.is_some_and(|width| width > LONGEST) {
            return None;
        }
        found.push(Conversion { kind, width, suppressed, bits });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn formats_are_read_or_refused() {
        let read = |format: &str| {
            let found = conversions(format.as_bytes())?;
            Some(found.iter().map(|one| (one.kind, one.width, one.suppressed, one.bits)).collect::<Vec<_>>())
        };
        assert_eq!(
            read("%d, %3s%%%*c %lu"),
            Some(vec![
                (b'd', None, false, 32),
                (b's', Some(3), false, 32),
                (b'c', None, true, 32),
                (b'u', None, false, 0)
            ])
        );
        assert_eq!(read("no conversions"), Some(vec![]));
        for unknown in ["%f", "%[a-z]", "%n", "%", "%0d", "%99999999999d", "%ls", "%p"] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
    }
}
