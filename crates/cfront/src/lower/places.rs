//! Places: from what the program says to where it lies, and reading and writing there.

use model::{Base, Binary, Command, Expr, Index, Place, Primitive, Region, Scalar};
use source::Span;

use super::body::Body;
use super::initial::constant_value;
use super::types::ScalarKind;
use super::{Home, Lowered};
use crate::tree::{BitRange, PlaceId, PlaceKind, Type, TypeId};

/// Where something lies.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    at: At,
    pub(super) bits: Option<BitRange>,
    /// Whether other threads may see it.
    pub(super) shared: bool,
    /// Whether it is accessed as a whole, by what the program says.
    pub(super) atomic: bool,
    /// What says whether it was written, of a variable that may be read before.
    mark: Option<Place>,
}

#[derive(Clone, Debug)]
enum At {
    /// In a frame, found without a pointer.
    Frame(Place),
    /// So many bytes from where a pointer points to.
    Pointer(Expr, i64),
}

impl Spot {
    pub(super) fn local(offset: u32) -> Self {
        let at = At::Frame(Place::local(offset, Scalar::U8));
        Self { at, bits: None, shared: false, atomic: false, mark: None }
    }

    fn global(offset: u32) -> Self {
        let at = At::Frame(Place::global(offset, Scalar::U8));
        Self { at, bits: None, shared: true, atomic: false, mark: None }
    }

    pub(super) fn pointer(pointer: Expr) -> Self {
        let constant = matches!(pointer, Expr::Constant(0));
        Self { at: At::Pointer(pointer, 0), bits: None, shared: !constant, atomic: false, mark: None }
    }

    fn constant(pointer: i64) -> Self {
        let at = At::Pointer(Expr::Constant(pointer), 0);
        Self { at, bits: None, shared: false, atomic: false, mark: None }
    }

    /// Further on, by so many bytes.
    pub(super) fn moved(mut self, by: i64) -> Self {
        match &mut self.at {
            At::Frame(place) => place.offset = (i64::from(place.offset) + by) as u32,
            At::Pointer(_, offset) => *offset += by,
        }
        self
    }

    pub(super) fn region(&self) -> Region {
        match &self.at {
            At::Frame(place) => Region::Place(place.clone()),
            At::Pointer(pointer, offset) => Region::Address(moved(pointer.clone(), *offset)),
        }
    }

    fn read(&self, scalar: Scalar) -> Expr {
        match &self.at {
            At::Frame(place) => Expr::Load(Place { scalar, ..place.clone() }),
            At::Pointer(pointer, offset) => Expr::Deref(scalar, Box::new(moved(pointer.clone(), *offset))),
        }
    }

    fn write(&self, scalar: Scalar, value: Expr) -> Command {
        match &self.at {
            At::Frame(place) => Command::Set(Place { scalar, ..place.clone() }, value),
            At::Pointer(pointer, offset) => {
                Command::Store { address: moved(pointer.clone(), *offset), scalar, value }
            }
        }
    }
}

pub(super) fn moved(pointer: Expr, by: i64) -> Expr {
    match pointer {
        pointer if by == 0 => pointer,
        Expr::Constant(pointer) => Expr::Constant(pointer.wrapping_add(by)),
        pointer => Expr::binary(Binary::Add, pointer, Expr::Constant(by)),
    }
}

/// What of an index is checked: nothing of an address, that it is not negative of an array that may go on beyond its
/// declared length, or all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    Not,
    Below,
    Whole,
}

/// An index that must be one of an array of this length.
fn within(index: Expr, length: u32) -> Expr {
    match index {
        Expr::Constant(index) if (0..i64::from(length)).contains(&index) => Expr::Constant(index),
        index => Expr::Apply(Primitive::Within, vec![index, Expr::Constant(i64::from(length))]),
    }
}

pub(super) fn times(value: Expr, by: u32) -> Expr {
    match value {
        value if by == 1 => value,
        Expr::Constant(value) => Expr::Constant(value.wrapping_mul(i64::from(by))),
        value => Expr::binary(Binary::Multiply, value, Expr::Constant(i64::from(by))),
    }
}

