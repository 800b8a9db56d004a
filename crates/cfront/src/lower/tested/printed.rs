//! What a program prints, compared with what it should print.

use model::{Argument, Binary, Builtin, Command, Expr, Scalar};

use super::formats::{Amount, Piece, Spec, pieces};
use super::numbers::sum;
use crate::lower::Lowered;
use crate::lower::body::Body;
use crate::lower::library::{either, within};
use crate::lower::reading::text_of;
use crate::lower::types::ScalarKind;
use crate::tests::END;
use crate::tree::{ExprId, ExprKind, PlaceKind};

/// Up to this width, blanks are printed without a loop.
const WITHOUT_LOOP: i64 = 40;
/// How many digits there are behind the point unless the format says otherwise, and how many are known.
const PLACES: u32 = 6;
const MOST_PLACES: u32 = 15;

/// Something to print, with its values.
enum Output {
    Text(Vec<u8>),
    /// What a pointer points to, up to a 0.
    String {
        text: Expr,
        width: Expr,
        precision: Option<Expr>,
        left: bool,
    },
    Character {
        value: Expr,
        width: Expr,
        left: bool,
    },
    Integer {
        spec: Spec,
        value: Expr,
        width: Expr,
        precision: Option<Expr>,
    },
    Float {
        spec: Spec,
        value: Expr,
        width: Expr,
        places: u32,
    },
}

/// Where something is printed.
enum Stream {
    Output,
    /// Nobody looks at it.
    Elsewhere,
    /// A pointer says it.
    At(Expr),
}

impl Body<'_, '_> {
    /// The value of a call of a function that prints; nothing if it is another one.
    pub(in crate::lower) fn printing_call(
        &mut self,
        id: ExprId,
        name: &str,
        arguments: &[ExprId],
        wanted: bool,
    ) -> Lowered<Option<Expr>> {
        if self.tested().is_none() {
            return Ok(None);
        }
        let (stream, outputs, result) = match (name, arguments) {
            ("printf", [format, values @ ..]) => (Stream::Output, self.formatted(*format, values)?, None),
            ("fprintf", [file, format, values @ ..]) => {
                (self.stream_of(*file)?, self.formatted(*format, values)?, None)
            }
            ("puts", [text]) => {
                let outputs = vec![self.string(*text)?, Output::Text(b"\n".to_vec())];
                (Stream::Output, outputs, Some(Expr::Constant(1)))
            }
            ("fputs", [text, file]) => {
                (self.stream_of(*file)?, vec![self.string(*text)?], Some(Expr::Constant(1)))
            }
            ("putchar" | "putchar_unlocked", [character]) => {
                let (output, value) = self.character(*character)?;
                (Stream::Output, vec![output], Some(value))
            }
            ("putc" | "fputc" | "putc_unlocked", [character, file]) => {
                let (output, value) = self.character(*character)?;
                (self.stream_of(*file)?, vec![output], Some(value))
            }
            _ => return Ok(None),
        };
        self.checking(|body| match stream {
            Stream::Output => outputs.iter().for_each(|output| body.print(output)),
            Stream::Elsewhere => {}
            Stream::At(file) => {
                let is_output = Expr::binary(Binary::Equal, file, body.standard_stream(1));
                body.when(is_output, |body| outputs.iter().for_each(|output| body.print(output)));
            }
        });
        if wanted && result.is_none() {
            let message = format!("what `{name}` returns is not known where a program runs on tests");
            return self.lowering.refuse(self.lowering.tree[id].span, message);
        }
        Ok(Some(result.unwrap_or(Expr::Constant(0))))
    }

    fn standard_stream(&self, index: usize) -> Expr {
        Expr::Constant(self.lowering.pointers.pointer(self.lowering.files.stream_objects()[index], 0))
    }

    /// Which stream an expression names.
    fn stream_of(&mut self, file: ExprId) -> Lowered<Stream> {
        let tree = self.lowering.tree;
        let named = match tree[crate::lower::inputs::unconverted(tree, file)].kind {
            ExprKind::Load { place, .. } => match tree[place].kind {
                PlaceKind::Variable(object) => self.lowering.stream(&tree[object]),
                _ => None,
            },
            _ => None,
        };
        let file = self.kept(file)?;
        Ok(match named.map(Expr::Constant) {
            Some(named) if named == self.standard_stream(1) => Stream::Output,
            Some(_) => Stream::Elsewhere,
            None => Stream::At(file),
        })
    }

    fn string(&mut self, text: ExprId) -> Lowered<Output> {
        if let Some(text) = text_of(self.lowering.tree, text) {
            return Ok(Output::Text(text));
        }
        let text = self.kept(text)?;
        Ok(Output::String { text, width: Expr::Constant(0), precision: None, left: false })
    }

    fn character(&mut self, character: ExprId) -> Lowered<(Output, Expr)> {
        let value = self.value(character)?;
        let value = self.keep(Expr::Wrap(Scalar::U8, Box::new(value)));
        Ok((Output::Character { value: value.clone(), width: Expr::Constant(0), left: false }, value))
    }

