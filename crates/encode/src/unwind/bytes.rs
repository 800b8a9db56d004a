//! What programs ask of the machine: memory that comes and goes, and runs of bytes.
//!
//! A run of bytes is looked at through a [`Window`]: the memory from where a pointer points to, byte by byte, each
//! with whether it still belongs to the object. Sizes may be any numbers up to what a window shows.

use model::{Builtin, Fault};

use super::execute::{Executor, Frame};
use super::log::{At, Duty, Why};
use super::memory::{self, Block};
use super::names::{Kind, Site};
use super::regions::{Target, View};
use super::state::State;
use crate::bits::Bits;
use crate::expr::{EncodeError, Need, Value};
use crate::solver::Literal;

/// The largest object whose size is not known.
const LARGEST_UNKNOWN: i64 = 1 << 12;
/// The longest run of bytes whose length is not known, and the largest object of any size.
const LONGEST_RUN: i64 = 1 << 12;
const LARGEST: i64 = 1 << 22;
/// The longest run of bytes whose length is known.
const LONGEST_KNOWN_RUN: i64 = 1 << 16;

/// Bytes from a place on.
struct Window {
    bytes: Vec<Vec<Literal>>,
    /// Whether each of them is there.
    inside: Vec<Literal>,
}

impl Executor<'_, '_, '_> {
    pub(super) fn builtin(
        &mut self,
        state: &mut State,
        frame: &mut Frame,
        at: At,
        site: Site,
        which: Builtin,
        values: &[Value],
    ) -> Result<Value, EncodeError> {
        let nothing = Value::constant(0);
        let argument = |index: usize| values.get(index).unwrap_or(&nothing).clone();
        let (first, second, third) = (argument(0), argument(1), argument(2));
        let endless = Value::constant(i64::MAX);
        match which {
            Builtin::Allocate => self.allocate(state, at, site, &first).map(|(pointer, _)| pointer),
            Builtin::AllocateMany => {
                let size = self.product(state, at, &first, &second);
                self.allocate(state, at, site, &size).map(|(pointer, _)| pointer)
            }
            Builtin::AllocateInFrame => {
                let (pointer, block) = self.allocate(state, at, site, &first)?;
                frame.own.push(block);
                Ok(pointer)
            }
            Builtin::Reallocate => self.reallocate(state, frame, at, site, &first, &second),
            Builtin::Free => self.free(state, frame, at, &first).map(|()| nothing),
            Builtin::CopyBytes => {
                let window = self.run(state, frame, at, &second, &third)?;
                self.put_run(state, frame, at, &first, &window.bytes, &third)?;
                Ok(first)
            }
            Builtin::FillBytes => {
                let most = self.most(state, at, &third);
                let byte = second.resize(8).literals().to_vec();
                self.put_run(state, frame, at, &first, &vec![byte; most], &third)?;
                Ok(first)
            }
            Builtin::CompareBytes => {
                let left = self.run(state, frame, at, &first, &third)?;
                let right = self.run(state, frame, at, &second, &third)?;
                Ok(self.compare(&left, &right, &third, false))
            }
            Builtin::FindByte => {
                let window = self.run(state, frame, at, &first, &third)?;
                let wanted = second.resize(8);
                let mut found = Value::constant(0);
                for (number, byte) in window.bytes.iter().enumerate().rev() {
                    let is = self.circuit.equal(&Bits::new(byte.iter().copied()), &wanted);
                    let counts = self.below(number, &third);
                    let is = self.circuit.and(is, counts);
                    let place = self.moved(&first, number as i64);
                    found = self.circuit.choose_value(is, &place, &found);
                }
                Ok(found)
            }
            Builtin::TextLength => {
                let window = self.text(state, frame, at, &first, &endless)?;
                Ok(self.length(&window, &endless))
            }
            Builtin::TextCopy => {
                let window = self.text(state, frame, at, &second, &endless)?;
                self.put_text(state, frame, at, &first, &window, &endless)?;
                Ok(first)
            }
            Builtin::TextCopyPadded => {
                let window = self.text(state, frame, at, &second, &third)?;
                let length = self.length(&window, &third);
                let zero = vec![Literal::FALSE; 8];
                let mut bytes = Vec::new();
                for number in 0..self.most(state, at, &third) {
                    let inside = self.below(number, &length);
                    let byte = window.bytes.get(number).unwrap_or(&zero);
                    bytes.push(memory::choose(self.circuit, inside, byte, &zero));
                }
                self.put_run(state, frame, at, &first, &bytes, &third)?;
                Ok(first)
            }
            Builtin::TextAppend | Builtin::TextAppendSome => {
                let most = if which == Builtin::TextAppend { endless.clone() } else { third };
                let before = self.text(state, frame, at, &first, &endless)?;
                let length = self.length(&before, &endless);
                let end = self.sum(&first, &length);
                let window = self.text(state, frame, at, &second, &most)?;
                self.put_text(state, frame, at, &end, &window, &most)?;
                Ok(first)
            }
            Builtin::TextCompare | Builtin::TextCompareSome => {
                let most = if which == Builtin::TextCompare { endless } else { third };
                let left = self.text(state, frame, at, &first, &most)?;
                let right = self.text(state, frame, at, &second, &most)?;
                Ok(self.compare(&left, &right, &most, true))
            }
            Builtin::TextFind | Builtin::TextFindLast => {
                let window = self.text(state, frame, at, &first, &endless)?;
                let wanted = second.resize(8);
                let mut found = Value::constant(0);
                // Whether the text goes on to a byte, its final zero included.
                let mut here = vec![Literal::TRUE];
                for byte in &window.bytes {
                    let ended = !self.circuit.any(byte.iter().copied());
                    let last = here.last().copied().unwrap_or(Literal::TRUE);
                    here.push(self.circuit.and(last, !ended));
                }
                let numbered: Vec<usize> = match which {
                    Builtin::TextFind => (0..window.bytes.len()).rev().collect(),
                    _ => (0..window.bytes.len()).collect(),
                };
                for number in numbered {
                    let byte = Bits::new(window.bytes[number].iter().copied());
                    let is = self.circuit.equal(&byte, &wanted);
                    let is = self.circuit.all([is, here[number], window.inside[number]]);
                    let place = self.moved(&first, number as i64);
                    found = self.circuit.choose_value(is, &place, &found);
                }
                Ok(found)
            }
            Builtin::BeginAtomic | Builtin::EndAtomic | Builtin::CurrentThread => Ok(nothing),
            _ => {
                self.cut_unless(state, at, Literal::FALSE, Why::Builtin(which));
                Ok(nothing)
            }
        }
    }

    fn sum(&mut self, one: &Value, other: &Value) -> Value {
        self.circuit.binary(model::Binary::Add, one, other, crate::bits::WIDEST)
    }

    fn moved(&mut self, pointer: &Value, by: i64) -> Value {
        self.sum(pointer, &Value::constant(by))
    }

    /// Whether a size without sign is greater than a number.
    fn exceeds(&mut self, size: &Value, number: i64) -> Literal {
        let negative = self.circuit.less_value(size, &Value::constant(0));
        let greater = self.circuit.less_value(&Value::constant(number), size);
        self.circuit.or(negative, greater)
    }

    /// Whether a byte of a run is one of the first `size`, a number without sign.
    fn below(&mut self, number: usize, size: &Value) -> Literal {
        self.exceeds(size, number as i64)
    }

    /// The product of sizes; too large ones are a fault.
    fn product(&mut self, state: &mut State, at: At, one: &Value, other: &Value) -> Value {
        // Two factors of 31 bits fit; larger ones do only beside very small ones.
        for (factor, beside) in [(one, other), (other, one)] {
            if beside.known() != Some(1) && beside.known() != Some(0) {
                let large = self.exceeds(factor, i64::from(i32::MAX));
                self.cut_unless(state, at, !large, Why::Size);
            }
        }
        self.circuit.binary(model::Binary::Multiply, one, other, crate::bits::WIDEST)
    }

    /// A new object of zeros: the pointer to it, and its block.
    fn allocate(
        &mut self,
        state: &mut State,
        at: At,
        site: Site,
        size: &Value,
    ) -> Result<(Value, u32), EncodeError> {
        let largest = self.program.pointers.largest_object() as i64;
        let too_large = self.exceeds(size, largest);
        self.check(state, at, Duty::Fault(Fault::TooLarge(0)), !too_large);
        let most = if size.known().is_some() { LARGEST } else { LARGEST_UNKNOWN };
        let unfollowed = self.exceeds(size, most);
        self.cut_unless(state, at, !unfollowed, Why::Size);
        let room = size.high().clamp(0, most);
        let (block, number) = self.names.birth(site, Kind::Heap, &[(0, size.clone())]);
        if u64::from(number) >= u64::from(self.program.pointers.most_objects()) {
            return Err(EncodeError::TooManyElements(u64::from(number)));
        }
        // With another bound the size may be known otherwise.
        self.names.objects[number as usize].size = size.clone();
        state.memory.add(block, Block::zeros(room as usize));
        Ok((Value::constant(self.program.pointers.pointer(number, 0)), block))
    }

    fn target(&mut self, state: &State, frame: &Frame, pointer: &Value) -> Target {
        View::new(self.program, self.names, state, frame).target(self.circuit, pointer)
    }

    fn free(&mut self, state: &mut State, frame: &Frame, at: At, pointer: &Value) -> Result<(), EncodeError> {
        let target = self.target(state, frame, pointer);
        let far = self.circuit.and(!target.near, !target.null);
        self.need(state, at, Need::Near, !far);
        let at_start = self.circuit.same_value(&target.offset, &Value::constant(0));
        let misplaced = self.circuit.and(target.null, !at_start);
        let (mut invalid, mut again) = (misplaced, target.nowhere);
        for spot in &target.spots {
            let wrong = match spot.kind {
                Kind::Heap => self.circuit.and(spot.alive, !at_start),
                Kind::Frame => spot.alive,
                Kind::Global | Kind::Constant | Kind::Function(_) => Literal::TRUE,
            };
            let wrong = self.circuit.and(spot.when, wrong);
            invalid = self.circuit.or(invalid, wrong);
            let gone = self.circuit.and(spot.when, !spot.alive);
            again = self.circuit.or(again, gone);
        }
        self.check(state, at, Duty::Fault(Fault::DoubleFree), !again);
        self.check(state, at, Duty::Fault(Fault::InvalidFree), !invalid);
        for spot in target.spots.iter().filter(|spot| spot.kind == Kind::Heap) {
            let alive = self.circuit.and(spot.alive, !spot.when);
            state.memory.set_alive(spot.block, alive);
        }
        Ok(())
    }

    fn reallocate(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        site: Site,
        pointer: &Value,
        size: &Value,
    ) -> Result<Value, EncodeError> {
        let (new, block) = self.allocate(state, at, site, size)?;
        let target = self.target(state, frame, pointer);
        let at_start = self.circuit.same_value(&target.offset, &Value::constant(0));
        let wrong = self.circuit.all([!target.null, !at_start]);
        self.check(state, at, Duty::Fault(Fault::InvalidFree), !wrong);
        let room = state.memory.block(block).map_or(0, Block::bytes);
        for spot in target.spots.iter().filter(|spot| spot.alive != Literal::FALSE && spot.kind == Kind::Heap)
        {
            let own = state.memory.block(spot.block).map_or(0, Block::bytes).min(room);
            for byte in 0..own {
                let cell = |block| crate::expr::Cell { frame: block, offset: byte as u32 };
                let old = state.memory.read(cell(spot.block), 8)?;
                // What lies behind the end of an object of unknown size is 0 anyway.
                let counts = self.below(byte, size);
                let when = self.circuit.and(spot.when, counts);
                state.memory.write(self.circuit, cell(block), &old, when)?;
            }
        }
        self.free(state, frame, at, pointer)?;
        Ok(new)
    }

    /// How many bytes of a run have to be looked at; longer runs are left out.
    fn most(&mut self, state: &mut State, at: At, size: &Value) -> usize {
        let most = if size.known().is_some() { LONGEST_KNOWN_RUN } else { LONGEST_RUN };
        let unfollowed = self.exceeds(size, most);
        self.cut_unless(state, at, !unfollowed, Why::Size);
        size.high().clamp(0, most) as usize
    }

    /// Bytes from where a pointer points to, at most so many, as far as any object reaches.
    fn window(
        &mut self,
        state: &mut State,
        frame: &Frame,
        target: &Target,
        most: usize,
    ) -> Result<Window, EncodeError> {
        let reach =
            target.spots.iter().map(|spot| spot.size.high().saturating_sub(target.offset.low()).max(0)).max();
        let count = most.min(reach.unwrap_or(0).min(LARGEST) as usize);
        let mut window = Window { bytes: Vec::new(), inside: Vec::new() };
        for number in 0..count {
            let offset = self.moved(&target.offset, number as i64);
            let shifted = Target { offset, ..target.clone() };
            let view = View::new(self.program, self.names, state, frame);
            let mut inside = Literal::FALSE;
            let start = self.circuit.less_value(&shifted.offset, &Value::constant(0));
            for spot in &target.spots {
                let before_end = self.circuit.less_value(&shifted.offset, &spot.size);
                let here = self.circuit.all([spot.when, spot.alive, before_end, !start]);
                inside = self.circuit.or(inside, here);
            }
            window.bytes.push(view.read(self.circuit, &shifted, 1)?);
            window.inside.push(inside);
        }
        Ok(window)
    }

    /// The `size` bytes from where a pointer points to; none may be missing.
    fn run(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        pointer: &Value,
        size: &Value,
    ) -> Result<Window, EncodeError> {
        let most = self.most(state, at, size);
        let target = self.target(state, frame, pointer);
        self.accessible(state, frame, at, &target, size, false);
        self.window(state, frame, &target, most)
    }

    /// What must be so for a run of any length to be read or written.
    fn accessible(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        target: &Target,
        size: &Value,
        writes: bool,
    ) {
        let mut needs = Vec::new();
        let some = size.is_true(self.circuit);
        let view = View::new(self.program, self.names, state, frame);
        view.accessible(self.circuit, target, size, writes, &mut needs);
        for (need, holds) in needs {
            let holds = self.circuit.or(holds, !some);
            self.need(state, at, need, holds);
        }
    }

    /// Writes the first `size` bytes.
    fn put_run(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        pointer: &Value,
        bytes: &[Vec<Literal>],
        size: &Value,
    ) -> Result<(), EncodeError> {
        let target = self.target(state, frame, pointer);
        self.accessible(state, frame, at, &target, size, true);
        let lengths: Vec<Literal> = (0..bytes.len()).map(|number| self.below(number, size)).collect();
        self.put_bytes(state, frame, &target, bytes, &lengths)
    }

    /// Writes bytes, each only if it is to be written.
    fn put_bytes(
        &mut self,
        state: &mut State,
        frame: &Frame,
        target: &Target,
        bytes: &[Vec<Literal>],
        when: &[Literal],
    ) -> Result<(), EncodeError> {
        // Whole words, where all of them are written to one place, keep what is known of pointers.
        if when.iter().all(|when| *when == Literal::TRUE) && !bytes.is_empty() {
            let view = View::new(self.program, self.names, state, frame);
            let cells = view.cells(self.circuit, target, bytes.len())?;
            let all: Vec<Literal> = bytes.concat();
            for (cell, here) in cells {
                state.memory.write(self.circuit, cell, &all, here)?;
            }
            return Ok(());
        }
        for (number, (byte, when)) in bytes.iter().zip(when).enumerate() {
            if *when == Literal::FALSE {
                continue;
            }
            let offset = self.moved(&target.offset, number as i64);
            let shifted = Target { offset, ..target.clone() };
            let view = View::new(self.program, self.names, state, frame);
            for (cell, here) in view.cells(self.circuit, &shifted, 1)? {
                let here = self.circuit.and(here, *when);
                state.memory.write(self.circuit, cell, byte, here)?;
            }
        }
        Ok(())
    }

    /// A text of at most so many characters: up to the first zero, which must come unless there are as many.
    fn text(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        pointer: &Value,
        most: &Value,
    ) -> Result<Window, EncodeError> {
        let target = self.target(state, frame, pointer);
        let some = most.is_true(self.circuit);
        self.accessible_if(state, frame, at, &target, some);
        let longest =
            if most.high() < 0 || most.low() < 0 { LONGEST_RUN } else { most.high().min(LONGEST_RUN) };
        let window = self.window(state, frame, &target, longest as usize)?;
        // Every byte that is looked at must be there.
        let mut goes_on = some;
        for (number, (byte, inside)) in window.bytes.iter().zip(&window.inside).enumerate() {
            let counts = self.below(number, most);
            goes_on = self.circuit.and(goes_on, counts);
            let holds = self.circuit.or(!goes_on, *inside);
            self.need(state, at, Need::Inside, holds);
            let more = self.circuit.any(byte.iter().copied());
            goes_on = self.circuit.and(goes_on, more);
        }
        let counts = self.below(window.bytes.len(), most);
        goes_on = self.circuit.and(goes_on, counts);
        if window.bytes.len() as i64 == LONGEST_RUN {
            self.cut_unless(state, at, !goes_on, Why::Size);
        } else {
            self.need(state, at, Need::Inside, !goes_on);
        }
        Ok(window)
    }

    fn accessible_if(&mut self, state: &mut State, frame: &Frame, at: At, target: &Target, some: Literal) {
        let mut needs = Vec::new();
        let view = View::new(self.program, self.names, state, frame);
        view.accessible(self.circuit, target, &Value::constant(1), false, &mut needs);
        for (need, holds) in needs {
            let holds = self.circuit.or(holds, !some);
            self.need(state, at, need, holds);
        }
    }

    /// How long a text of at most so many characters is.
    fn length(&mut self, window: &Window, most: &Value) -> Value {
        let mut length = Value::constant(window.bytes.len() as i64);
        for (number, byte) in window.bytes.iter().enumerate().rev() {
            let more = self.circuit.any(byte.iter().copied());
            let counts = self.below(number, most);
            let ends = !self.circuit.and(more, counts);
            length = self.circuit.choose_value(ends, &Value::constant(number as i64), &length);
        }
        length
    }

    /// Writes a text and the zero at its end.
    fn put_text(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        pointer: &Value,
        text: &Window,
        most: &Value,
    ) -> Result<(), EncodeError> {
        let length = self.length(text, most);
        let size = self.moved(&length, 1);
        let target = self.target(state, frame, pointer);
        self.accessible(state, frame, at, &target, &size, true);
        let count = (size.high().max(0) as usize).min(text.bytes.len() + 1);
        let zero = vec![Literal::FALSE; 8];
        let (mut bytes, mut when) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for number in 0..count {
            let inside = self.below(number, &length);
            let byte = text.bytes.get(number).unwrap_or(&zero);
            bytes.push(memory::choose(self.circuit, inside, byte, &zero));
            when.push(self.below(number, &size));
        }
        self.put_bytes(state, frame, &target, &bytes, &when)
    }

    /// The order of two runs: -1, 0 or 1; of texts, both end with their zero.
    fn compare(&mut self, left: &Window, right: &Window, size: &Value, texts: bool) -> Value {
        let mut order = Value::constant(0);
        let zero = vec![Literal::FALSE; 8];
        for number in (0..left.bytes.len().max(right.bytes.len())).rev() {
            let byte = |window: &Window| Bits::new(window.bytes.get(number).unwrap_or(&zero).iter().copied());
            let (one, other) = (byte(left), byte(right));
            let (less, more) =
                (self.circuit.less_unsigned(&one, &other), self.circuit.less_unsigned(&other, &one));
            let ended = !self.circuit.any_bit(&one);
            // Behind the end of both texts nothing is compared.
            if texts {
                order = self.circuit.choose_value(ended, &Value::constant(0), &order);
            }
            order = self.circuit.choose_value(more, &Value::constant(1), &order);
            order = self.circuit.choose_value(less, &Value::constant(-1), &order);
            let counts = self.below(number, size);
            order = self.circuit.choose_value(counts, &order, &Value::constant(0));
        }
        order
    }
}
