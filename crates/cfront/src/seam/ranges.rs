//! `[0 ... 99] = x` stands for a hundred initialisers, and the library writes them all out. So it is
//! counted first what they would come to.
//!
//! A range multiplies everything up to the next comma, ranges in it included. Its bounds must be plain
//! numbers, since nobody knows yet what names mean.

use rucc_diag::Span;
use rucc_lex::{Punct, Token, TokenKind, Tokens};

/// Tokens that initialisers may come to when ranges are written out.
const LIMIT: u128 = 1 << 22;

/// What is wrong, and where.
pub(super) type Fault = (Span, &'static str);

/// Finds the first range that is too large, or whose size is not known.
pub(super) fn too_large(tokens: &Tokens) -> Result<(), Fault> {
    let list = &tokens.tokens;
    if !list.iter().any(|token| token.punct() == Some(Punct::Ellipsis)) {
        return Ok(());
    }
    // By open brace: how often what is in it is written, and what the element at hand is.
    let mut braces = vec![(1u128, 1u128)];
    let mut opened = Vec::new();
    let mut total = 0u128;
    for (index, token) in list.iter().enumerate() {
        let (outer, element) = braces.last().copied().unwrap_or((1, 1));
        if element > 1 {
            total += element;
            if total > LIMIT {
                return Err((token.span, "what these ranges stand for is too much"));
            }
        }
        match token.punct() {
            Some(Punct::LBrace) => braces.push((element, element)),
            Some(Punct::RBrace) => _ = braces.pop(),
            Some(Punct::Comma | Punct::Semi) => {
                if let Some(last) = braces.last_mut()
                    && opened.is_empty()
                {
                    last.1 = outer;
                }
            }
            Some(Punct::LBracket | Punct::LParen) => opened.push(index),
            Some(Punct::RBracket | Punct::RParen) => _ = opened.pop(),
            Some(Punct::Ellipsis) => {
                let Some(open) = opened.last().filter(|open| list[**open].punct() == Some(Punct::LBracket))
                else {
                    continue;
                };
                let end = list[index..].iter().position(|token| token.punct() == Some(Punct::RBracket));
                let Some(end) = end.map(|end| index + end) else { continue };
                let low = value(tokens, &list[open + 1..index]);
                let high = value(tokens, &list[index + 1..end]);
                let (Some(low), Some(high)) = (low, high) else {
                    return Err((token.span, "the bounds of a range must be plain numbers"));
                };
                let times = high.saturating_sub(low).saturating_add(1).max(1) as u128;
                if let Some(last) = braces.last_mut() {
                    last.1 = last.1.saturating_mul(times);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The value of a sum of products of numbers and of such values in parentheses.
fn value(tokens: &Tokens, mut rest: &[Token]) -> Option<i128> {
    let mut sum = 0i128;
    let mut minus = false;
    loop {
        let mut product = factor(tokens, &mut rest)?;
        while rest.first().is_some_and(|next| next.punct() == Some(Punct::Star)) {
            rest = &rest[1..];
            product = product.checked_mul(factor(tokens, &mut rest)?)?;
        }
        sum = if minus { sum.checked_sub(product)? } else { sum.checked_add(product)? };
        let Some((next, after)) = rest.split_first() else { return Some(sum) };
        minus = match next.punct()? {
            Punct::Plus => false,
            Punct::Minus => true,
            _ => return None,
        };
        rest = after;
    }
}

fn factor(tokens: &Tokens, rest: &mut &[Token]) -> Option<i128> {
    let (first, after) = rest.split_first()?;
    match first.kind {
        TokenKind::Int => {
            *rest = after;
            i128::try_from(tokens.int(*first)?.value).ok()
        }
        TokenKind::Char => {
            *rest = after;
            Some(i128::from(tokens.character(*first)?.value))
        }
        TokenKind::Punct(Punct::LParen) => {
            let mut open = 0usize;
            let close = rest.iter().position(|token| {
                match token.punct() {
                    Some(Punct::LParen) => open += 1,
                    Some(Punct::RParen) => open -= 1,
                    _ => {}
                }
                open == 0
            })?;
            let inner = &rest[1..close];
            *rest = &rest[close + 1..];
            value(tokens, inner)
        }
        _ => None,
    }
}