    /// What a format and its arguments say is printed.
    fn formatted(&mut self, format: ExprId, arguments: &[ExprId]) -> Lowered<Vec<Output>> {
        let tree = self.lowering.tree;
        let long = self.lowering.pointers.scalar.bits;
        let Some(pieces) = text_of(tree, format).and_then(|text| pieces(&text, long)) else {
            let message = "a format with other parts than %d %i %u %x %X %o %c %s %f is not known where a program \
                           runs on tests";
            return self.lowering.refuse(tree[format].span, message);
        };
        let mut outputs = Vec::new();
        let mut rest = arguments.iter().copied();
        for piece in pieces {
            let spec = match piece {
                Piece::Text(text) => {
                    outputs.push(Output::Text(text));
                    continue;
                }
                Piece::Value(spec) => spec,
            };
            let width = self.amount(spec.width, &mut rest, format)?;
            let precision = match spec.precision {
                None => None,
                Some(precision) => Some(self.amount(precision, &mut rest, format)?),
            };
            let Some(argument) = rest.next() else { return self.missing(format) };
            outputs.push(self.converted(spec, argument, width, precision)?);
        }
        for argument in rest {
            self.effect(argument)?;
        }
        Ok(outputs)
    }

    fn missing<T>(&self, format: ExprId) -> Lowered<T> {
        let span = self.lowering.tree[format].span;
        self.lowering.refuse(span, "there are fewer arguments than the format asks for")
    }

    fn amount(
        &mut self,
        amount: Amount,
        rest: &mut impl Iterator<Item = ExprId>,
        format: ExprId,
    ) -> Lowered<Expr> {
        match amount {
            Amount::Fixed(number) => Ok(Expr::Constant(i64::from(number))),
            Amount::Argument => match rest.next() {
                Some(argument) => self.kept(argument),
                None => self.missing(format),
            },
        }
    }

