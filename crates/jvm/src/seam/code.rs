//! From the instructions of the library to operations.

use cafebabe::attributes::{AttributeData, CodeData};
use cafebabe::bytecode::{ByteCode, JumpOffset, Opcode, PrimitiveArrayType};
use cafebabe::constant_pool::{Loadable, MemberRef, ObjectArrayType};

use super::{handle, literal};
use crate::code::{
    Binary, Code, Condition, Constant, Dispatch, Handler, Into, Kind, Member, Mention, Op, Switch, Variable,
};

/// Converts the code of one method; an error says what it has that is not supported.
pub(super) fn convert(data: &CodeData<'_>) -> Result<Code, String> {
    let bytecode = data.bytecode.as_ref().ok_or("no instructions")?;
    if bytecode.opcodes.is_empty() {
        return Err("no instructions".to_owned());
    }
    let mut maker = Maker { bytecode, code: Code::default() };
    maker.code.max_locals = data.max_locals;
    maker.code.max_stack = data.max_stack;
    for (offset, opcode) in &bytecode.opcodes {
        let op = maker.op(*offset, opcode)?;
        maker.code.ops.push(op);
    }
    for entry in &data.exception_table {
        let from =
            maker.number(usize::from(entry.start_pc)).ok_or("a handler begins inside an instruction")?;
        let to = maker.end(usize::from(entry.end_pc)).ok_or("a handler ends inside an instruction")?;
        let at = maker.number(usize::from(entry.handler_pc)).ok_or("a handler lies inside an instruction")?;
        let class = entry.catch_type.as_ref().map(ToString::to_string);
        maker.code.handlers.push(Handler { from, to, at, class });
    }
    for attribute in &data.attributes {
        match &attribute.data {
            AttributeData::LineNumberTable(lines) => {
                for line in lines {
                    if let Some(op) = maker.number(usize::from(line.start_pc)) {
                        maker.code.lines.push((op, line.line_number));
                    }
                }
            }
            AttributeData::LocalVariableTable(variables) => {
                for variable in variables {
                    let start = usize::from(variable.start_pc);
                    let (Some(from), Some(to)) =
                        (maker.end(start), maker.end(start + usize::from(variable.length)))
                    else {
                        continue;
                    };
                    maker.code.variables.push(Variable {
                        from,
                        to,
                        slot: variable.index,
                        name: variable.name.to_string(),
                        descriptor: variable.descriptor.to_string(),
                    });
                }
            }
            _ => {}
        }
    }
    maker.code.lines.sort_unstable();
    Ok(maker.code)
}

struct Maker<'c, 'a> {
    bytecode: &'c ByteCode<'a>,
    code: Code,
}

impl Maker<'_, '_> {
    fn number(&self, offset: usize) -> Option<u32> {
        self.bytecode.opcodes.binary_search_by_key(&offset, |(at, _)| *at).ok().map(|at| at as u32)
    }

    /// The same for an offset that may lie just behind the last instruction.
    fn end(&self, offset: usize) -> Option<u32> {
        let last = self.bytecode.opcodes.last().map_or(0, |(at, _)| *at);
        if offset > last { Some(self.bytecode.opcodes.len() as u32) } else { self.number(offset) }
    }

    fn target(&self, offset: usize, jump: JumpOffset) -> Result<u32, String> {
        let to = (offset as i64).checked_add(i64::from(jump)).and_then(|to| usize::try_from(to).ok());
        to.and_then(|to| self.number(to)).ok_or_else(|| "a jump leads out of the code".to_owned())
    }

    fn mention(&mut self, mention: Mention) -> u32 {
        self.code.mentions.push(mention);
        self.code.mentions.len() as u32 - 1
    }

    fn class(&mut self, name: &str) -> u32 {
        self.mention(Mention::Class(name.to_owned()))
    }

    fn array_type(&mut self, of: &ObjectArrayType<'_>) -> u32 {
        let name = match of {
            ObjectArrayType::ArrayType(descriptor) => descriptor.to_string(),
            ObjectArrayType::BinaryName(name) => name.to_string(),
        };
        self.class(&name)
    }

    fn member(&mut self, of: &MemberRef<'_>) -> u32 {
        let member = Member {
            class: of.class_name.to_string(),
            name: of.name_and_type.name.to_string(),
            descriptor: of.name_and_type.descriptor.to_string(),
        };
        self.mention(Mention::Member(member))
    }

    fn loadable(&mut self, of: &Loadable<'_>) -> Op {
        let constant = match of {
            Loadable::LiteralConstant(value) => literal(value),
            Loadable::ClassInfo(name) => Constant::Class(name.to_string()),
            Loadable::MethodHandle(found) => Constant::Handle(handle(found)),
            Loadable::MethodType(text) => Constant::MethodType(text.to_string()),
            Loadable::Dynamic(dynamic) => Constant::Dynamic(
                dynamic.attr_index,
                dynamic.name_and_type.name.to_string(),
                dynamic.name_and_type.descriptor.to_string(),
            ),
        };
        match constant {
            Constant::Int(value) => Op::Int(value),
            Constant::Long(value) => Op::Long(value),
            Constant::Float(value) => Op::Float(value),
            Constant::Double(value) => Op::Double(value),
            other => Op::Constant(self.mention(Mention::Constant(other))),
        }
    }