impl Body<'_, '_> {
    pub(super) fn spot(&mut self, id: PlaceId) -> Lowered<Spot> {
        self.spot_of(id, true)
    }

    /// If it is not `accessed`, the last index may be that of the end.
    fn spot_of(&mut self, id: PlaceId, accessed: bool) -> Lowered<Spot> {
        let tree = self.lowering.tree;
        let place = &tree[id];
        self.descend(place.span)?;
        let spot = match place.kind {
            PlaceKind::Variable(object) => self.home(object, place.span)?,
            PlaceKind::String(string) => {
                let number = self.lowering.strings[string.index()];
                Spot::constant(self.lowering.pointers.pointer(number, 0))
            }
            PlaceKind::Deref(pointer) => Spot::pointer(self.value(pointer)?),
            PlaceKind::Index { array, index } => {
                let spot = self.spot(array)?;
                let index = self.value(index)?;
                let checked = match (accessed, self.may_go_on(array)) {
                    (false, _) => Checked::Not,
                    (true, true) => Checked::Below,
                    (true, false) => Checked::Whole,
                };
                self.element(spot, tree[array].ty, index, checked, place.span)?
            }
            PlaceKind::Element { pointer, index } => {
                let stride = self.lowering.stride(tree[pointer].ty, place.span)?;
                let (pointer, index) = (self.value(pointer)?, self.value(index)?);
                Spot::pointer(self.pointer_sum(pointer, index, stride, false))
            }
            PlaceKind::Member { record, field } => {
                let spot = self.spot(record)?;
                let Type::Record(id) = self.type_of(tree[record].ty) else {
                    return self.lowering.refuse(place.span, "this is not a record");
                };
                let field = &tree.types.record(id).fields[field as usize];
                Spot { bits: field.bits, ..spot.moved(field.offset as i64) }
            }
            PlaceKind::Temporary(value) => {
                let size = self.lowering.size(place.ty, place.span)?;
                let offset = self.temporary_block(size);
                let spot = Spot::local(offset);
                self.record_into(value, spot.region())?;
                spot
            }
            PlaceKind::CompoundLiteral(object) => {
                self.initialise(object)?;
                self.home(object, place.span)?
            }
        };
        self.depth -= 1;
        Ok(spot)
    }

    fn home(&self, object: crate::tree::ObjectId, span: Span) -> Lowered<Spot> {
        Ok(match self.lowering.homes[object.index()] {
            Home::Global { offset, .. } => Spot::global(offset),
            Home::Local { offset, number, mark } => {
                let mark = mark.map(|mark| Place::local(mark, Scalar::U8));
                Spot { shared: number.is_some(), mark, ..Spot::local(offset) }
            }
            Home::Constant { number } => Spot::constant(self.lowering.pointers.pointer(number, 0)),
            Home::Nowhere => {
                return self.lowering.refuse(span, "this variable could not be given a place");
            }
        })
    }

    /// Whether an array is the last member of a record: such arrays are often declared shorter than the
    /// memory they are given.
    fn may_go_on(&self, array: PlaceId) -> bool {
        let tree = self.lowering.tree;
        match tree[array].kind {
            PlaceKind::Member { record, field } => match self.type_of(tree[record].ty) {
                Type::Record(id) => field as usize + 1 == tree.types.record(id).fields.len(),
                _ => false,
            },
            _ => false,
        }
    }