    fn converted(
        &mut self,
        spec: Spec,
        argument: ExprId,
        width: Expr,
        precision: Option<Expr>,
    ) -> Lowered<Output> {
        let tree = self.lowering.tree;
        let span = tree[argument].span;
        if spec.kind == b's'
            && let Some(text) = text_of(tree, argument).filter(|_| width == Expr::Constant(0))
            && precision.is_none()
        {
            return Ok(Output::Text(text));
        }
        let kind = match self.argument(argument)? {
            Argument::Value(value) => Some((self.lowering.kind(tree[argument].ty, span)?, self.keep(value))),
            Argument::Block(..) => None,
        };
        let left = spec.left;
        match (spec.kind, kind) {
            (b's', Some((ScalarKind::Pointer(_), text))) => {
                Ok(Output::String { text, width, precision, left })
            }
            (b'c', Some((ScalarKind::Int(_), value))) => {
                let value = self.keep(Expr::Wrap(Scalar::U8, Box::new(value)));
                Ok(Output::Character { value, width, left })
            }
            (b'f' | b'F', Some((ScalarKind::Single | ScalarKind::Double, value))) => {
                let places = match precision {
                    None => PLACES,
                    Some(Expr::Constant(places)) if places <= i64::from(MOST_PLACES) => places as u32,
                    Some(_) => {
                        let message =
                            "so many digits behind the point are not known where a program runs on tests";
                        return self.lowering.refuse(span, message);
                    }
                };
                Ok(Output::Float { spec, value, width, places })
            }
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Some((ScalarKind::Int(_), value))) => {
                Ok(Output::Integer { spec, value, width, precision })
            }
            (kind, _) => {
                let spelled = tree.types.spell(tree[argument].ty);
                let kind = char::from(kind);
                let message = format!("%{kind} does not print a value of type `{spelled}`");
                self.lowering.refuse(span, message)
            }
        }
    }

    fn print(&mut self, output: &Output) {
        match output {
            Output::Text(text) => {
                text.iter().for_each(|byte| self.print_byte(&Expr::Constant(i64::from(*byte))));
            }
            Output::String { text, width, precision, left } => {
                self.print_string(text, width, precision.as_ref(), *left);
            }
            Output::Character { value, width, left } => {
                let fill = self.fill(width, Expr::Constant(1));
                if !left {
                    self.print_many(fill.clone(), b' ');
                }
                self.print_byte(value);
                if *left {
                    self.print_many(fill, b' ');
                }
            }
            Output::Integer { spec, value, width, precision } => {
                self.print_integer(spec, value.clone(), width.clone(), precision.clone());
            }
            Output::Float { spec, value, width, places } => {
                self.print_float(spec, value.clone(), width.clone(), *places);
            }
        }
    }

    /// How many blanks belong to a text of some length.
    fn fill(&mut self, width: &Expr, length: Expr) -> Expr {
        if *width == Expr::Constant(0) {
            return Expr::Constant(0);
        }
        let length = self.keep(length);
        let is_short = Expr::binary(Binary::Less, length.clone(), width.clone());
        let missing = Expr::binary(Binary::Subtract, width.clone(), length);
        self.keep(Expr::Choose(Box::new(is_short), Box::new(missing), Box::new(Expr::Constant(0))))
    }

    fn print_string(&mut self, text: &Expr, width: &Expr, precision: Option<&Expr>, left: bool) {
        let mut fill = Expr::Constant(0);
        if *width != Expr::Constant(0) {
            let length = self.answer(Builtin::TextLength, vec![text.clone()]);
            let length = match precision {
                None => length,
                Some(most) => {
                    let is_less = Expr::binary(Binary::Less, length.clone(), most.clone());
                    Expr::Choose(Box::new(is_less), Box::new(length), Box::new(most.clone()))
                }
            };
            fill = self.fill(width, length);
        }
        if !left {
            self.print_many(fill.clone(), b' ');
        }
        let at = self.variable(text.clone());
        let here = Expr::Deref(Scalar::U8, Box::new(Expr::Load(at.clone())));
        let mut goes_on = Expr::binary(Binary::NotEqual, here.clone(), Expr::Constant(0));
        if let Some(most) = precision {
            let used = Expr::binary(Binary::Subtract, Expr::Load(at.clone()), text.clone());
            let has_room = Expr::binary(Binary::Less, used, most.clone());
            goes_on = Expr::AndAlso(Box::new(has_room), Box::new(goes_on));
        }
        self.repeat(goes_on, |body, _| {
            let byte = body.keep(here.clone());
            body.print_byte(&byte);
            let next = body.further(Expr::Load(at.clone()), Expr::Constant(1));
            body.set(&at, next);
        });
        if left {
            self.print_many(fill, b' ');
        }
    }

    /// Prints a byte so many times.
    pub(super) fn print_many(&mut self, count: Expr, byte: u8) {
        let byte = Expr::Constant(i64::from(byte));
        match count {
            Expr::Constant(count) if count <= WITHOUT_LOOP => (0..count).for_each(|_| self.print_byte(&byte)),
            count => {
                let left = self.variable(count);
                let goes_on = Expr::binary(Binary::Greater, Expr::Load(left.clone()), Expr::Constant(0));
                self.repeat(goes_on, |body, _| {
                    body.print_byte(&byte);
                    let fewer = Expr::binary(Binary::Subtract, Expr::Load(left.clone()), Expr::Constant(1));
                    body.set(&left, fewer);
                });
            }
        }
    }

    pub(super) fn print_byte(&mut self, byte: &Expr) {
        self.print_byte_if(Expr::Constant(1), byte);
    }

    /// Prints a byte if a condition holds.
    pub(super) fn print_byte_if(&mut self, condition: Expr, byte: &Expr) {
        if condition == Expr::Constant(0) {
            return;
        }
        if self.lowering.records {
            return self.record_byte(condition, byte);
        }
        let expected = self.expected(0);
        let is = |what: i64| Expr::binary(Binary::Equal, expected.clone(), Expr::Constant(what));
        let is_same = Expr::binary(Binary::Equal, expected.clone(), byte.clone());
        let at_end = || is(i64::from(END));
        let at_line_end = || either(is(i64::from(b'\n')), at_end());
        // White space at the end of a line and of the output makes no difference.
        let makes_none = match byte {
            Expr::Constant(byte) => match u8::try_from(*byte) {
                Ok(b'\n') => Some(at_end()),
                Ok(byte) if crate::tests::is_blank(byte) => Some(at_line_end()),
                _ => None,
            },
            byte => {
                let blank = either(
                    within(byte.clone(), b' ', b' '),
                    either(within(byte.clone(), b'\t', b'\t'), within(byte.clone(), 12, b'\r')),
                );
                let ends_line = within(byte.clone(), b'\n', b'\n');
                let blank = Expr::AndAlso(Box::new(blank), Box::new(at_line_end()));
                Some(either(blank, Expr::AndAlso(Box::new(ends_line), Box::new(at_end()))))
            }
        };
        let is_right = match makes_none {
            Some(none) => either(is_same.clone(), none),
            None => is_same.clone(),
        };
        let (is_right, further) = match condition {
            Expr::Constant(_) => (is_right, is_same),
            condition => {
                let left_out = Expr::negation(condition.clone());
                (either(left_out, is_right), Expr::AndAlso(Box::new(condition), Box::new(is_same)))
            }
        };
        self.emit(Command::Assert(is_right));
        self.advance(further);
    }

    /// Says that so many bytes more were printed.
    pub(super) fn advance(&mut self, by: Expr) {
        let wrote = self.number_of_tests(|tested| tested.wrote);
        self.set(&wrote, sum(Expr::Load(wrote.clone()), by));
    }

    fn record_byte(&mut self, condition: Expr, byte: &Expr) {
        let Some((start, room)) = self.tested().and_then(|tested| tested.record) else { return };
        let wrote = Expr::Load(self.number_of_tests(|tested| tested.wrote));
        let has_room = Expr::binary(Binary::Less, wrote.clone(), Expr::Constant(i64::from(room)));
        let byte = byte.clone();
        self.when(Expr::AndAlso(Box::new(condition), Box::new(has_room)), |body| {
            let index = model::Index { value: wrote, stride: 1, length: room };
            let place = model::Place { indices: vec![index], ..model::Place::global(start, Scalar::U8) };
            body.set(&place, byte);
            body.advance(Expr::Constant(1));
        });
    }
}
