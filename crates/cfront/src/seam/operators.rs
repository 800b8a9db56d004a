//! Operators: arithmetic on numbers apart from arithmetic on pointers.

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Category, ExprId as Theirs};
use source::Span;

use super::lower::{Lower, Lowered};
use crate::tree::{
    Arithmetic, Comparison, ExprId, ExprKind, Float, Int, Logic, PlaceId, PlaceKind, Type, TypeId, Unary,
};

/// What a binary operator does.
enum Operator {
    Arithmetic(Arithmetic),
    Compare(Comparison),
    Logic(Logic),
}

fn operator(op: BinaryOp) -> Operator {
    use Operator::{Arithmetic as A, Compare as C, Logic as L};
    match op {
        BinaryOp::Mul => A(Arithmetic::Multiply),
        BinaryOp::Div => A(Arithmetic::Divide),
        BinaryOp::Rem => A(Arithmetic::Remainder),
        BinaryOp::Add => A(Arithmetic::Add),
        BinaryOp::Sub => A(Arithmetic::Subtract),
        BinaryOp::Shl => A(Arithmetic::ShiftLeft),
        BinaryOp::Shr => A(Arithmetic::ShiftRight),
        BinaryOp::BitAnd => A(Arithmetic::And),
        BinaryOp::BitOr => A(Arithmetic::Or),
        BinaryOp::BitXor => A(Arithmetic::Xor),
        BinaryOp::Lt => C(Comparison::Less),
        BinaryOp::Gt => C(Comparison::Greater),
        BinaryOp::Le => C(Comparison::LessEqual),
        BinaryOp::Ge => C(Comparison::GreaterEqual),
        BinaryOp::Eq => C(Comparison::Equal),
        BinaryOp::Ne => C(Comparison::NotEqual),
        BinaryOp::LogAnd => L(Logic::And),
        BinaryOp::LogOr => L(Logic::Or),
    }
}

