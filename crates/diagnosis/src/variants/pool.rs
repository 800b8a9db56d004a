//! What else a statement could have been made of: the constants, variables and conditions that the program uses.

use model::{Base, Binary, Command, Expr, Function, Place, Program, Scalar};

use super::replacement::is_truth;
use super::walk::expressions;

const MOST_CONSTANTS: usize = 40;
const MOST_READS: usize = 40;
const MOST_TARGETS: usize = 16;
const MOST_CONDITIONS: usize = 24;
const MOST_INSERTED: usize = 12;
const MOST_ARRAYS: usize = 4;
const MOST_BY_VARIABLE: usize = 5;

/// What a statement of one function can be made of.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// Those of the function come first.
    pub(super) constants: Vec<i64>,
    /// Variables, elements, fields.
    pub(super) reads: Vec<Expr>,
    /// What can be assigned to: numbers of the function.
    pub(super) targets: Vec<Expr>,
    pub(super) conditions: Vec<Expr>,
    pub(super) pointer: Scalar,
    temporaries: u32,
    /// Constants that are assigned somewhere.
    assigned: Vec<i64>,
}

/// The type of what an expression reads.
pub(super) fn scalar_of(read: &Expr) -> Option<Scalar> {
    match read {
        Expr::Load(place) => Some(place.scalar),
        Expr::Deref(scalar, _) => Some(*scalar),
        _ => None,
    }
}

impl Pool {
    /// `variables` are those in scope.
    pub(crate) fn new(program: &Program, function: u32, variables: &[(String, Place)]) -> Self {
        let of = &program.functions[function as usize];
        let mut pool = Self {
            constants: vec![0, 1],
            reads: variables.iter().map(|(_, place)| Expr::Load(place.clone())).collect(),
            targets: Vec::new(),
            conditions: Vec::new(),
            pointer: program.pointers.scalar,
            temporaries: of.temporaries,
            assigned: vec![0, 1],
        };
        pool.gather(of, |_| true);
        // What others use can be used here if it is found the same way.
        for other in program.functions.iter().filter(|other| !std::ptr::eq(*other, of)) {
            let same = other.parameters == of.parameters;
            pool.gather(other, |expr| is_global(expr) || same && is_of_parameters(expr, other));
        }
        pool.add_elements(program, variables);
        let pointer = pool.pointer;
        let is_number = |read: &&Expr| scalar_of(read).is_some_and(|scalar| scalar != pointer);
        pool.targets = pool.reads.iter().filter(is_number).take(MOST_TARGETS).cloned().collect();
        pool
    }

    fn gather(&mut self, function: &Function, fits: impl Fn(&Expr) -> bool) {
        let commands = function.edges.iter().flat_map(|edge| &edge.commands);
        for command in commands {
            let target = match command {
                Command::Set(place, value) => {
                    self.assign(value);
                    Some(Expr::Load(place.clone()))
                }
                Command::Store { address, scalar, value } => {
                    self.assign(value);
                    Some(Expr::Deref(*scalar, Box::new(address.clone())))
                }
                _ => None,
            };
            for expr in target.into_iter().chain(expressions(command)) {
                expr.for_each_part(&mut |part| match part {
                    Expr::Constant(value) => note(&mut self.constants, *value, MOST_CONSTANTS),
                    Expr::Load(_) | Expr::Deref(..) if fits(part) && self.lasts(part) => {
                        note(&mut self.reads, part.clone(), MOST_READS);
                    }
                    _ if is_truth(part) && fits(part) && self.lasts(part) => {
                        note(&mut self.conditions, part.clone(), MOST_CONDITIONS);
                    }
                    _ => {}
                });
            }
        }
    }

    /// Elements of the arrays that the program uses, by variables in scope.
    fn add_elements(&mut self, program: &Program, variables: &[(String, Place)]) {
        let mut arrays: Vec<Place> = Vec::new();
        let edges = program.functions.iter().flat_map(|function| &function.edges);
        for command in edges.flat_map(|edge| &edge.commands) {
            for expr in expressions(command) {
                expr.for_each_part(&mut |part| match part {
                    Expr::Load(place) if place.base == Base::Global && place.indices.len() == 1 => {
                        let same =
                            |known: &Place| (known.offset, known.scalar) == (place.offset, place.scalar);
                        if arrays.len() < MOST_ARRAYS && !arrays.iter().any(same) {
                            arrays.push(place.clone());
                        }
                    }
                    _ => {}
                });
            }
        }
        for mut array in arrays {
            for (_, variable) in variables.iter().take(MOST_BY_VARIABLE) {
                array.indices[0].value = Expr::Load(variable.clone());
                note(&mut self.reads, Expr::Load(array.clone()), MOST_READS + MOST_ARRAYS * MOST_BY_VARIABLE);
            }
        }
    }

    fn assign(&mut self, value: &Expr) {
        if let Expr::Constant(value) = value {
            note(&mut self.assigned, *value, MOST_CONSTANTS);
        }
    }

    pub(super) fn is_temporary(&self, place: &Place) -> bool {
        place.base == Base::Local && place.offset >= self.temporaries
    }

    /// Whether an expression says the same in every statement: temporaries are gone when theirs is.
    fn lasts(&self, expr: &Expr) -> bool {
        let mut lasts = true;
        expr.for_each_part(&mut |part| {
            lasts &= !matches!(part, Expr::Load(place) if self.is_temporary(place));
            lasts &= !matches!(part, Expr::Ask(..));
        });
        lasts
    }

    /// What may be assigned to a target.
    pub(super) fn inserted(&self, target: &Expr) -> Vec<Expr> {
        let step = |by: Binary| Expr::binary(by, target.clone(), Expr::Constant(1));
        let mut values = vec![step(Binary::Add), step(Binary::Subtract)];
        values.extend(self.assigned.iter().take(MOST_INSERTED).map(|value| Expr::Constant(*value)));
        let scalar = scalar_of(target);
        let same = self.reads.iter().filter(|read| *read != target && scalar_of(read) == scalar);
        values.extend(same.take(MOST_INSERTED).cloned());
        values
    }

    /// What else could be read, numbers for numbers and pointers for pointers.
    pub(super) fn like<'a>(&'a self, read: &'a Expr) -> impl Iterator<Item = &'a Expr> {
        let is_pointer = scalar_of(read) == Some(self.pointer);
        self.reads
            .iter()
            .filter(move |other| *other != read && (scalar_of(other) == Some(self.pointer)) == is_pointer)
    }
}

fn note<T: PartialEq>(list: &mut Vec<T>, new: T, most: usize) {
    if list.len() < most && !list.contains(&new) {
        list.push(new);
    }
}

fn is_global(expr: &Expr) -> bool {
    let mut global = true;
    expr.for_each_part(&mut |part| {
        global &= !matches!(part, Expr::Load(place) if place.base != Base::Global)
    });
    global
}

/// Whether an expression looks at nothing but the parameters of a function and the globals.
fn is_of_parameters(expr: &Expr, function: &Function) -> bool {
    let mut good = true;
    let is_parameter = |place: &Place| {
        function.parameters.iter().any(|parameter| parameter.offset == place.offset)
            && place.indices.is_empty()
    };
    expr.for_each_part(&mut |part| {
        if let Expr::Load(place) = part {
            good &= place.base == Base::Global || place.base == Base::Local && is_parameter(place);
        }
    });
    good
}