    fn element(
        &mut self,
        spot: Spot,
        array: TypeId,
        index: Expr,
        checked: Checked,
        span: Span,
    ) -> Lowered<Spot> {
        let Type::Array { element, length } = self.type_of(array) else {
            return self.lowering.refuse(span, "this is not an array");
        };
        let stride = self.lowering.size(element, span)?;
        let length = length.map(|length| length.min(u64::from(u32::MAX)) as u32);
        match (spot.at, length) {
            (At::Frame(place), Some(length)) => {
                let constant = constant_value(&index).filter(|index| (0..i64::from(length)).contains(index));
                let at = match constant {
                    Some(index) => {
                        let offset = place.offset + index as u32 * stride;
                        At::Frame(Place { offset, ..place })
                    }
                    None => {
                        let mut place = place;
                        place.indices.push(Index { value: index, stride, length });
                        At::Frame(place)
                    }
                };
                Ok(Spot { at, ..spot })
            }
            (At::Pointer(pointer, offset), length) => {
                let index = match (length, checked) {
                    (Some(length), Checked::Whole) => within(index, length),
                    (_, Checked::Below) => within(index, i32::MAX as u32),
                    _ => index,
                };
                let pointer = self.pointer_sum(pointer, index, stride, false);
                Ok(Spot { at: At::Pointer(pointer, offset), ..spot })
            }
            (At::Frame(_), None) => {
                self.lowering.refuse(span, "an array whose length is not known is not supported here")
            }
        }
    }

    /// The address of a place.
    pub(super) fn address(&mut self, id: PlaceId) -> Lowered<Expr> {
        let span = self.lowering.tree[id].span;
        let root = super::homes::root(self.lowering.tree, id);
        let spot = self.spot_of(id, false)?;
        match spot.at {
            At::Pointer(pointer, offset) => Ok(self.wrapped_pointer(moved(pointer, offset))),
            At::Frame(place) => {
                let home = root.map(|root| self.lowering.homes[root.index()]);
                let (start, number) = match (home, &place.base) {
                    (Some(Home::Global { offset, number: Some(number) }), Base::Global) => {
                        (offset, Expr::Constant(self.lowering.pointers.pointer(number, 0)))
                    }
                    (Some(Home::Local { offset, number: Some(number), .. }), Base::Local) => {
                        let number = Expr::Load(Place::local(number, Scalar::unsigned(32)));
                        let shift = i64::from(self.lowering.pointers.shift);
                        (offset, Expr::binary(Binary::ShiftLeft, number, Expr::Constant(shift)))
                    }
                    _ => {
                        return self.lowering.refuse(span, "the address of this value is not supported");
                    }
                };
                let mut address = moved(number, i64::from(place.offset - start));
                for index in place.indices {
                    address = Expr::binary(Binary::Add, address, times(index.value, index.stride));
                }
                Ok(self.wrapped_pointer(address))
            }
        }
    }

    fn wrapped_pointer(&self, pointer: Expr) -> Expr {
        let scalar = self.lowering.pointers.scalar;
        match pointer {
            Expr::Constant(pointer) => Expr::Constant(scalar.wrap(pointer)),
            pointer if scalar.bits == 64 => pointer,
            pointer => Expr::Wrap(scalar, Box::new(pointer)),
        }
    }

    pub(super) fn pointer_sum(&self, pointer: Expr, index: Expr, stride: u32, back: bool) -> Expr {
        let distance = times(index, stride);
        let sum = match (pointer, distance) {
            (Expr::Constant(pointer), Expr::Constant(distance)) => {
                let distance = if back { distance.wrapping_neg() } else { distance };
                Expr::Constant(pointer.wrapping_add(distance))
            }
            (pointer, Expr::Constant(0)) => return pointer,
            (pointer, distance) => {
                Expr::binary(if back { Binary::Subtract } else { Binary::Add }, pointer, distance)
            }
        };
        self.wrapped_pointer(sum)
    }

    /// Something that other threads may see is about to be read or written: an edge has room for one such
    /// access.
    pub(super) fn access(&mut self, shared: bool) {
        if shared && self.lowering.threads {
            if self.visible && self.atomic == 0 {
                self.cut();
            }
            self.visible = true;
        }
    }

