//! The expression of `#if`: precedence climbing over tokens that are already expanded. What is not
//! evaluated (the right of `0 &&`) may divide by zero; names that are left over are 0.

use crate::constant::{self, Value};
use crate::symbols::Symbols;
use crate::token::{Token, TokenKind};

/// What is wrong with an expression, and at which token; at its end if at none.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) at: Option<Token>,
    pub(crate) message: String,
}

/// The value of an expression; `depth` bounds how deep it may nest.
pub(crate) fn evaluate(tokens: &[Token], symbols: &Symbols, depth: usize) -> Result<Value, Wrong> {
    let mut parser = Parser { tokens, at: 0, symbols, depth, live: true };
    let value = parser.comma()?;
    match parser.operator() {
        None => Ok(value),
        Some(")") => parser.wrong("there is no `(` to this `)`"),
        Some(":") => parser.wrong("there is no `?` to this `:`"),
        Some(_) => parser.wrong("an operator is expected here"),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    symbols: &'a Symbols,
    depth: usize,
    /// Whether the part being read counts.
    live: bool,
}

fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | ">" | "<=" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong { at: self.tokens.get(self.at).copied(), message: message.into() })
    }

    /// The spelling of the next token, whatever it is.
    fn operator(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|token| self.symbols.text(token.text))
    }

    fn expect(&mut self, operator: &str, message: &str) -> Result<(), Wrong> {
        if self.operator() != Some(operator) {
            return self.wrong(message);
        }
        self.at += 1;
        Ok(())
    }

    fn comma(&mut self) -> Result<Value, Wrong> {
        let mut value = self.choice()?;
        while self.operator() == Some(",") {
            self.at += 1;
            value = self.choice()?;
        }
        Ok(value)
    }

    /// `condition ? one : other`, or less.
    fn choice(&mut self) -> Result<Value, Wrong> {
        let condition = self.binary(1)?;
        if self.operator() != Some("?") {
            return Ok(condition);
        }
        self.at += 1;
        let live = self.live;
        self.live = live && condition.is_true();
        let one = self.nested(Self::comma)?;
        self.expect(":", "`:` is expected here")?;
        self.live = live && !condition.is_true();
        let other = self.nested(Self::choice)?;
        self.live = live;
        let unsigned = one.unsigned || other.unsigned;
        let bits = if condition.is_true() { one.bits } else { other.bits };
        Ok(Value { bits, unsigned })
    }

    fn nested(&mut self, rule: fn(&mut Self) -> Result<Value, Wrong>) -> Result<Value, Wrong> {
        let Some(less) = self.depth.checked_sub(1) else {
            return self.wrong("this expression is nested too deeply");
        };
        self.depth = less;
        let value = rule(self);
        self.depth += 1;
        value
    }

    /// A chain of operators that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Result<Value, Wrong> {
        let mut left = self.nested(Self::unary)?;
        while let Some(operator) = self.operator() {
            let Some(strength) = strength(operator).filter(|strength| *strength >= least) else { break };
            let sign = self.at;
            self.at += 1;
            let live = self.live;
            match operator {
                "&&" => self.live = live && left.is_true(),
                "||" => self.live = live && !left.is_true(),
                _ => {}
            }
            let right = self.binary(strength + 1)?;
            self.live = live;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !live => Value { bits: 0, ..left },
                None => {
                    self.at = sign;
                    return self.wrong("this divides by zero");
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Value, Wrong> {
        let Some(token) = self.tokens.get(self.at) else { return self.wrong("the expression is incomplete") };
        let text = self.symbols.text(token.text);
        let value = match (token.kind, text) {
            (TokenKind::Number, _) => constant::number(text),
            (TokenKind::Character, _) => constant::character(text),
            (TokenKind::Name, _) => Ok(Value::signed(0)),
            (_, "(") => {
                self.at += 1;
                let value = self.comma()?;
                self.expect(")", "`)` is expected here")?;
                return Ok(value);
            }
            (_, "+" | "-" | "~" | "!") => {
                self.at += 1;
                let value = self.nested(Self::unary)?;
                return Ok(match text {
                    "-" => Value { bits: value.bits.wrapping_neg(), ..value },
                    "~" => Value { bits: !value.bits, ..value },
                    "!" => Value::signed(i64::from(!value.is_true())),
                    _ => value,
                });
            }
            _ => return self.wrong(format!("a value is expected here, not `{text}`")),
        };
        match value {
            Ok(value) => {
                self.at += 1;
                Ok(value)
            }
            Err(message) => self.wrong(message),
        }
    }
}

/// The value of a binary operation, unless it divides by zero.
fn apply(operator: &str, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (x, y) = (a as i64, b as i64);
    let truth = |value: bool| Some(Value::signed(i64::from(value)));
    let number = |bits: u64| Some(Value { bits, unsigned });
    match operator {
        "*" => number(a.wrapping_mul(b)),
        "/" if unsigned => number(a.checked_div(b)?),
        "%" if unsigned => number(a.checked_rem(b)?),
        "/" => number(if y == 0 { return None } else { x.wrapping_div(y) as u64 }),
        "%" => number(if y == 0 { return None } else { x.wrapping_rem(y) as u64 }),
        "+" => number(a.wrapping_add(b)),
        "-" => number(a.wrapping_sub(b)),
        "<<" | ">>" => Some(shift(left, right, operator == "<<")),
        "<" => truth(if unsigned { a < b } else { x < y }),
        ">" => truth(if unsigned { a > b } else { x > y }),
        "<=" => truth(if unsigned { a <= b } else { x <= y }),
        ">=" => truth(if unsigned { a >= b } else { x >= y }),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "&" => number(a & b),
        "^" => number(a ^ b),
        "|" => number(a | b),
        "&&" => truth(left.is_true() && right.is_true()),
        _ => truth(left.is_true() || right.is_true()),
    }
}

/// Shifts; by a negative amount the other way, as gcc does.
fn shift(value: Value, by: Value, to_the_left: bool) -> Value {
    let negative = !by.unsigned && (by.bits as i64) < 0;
    let by = if negative { by.bits.wrapping_neg() } else { by.bits };
    let by = u32::try_from(by).unwrap_or(u32::MAX);
    let bits = if to_the_left != negative {
        value.bits.checked_shl(by).unwrap_or(0)
    } else if value.unsigned {
        value.bits.checked_shr(by).unwrap_or(0)
    } else {
        ((value.bits as i64) >> by.min(63)) as u64
    };
    Value { bits, ..value }
}