    fn switch(&mut self, default: u32, mut cases: Vec<(i32, u32)>) -> Op {
        cases.sort_unstable_by_key(|(value, _)| *value);
        self.code.switches.push(Switch { default, cases });
        Op::Switch(self.code.switches.len() as u32 - 1)
    }

    fn op(&mut self, offset: usize, opcode: &Opcode<'_>) -> Result<Op, String> {
        use Opcode as O;
        Ok(match opcode {
            O::Nop => Op::Nop,
            O::AconstNull => Op::Null,
            O::IconstM1 => Op::Int(-1),
            O::Iconst0 => Op::Int(0),
            O::Iconst1 => Op::Int(1),
            O::Iconst2 => Op::Int(2),
            O::Iconst3 => Op::Int(3),
            O::Iconst4 => Op::Int(4),
            O::Iconst5 => Op::Int(5),
            O::Lconst0 => Op::Long(0),
            O::Lconst1 => Op::Long(1),
            O::Fconst0 => Op::Float(0.0),
            O::Fconst1 => Op::Float(1.0),
            O::Fconst2 => Op::Float(2.0),
            O::Dconst0 => Op::Double(0.0),
            O::Dconst1 => Op::Double(1.0),
            O::Bipush(value) => Op::Int(i32::from(*value)),
            O::Sipush(value) => Op::Int(i32::from(*value)),
            O::Ldc(of) | O::LdcW(of) | O::Ldc2W(of) => self.loadable(of),
            O::Iload(at) | O::Lload(at) | O::Fload(at) | O::Dload(at) | O::Aload(at) => Op::Load(*at),
            O::Istore(at) | O::Lstore(at) | O::Fstore(at) | O::Dstore(at) | O::Astore(at) => Op::Store(*at),
            O::Iinc(at, by) => Op::Increment(*at, *by),
            O::Iaload => Op::ArrayLoad(Kind::Int),
            O::Laload => Op::ArrayLoad(Kind::Long),
            O::Faload => Op::ArrayLoad(Kind::Float),
            O::Daload => Op::ArrayLoad(Kind::Double),
            O::Aaload => Op::ArrayLoad(Kind::Ref),
            O::Baload => Op::ArrayLoad(Kind::Byte),
            O::Caload => Op::ArrayLoad(Kind::Char),
            O::Saload => Op::ArrayLoad(Kind::Short),
            O::Iastore => Op::ArrayStore(Kind::Int),
            O::Lastore => Op::ArrayStore(Kind::Long),
            O::Fastore => Op::ArrayStore(Kind::Float),
            O::Dastore => Op::ArrayStore(Kind::Double),
            O::Aastore => Op::ArrayStore(Kind::Ref),
            O::Bastore => Op::ArrayStore(Kind::Byte),
            O::Castore => Op::ArrayStore(Kind::Char),
            O::Sastore => Op::ArrayStore(Kind::Short),
            O::Pop => Op::Pop,
            O::Pop2 => Op::Pop2,
            O::Dup => Op::Dup,
            O::DupX1 => Op::DupX1,
            O::DupX2 => Op::DupX2,
            O::Dup2 => Op::Dup2,
            O::Dup2X1 => Op::Dup2X1,
            O::Dup2X2 => Op::Dup2X2,
            O::Swap => Op::Swap,
            O::Iadd | O::Ladd | O::Fadd | O::Dadd => Op::Binary(Binary::Add),
            O::Isub | O::Lsub | O::Fsub | O::Dsub => Op::Binary(Binary::Sub),
            O::Imul | O::Lmul | O::Fmul | O::Dmul => Op::Binary(Binary::Mul),
            O::Idiv | O::Ldiv | O::Fdiv | O::Ddiv => Op::Binary(Binary::Div),
            O::Irem | O::Lrem | O::Frem | O::Drem => Op::Binary(Binary::Rem),
            O::Ishl | O::Lshl => Op::Binary(Binary::Shl),
            O::Ishr | O::Lshr => Op::Binary(Binary::Shr),
            O::Iushr | O::Lushr => Op::Binary(Binary::Ushr),
            O::Iand | O::Land => Op::Binary(Binary::And),
            O::Ior | O::Lor => Op::Binary(Binary::Or),
            O::Ixor | O::Lxor => Op::Binary(Binary::Xor),
            O::Ineg | O::Lneg | O::Fneg | O::Dneg => Op::Negate,
            O::L2i | O::F2i | O::D2i => Op::Convert(Into::Int),
            O::I2l | O::F2l | O::D2l => Op::Convert(Into::Long),
            O::I2f | O::L2f | O::D2f => Op::Convert(Into::Float),
            O::I2d | O::L2d | O::F2d => Op::Convert(Into::Double),
            O::I2b => Op::Convert(Into::Byte),
            O::I2c => Op::Convert(Into::Char),
            O::I2s => Op::Convert(Into::Short),
            O::Lcmp => Op::CompareLong,
            O::Fcmpl | O::Dcmpl => Op::CompareFloat(-1),
            O::Fcmpg | O::Dcmpg => Op::CompareFloat(1),
            O::Ifeq(jump) => Op::If(Condition::Eq, self.target(offset, *jump)?),
            O::Ifne(jump) => Op::If(Condition::Ne, self.target(offset, *jump)?),
            O::Iflt(jump) => Op::If(Condition::Lt, self.target(offset, *jump)?),
            O::Ifge(jump) => Op::If(Condition::Ge, self.target(offset, *jump)?),
            O::Ifgt(jump) => Op::If(Condition::Gt, self.target(offset, *jump)?),
            O::Ifle(jump) => Op::If(Condition::Le, self.target(offset, *jump)?),
            O::IfIcmpeq(jump) => Op::IfInts(Condition::Eq, self.target(offset, *jump)?),
            O::IfIcmpne(jump) => Op::IfInts(Condition::Ne, self.target(offset, *jump)?),
            O::IfIcmplt(jump) => Op::IfInts(Condition::Lt, self.target(offset, *jump)?),
            O::IfIcmpge(jump) => Op::IfInts(Condition::Ge, self.target(offset, *jump)?),
            O::IfIcmpgt(jump) => Op::IfInts(Condition::Gt, self.target(offset, *jump)?),
            O::IfIcmple(jump) => Op::IfInts(Condition::Le, self.target(offset, *jump)?),
            O::IfAcmpeq(jump) => Op::IfRefs(true, self.target(offset, *jump)?),
            O::IfAcmpne(jump) => Op::IfRefs(false, self.target(offset, *jump)?),
            O::Ifnull(jump) => Op::IfNull(true, self.target(offset, *jump)?),
            O::Ifnonnull(jump) => Op::IfNull(false, self.target(offset, *jump)?),
            O::Goto(jump) => Op::Goto(self.target(offset, *jump)?),
            O::Tableswitch(table) => {
                let default = self.target(offset, table.default)?;
                let mut cases = Vec::with_capacity(table.jumps.len());
                for (value, jump) in (i64::from(table.low)..).zip(&table.jumps) {
                    let value = i32::try_from(value).map_err(|_| "a switch has too many cases")?;
                    cases.push((value, self.target(offset, *jump)?));
                }
                self.switch(default, cases)
            }
            O::Lookupswitch(table) => {
                let default = self.target(offset, table.default)?;
                let mut cases = Vec::with_capacity(table.match_offsets.len());
                for (value, jump) in &table.match_offsets {
                    cases.push((*value, self.target(offset, *jump)?));
                }
                self.switch(default, cases)
            }
            O::Ireturn | O::Lreturn | O::Freturn | O::Dreturn | O::Areturn => Op::Return(true),
            O::Return => Op::Return(false),
            O::Getstatic(of) => Op::GetStatic(self.member(of)),
            O::Putstatic(of) => Op::PutStatic(self.member(of)),
            O::Getfield(of) => Op::GetField(self.member(of)),
            O::Putfield(of) => Op::PutField(self.member(of)),
            O::Invokevirtual(of) | O::Invokeinterface(of, _) => {
                Op::Invoke(Dispatch::Virtual, self.member(of))
            }
            O::Invokespecial(of) => Op::Invoke(Dispatch::Special, self.member(of)),
            O::Invokestatic(of) => Op::Invoke(Dispatch::Static, self.member(of)),
            O::Invokedynamic(of) => Op::InvokeDynamic(self.mention(Mention::Dynamic(
                of.attr_index,
                of.name_and_type.name.to_string(),
                of.name_and_type.descriptor.to_string(),
            ))),
            O::New(name) => Op::New(self.class(name)),
            O::Newarray(of) => Op::NewArray(match of {
                PrimitiveArrayType::Boolean => Kind::Boolean,
                PrimitiveArrayType::Char => Kind::Char,
                PrimitiveArrayType::Float => Kind::Float,
                PrimitiveArrayType::Double => Kind::Double,
                PrimitiveArrayType::Byte => Kind::Byte,
                PrimitiveArrayType::Short => Kind::Short,
                PrimitiveArrayType::Int => Kind::Int,
                PrimitiveArrayType::Long => Kind::Long,
            }),
            O::Anewarray(of) => Op::NewRefArray(self.array_type(of)),
            O::Multianewarray(of, dimensions) => Op::NewMultiArray(self.array_type(of), *dimensions),
            O::Arraylength => Op::ArrayLength,
            O::Athrow => Op::Throw,
            O::Checkcast(of) => Op::CheckCast(self.array_type(of)),
            O::Instanceof(of) => Op::InstanceOf(self.array_type(of)),
            O::Monitorenter => Op::MonitorEnter,
            O::Monitorexit => Op::MonitorExit,
            O::Jsr(_) | O::Ret(_) => return Err("`jsr` of compilers before Java 6".to_owned()),
            O::Breakpoint | O::Impdep1 | O::Impdep2 => return Err("a reserved instruction".to_owned()),
        })
    }
}