    /// The value that lies there, of a scalar type.
    pub(super) fn load(&mut self, spot: &Spot, ty: TypeId, span: Span) -> Lowered<Expr> {
        let kind = self.lowering.kind(ty, span)?;
        if let At::Pointer(Expr::Constant(pointer), offset) = &spot.at
            && spot.bits.is_none()
            && let Some(value) = self.known(pointer.wrapping_add(*offset), kind)
        {
            return Ok(Expr::Constant(value));
        }
        let value = match spot.bits {
            Some(bits) => self.read_bits(spot, bits, kind.scalar()),
            None => spot.read(kind.scalar()),
        };
        let value = match &spot.mark {
            Some(mark) => Expr::Apply(Primitive::Written, vec![value, Expr::Load(mark.clone())]),
            None => value,
        };
        let value = match kind {
            ScalarKind::Single => Expr::Apply(Primitive::FromSingleBits, vec![value]),
            _ => value,
        };
        if spot.shared && self.lowering.threads {
            self.access(true);
            self.touch(spot, kind.scalar().bytes(), false);
            return Ok(self.keep(value));
        }
        Ok(value)
    }

    /// What a constant object holds.
    fn known(&self, pointer: i64, kind: ScalarKind) -> Option<i64> {
        let (object, offset) = self.lowering.pointers.split(pointer);
        let object = self.lowering.globals.objects.get((object as usize).checked_sub(1)?)?;
        let model::StaticPlace::Constant(start) = object.place else { return None };
        let size = kind.scalar().bytes();
        let inside = offset >= 0 && offset + i64::from(size) <= i64::from(object.size);
        let start = start as usize + usize::try_from(offset).ok().filter(|_| inside)?;
        let bytes = self.lowering.globals.constants.get(start..start + size as usize)?;
        let value = kind.scalar().load(bytes);
        match kind {
            ScalarKind::Single => Primitive::FromSingleBits.apply(value, 0).ok(),
            _ => Some(value),
        }
    }

    pub(super) fn store(&mut self, spot: &Spot, ty: TypeId, value: Expr, span: Span) -> Lowered<()> {
        let kind = self.lowering.kind(ty, span)?;
        let value = match kind {
            ScalarKind::Single => Expr::Apply(Primitive::ToSingleBits, vec![value]),
            _ => value,
        };
        self.access(spot.shared);
        self.touch(spot, kind.scalar().bytes(), true);
        match spot.bits {
            None => self.emit(spot.write(kind.scalar(), value)),
            Some(bits) => self.write_bits(spot, bits, value),
        }
        if let Some(mark) = &spot.mark {
            self.emit(Command::Set(mark.clone(), Expr::Constant(1)));
        }
        Ok(())
    }

    fn read_bits(&self, spot: &Spot, bits: BitRange, of: Scalar) -> Expr {
        let end = u32::from(bits.start) + u32::from(bits.width);
        let mut all = Expr::Constant(0);
        for byte in (0..end.div_ceil(8)).rev() {
            let low = spot.clone().moved(i64::from(byte)).read(Scalar::U8);
            let higher = Expr::binary(Binary::ShiftLeft, all, Expr::Constant(8));
            all = if byte + 1 == end.div_ceil(8) { low } else { Expr::binary(Binary::Or, higher, low) };
        }
        let moved = Expr::binary(Binary::ShiftRight, all, Expr::Constant(i64::from(bits.start)));
        Expr::Wrap(Scalar { bits: bits.width.clamp(1, 64), signed: of.signed }, Box::new(moved))
    }

    fn write_bits(&mut self, spot: &Spot, bits: BitRange, value: Expr) {
        let value = self.keep(value);
        let (start, end) = (i64::from(bits.start), i64::from(bits.start) + i64::from(bits.width));
        for byte in 0..(end + 7) / 8 {
            let low = (start - byte * 8).max(0);
            let high = (end - byte * 8).min(8);
            let mask = ((1i64 << (high - low)) - 1) << low;
            let shift = start - byte * 8;
            let part = if shift >= 0 {
                Expr::binary(Binary::ShiftLeft, value.clone(), Expr::Constant(shift))
            } else {
                Expr::binary(Binary::ShiftRight, value.clone(), Expr::Constant(-shift))
            };
            let part = Expr::binary(Binary::And, part, Expr::Constant(mask));
            let at = spot.clone().moved(byte);
            let kept = Expr::binary(Binary::And, at.read(Scalar::U8), Expr::Constant(0xff & !mask));
            self.emit(at.write(Scalar::U8, Expr::binary(Binary::Or, kept, part)));
        }
    }
}