impl Lower<'_> {
    pub(super) fn unary(
        &mut self,
        op: UnaryOp,
        operand: Theirs,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let op = match op {
            UnaryOp::AddrOf => return self.address_of(operand, span),
            UnaryOp::Not => return self.negation(operand, span),
            UnaryOp::PreInc => return self.increment(operand, false, true, span),
            UnaryOp::PreDec => return self.increment(operand, true, true, span),
            UnaryOp::PostInc => return self.increment(operand, false, false, span),
            UnaryOp::PostDec => return self.increment(operand, true, false, span),
            UnaryOp::Plus => return self.expression(operand),
            UnaryOp::Real | UnaryOp::Imag => return Err(self.unsupported("a complex number", span)),
            UnaryOp::Deref => return Err(self.unsupported("a place of an unknown kind", span)),
            UnaryOp::Minus => Unary::Negate,
            UnaryOp::BitNot => Unary::Complement,
        };
        let operand = self.expression(operand)?;
        let ty = self.typed(ty, span)?;
        self.same_type(operand, ty, span)?;
        Ok(self.program.add_expr(ExprKind::Unary { op, operand }, ty, span))
    }

    fn address_of(&mut self, operand: Theirs, span: Span) -> Lowered<ExprId> {
        if self.tast[operand].category == Category::Function {
            return self.designated_function(operand);
        }
        if self.tast[operand].category == Category::Bitfield {
            return Err(self.unsupported("the address of a bit-field", span));
        }
        let place = self.place(operand)?;
        let pointee = self.program[place].ty;
        let pointer = self.pointer_to(pointee);
        // `&*p` is `p`, and `&p[i]` is `p + i`: nothing is followed.
        let kind = match self.program[place].kind {
            PlaceKind::Deref(value) if self.program[value].ty == pointer => return Ok(value),
            PlaceKind::Element { pointer, index } => ExprKind::PointerAdd { pointer, index, back: false },
            _ => ExprKind::AddressOf(place),
        };
        Ok(self.program.add_expr(kind, pointer, span))
    }

    fn increment(&mut self, operand: Theirs, down: bool, prefix: bool, span: Span) -> Lowered<ExprId> {
        let place = self.place(operand)?;
        let ty = self.program[place].ty;
        let computed_in = self.computation(place);
        if self.program.types.float(ty).is_none()
            && self.program.types.int(ty).is_none()
            && !self.program.types.is_pointer(ty)
        {
            return Err(self.unsupported("arithmetic on such a type", span));
        }
        let access = self.access(self.tast[operand].ty);
        let kind = ExprKind::Increment { place, down, prefix, computed_in, access };
        Ok(self.program.add_expr(kind, ty, span))
    }

    /// The type in which 1 is added to what a place holds: what is narrower than `int` is promoted.
    fn computation(&mut self, place: PlaceId) -> TypeId {
        let ty = self.program[place].ty;
        let Some(int) = self.program.types.int(ty) else { return ty };
        let bits = match &self.program[place].kind {
            PlaceKind::Member { record, field } => match self.program.types.get(self.program[*record].ty) {
                Type::Record(id) => {
                    let bits = self.program.types.record(id).fields.get(*field as usize);
                    bits.and_then(|field| field.bits).map_or(int.bits, |bits| bits.width)
                }
                _ => int.bits,
            },
            _ => int.bits,
        };
        let holds = bits < 32 || bits == 32 && int.signed;
        let promoted = if holds { Int::INT } else { int };
        self.int_type(promoted)
    }

    pub(super) fn int_type(&mut self, int: Int) -> TypeId {
        let layout = crate::tree::Layout { size: u64::from(int.bits / 8), align: u64::from(int.bits / 8) };
        self.program.types.intern(Type::Int(int), Some(layout))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Theirs,
        right: Theirs,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let op = match operator(op) {
            Operator::Logic(op) => return self.logical(op, left, right, span),
            Operator::Compare(op) => return self.comparison(op, left, right, ty, span),
            Operator::Arithmetic(op) => op,
        };
        let left = self.expression(left)?;
        let right = self.expression(right)?;
        let ty = self.typed(ty, span)?;
        let pointer = |expr: ExprId| self.program.types.is_pointer(self.program[expr].ty);
        let kind = match (op, pointer(left), pointer(right)) {
            (_, false, false) => {
                self.same_type(left, ty, span)?;
                if !matches!(op, Arithmetic::ShiftLeft | Arithmetic::ShiftRight) {
                    self.same_type(right, ty, span)?;
                }
                ExprKind::Binary { op, left, right }
            }
            (Arithmetic::Add, true, false) => {
                ExprKind::PointerAdd { pointer: left, index: right, back: false }
            }
            (Arithmetic::Add, false, true) => {
                ExprKind::PointerAdd { pointer: right, index: left, back: false }
            }
            (Arithmetic::Subtract, true, false) => {
                ExprKind::PointerAdd { pointer: left, index: right, back: true }
            }
            (Arithmetic::Subtract, true, true) => ExprKind::PointerDifference { left, right },
            _ => return Err(self.unsupported("arithmetic on such a type", span)),
        };
        Ok(self.program.add_expr(kind, ty, span))
    }

    fn comparison(
        &mut self,
        op: Comparison,
        left: Theirs,
        right: Theirs,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let left = self.expression(left)?;
        let right = self.expression(right)?;
        let ty = self.typed(ty, span)?;
        let types = &self.program.types;
        let (one, other) = (self.program[left].ty, self.program[right].ty);
        if !(one == other && types.int(ty).is_some() || types.is_pointer(one) && types.is_pointer(other)) {
            return Err(self.unsupported("a comparison of such types", span));
        }
        Ok(self.program.add_expr(ExprKind::Compare { op, left, right }, ty, span))
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        computation: rucc_types::TypeId,
        left: Theirs,
        right: Theirs,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let place = self.place(left)?;
        let access = self.access(self.tast[left].ty);
        let value = self.expression(right)?;
        let ty = self.typed(ty, span)?;
        let Some(op) = op else {
            self.same_type(value, ty, span)?;
            return Ok(self.program.add_expr(ExprKind::Assign { place, value, access }, ty, span));
        };
        let Operator::Arithmetic(op) = operator(op) else {
            return Err(self.unsupported("an assignment with such an operator", span));
        };
        let computed_in = self.typed(computation, span)?;
        let (value, computed_in) = self.promoted_bit_field(place, value, computed_in);
        let kind = ExprKind::Compound { place, op, right: value, computed_in, access };
        Ok(self.program.add_expr(kind, ty, span))
    }

    /// A bit-field narrower than `int` is computed in `int` even if it has no sign, which the library
    /// forgets in compound assignments: there it converts the right side to `unsigned int` as well.
    fn promoted_bit_field(&mut self, place: PlaceId, right: ExprId, computed_in: TypeId) -> (ExprId, TypeId) {
        let unsigned = Int { bits: 32, signed: false };
        let promoted = self.computation(place);
        if self.program.types.int(computed_in) != Some(unsigned)
            || self.program.types.int(promoted) != Some(Int::INT)
            || self.program.types.int(self.program[place].ty) != Some(unsigned)
        {
            return (right, computed_in);
        }
        let ExprKind::Convert { operand, explicit: false } = self.program[right].kind else {
            // A shift leaves its right side alone, and `unsigned int` makes all of it so.
            let shifted = self.program[right].ty != computed_in;
            return (right, if shifted { promoted } else { computed_in });
        };
        match self.program.types.int(self.program[operand].ty) {
            Some(int) if int.bits < 32 || int.signed && int.bits == 32 => {
                let span = self.program[right].span;
                let convert = ExprKind::Convert { operand, explicit: false };
                let right =
                    if int == Int::INT { operand } else { self.program.add_expr(convert, promoted, span) };
                (right, promoted)
            }
            _ => (right, computed_in),
        }
    }

    /// The library promises that operands have the type of the operation; a tree that does not keep it is
    /// not to be believed.
    fn same_type(&mut self, operand: ExprId, ty: TypeId, span: Span) -> Lowered<()> {
        let from = self.program[operand].ty;
        let types = &self.program.types;
        // An enumeration may stand for its integers, and pointers for each other.
        let same = from == ty
            || types.is_pointer(from) && types.is_pointer(ty)
            || types.int(from).is_some() && types.int(from) == types.int(ty)
            || types.float(from).is_some_and(|float| float != Float::Single)
                && types.float(from) == types.float(ty);
        if same { Ok(()) } else { Err(self.unsupported("an operation on different types", span)) }
    }
}
