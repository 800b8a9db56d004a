//! What `#define` says: a name, perhaps parameters, and a body in which parameters, `#` and `##` have
//! already been found, so that expanding needs to look nothing up.

use crate::map::Spot;
use crate::symbols::{Symbol, Symbols};
use crate::token::{Token, TokenKind};

/// A macro.
#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) meaning: Meaning,
    pub(crate) body: Vec<Token>,
    /// The number under which the source map knows where it is defined.
    pub(crate) definition: u32,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Object,
    Function {
        parameters: Vec<Symbol>,
        variadic: bool,
    },
    /// One whose value the preprocessor knows.
    Builtin(Builtin),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    File,
    BaseFile,
    Line,
    Counter,
    IncludeLevel,
}

/// What is wrong with a definition, and where.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) spot: Spot,
    pub(crate) message: String,
}

fn fault<T>(spot: Spot, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { spot, message: message.into() })
}

/// A definition as it is read, with remarks that do not stop it.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Token,
    pub(crate) meaning: Meaning,
    pub(crate) body: Vec<Token>,
    pub(crate) warnings: Vec<Fault>,
}

/// Reads what follows `#define`; `directive` is where to point if nothing does.
pub(crate) fn parse(line: &[Token], directive: Spot, symbols: &Symbols) -> Result<Definition, Fault> {
    let name = macro_name(line.first(), directive, "define", symbols)?;
    let mut warnings = Vec::new();
    let mut rest = &line[1..];
    let mut meaning = Meaning::Object;
    if let Some(next) = rest.first()
        && !next.white
    {
        if next.is_operator(Symbol::OPEN) {
            let (parameters, variadic, after) = parameters(rest, symbols)?;
            meaning = Meaning::Function { parameters, variadic };
            rest = after;
        } else {
            let message = "there should be a blank between the macro's name and its body".to_owned();
            warnings.push(Fault { spot: next.spot, message });
        }
    }
    let body = body(rest, &meaning, symbols, &mut warnings)?;
    Ok(Definition { name, meaning, body, warnings })
}

/// The name that `#define`, `#undef`, `#ifdef` or `#ifndef` is about.
pub(crate) fn macro_name(
    token: Option<&Token>,
    directive: Spot,
    what: &str,
    symbols: &Symbols,
) -> Result<Token, Fault> {
    match token {
        None => fault(directive, format!("`#{what}` needs the name of a macro")),
        Some(token) if token.kind != TokenKind::Name => {
            fault(token.spot, "the name of a macro must be an identifier")
        }
        Some(token) if matches!(token.text, Symbol::DEFINED | Symbol::VA_ARGS | Symbol::VA_OPT) => {
            let message = format!("`{}` cannot be the name of a macro", symbols.text(token.text));
            fault(token.spot, message)
        }
        Some(token) => Ok(*token),
    }
}

/// Parameters from the opening parenthesis on; their names, whether the last takes all the rest, and
/// what follows.
fn parameters<'a>(tokens: &'a [Token], symbols: &Symbols) -> Result<(Vec<Symbol>, bool, &'a [Token]), Fault> {
    let open = tokens[0].spot;
    let mut parameters = Vec::new();
    let mut at = 1;
    if tokens.get(1).is_some_and(|token| token.is_operator(Symbol::CLOSE)) {
        return Ok((parameters, false, &tokens[2..]));
    }
    loop {
        let Some(token) = tokens.get(at) else { return fault(open, "the list of parameters has no end") };
        let mut variadic = token.is_operator(Symbol::DOTS);
        let parameter = match token.kind {
            TokenKind::Name if token.text != Symbol::VA_ARGS => token.text,
            _ if variadic => Symbol::VA_ARGS,
            _ => return fault(token.spot, "the name of a parameter is expected here"),
        };
        if parameters.contains(&parameter) {
            let message = format!("there are two parameters named `{}`", symbols.text(parameter));
            return fault(token.spot, message);
        }
        if parameters.len() >= usize::from(u16::MAX) {
            return fault(token.spot, "this macro has too many parameters");
        }
        parameters.push(parameter);
        at += 1;
        if !variadic && tokens.get(at).is_some_and(|token| token.is_operator(Symbol::DOTS)) {
            variadic = true;
            at += 1;
        }
        match tokens.get(at) {
            Some(token) if token.is_operator(Symbol::CLOSE) => {
                return Ok((parameters, variadic, &tokens[at + 1..]));
            }
            Some(token) if token.is_operator(Symbol::COMMA) && !variadic => at += 1,
            Some(token) => return fault(token.spot, "`,` or `)` is expected here"),
            None => return fault(open, "the list of parameters has no end"),
        }
    }
}

fn body(
    tokens: &[Token],
    meaning: &Meaning,
    symbols: &Symbols,
    warnings: &mut Vec<Fault>,
) -> Result<Vec<Token>, Fault> {
    let (parameters, variadic) = match meaning {
        Meaning::Function { parameters, variadic } => (&parameters[..], *variadic),
        _ => (&[][..], false),
    };
    let is_function = matches!(meaning, Meaning::Function { .. });
    let mut body: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut hash: Option<Token> = None;
    for (index, token) in tokens.iter().enumerate() {
        let mut token = *token;
        token.line_start = false;
        let parameter =
            parameters.iter().position(|name| token.kind == TokenKind::Name && *name == token.text);
        if let Some(hash) = hash.take() {
            if parameter.is_none() {
                return fault(hash.spot, "`#` must be followed by a parameter of the macro");
            }
            token.stringified = true;
            token.white |= hash.white;
            token.spot = hash.spot.to(token.spot);
        } else if is_function && token.is_hash() {
            hash = Some(token);
            continue;
        } else if token.is_paste() {
            match body.last_mut() {
                Some(last) if index + 1 < tokens.len() => last.pastes = true,
                _ => return fault(token.spot, "`##` must stand between two tokens"),
            }
            continue;
        }
        if let Some(parameter) = parameter {
            token.kind = TokenKind::Parameter(parameter as u16);
        } else if token.kind == TokenKind::Name && token.text == Symbol::VA_ARGS {
            let message = "`__VA_ARGS__` means something only in a macro with `...`".to_owned();
            warnings.push(Fault { spot: token.spot, message });
        } else if variadic && token.kind == TokenKind::Name && token.text == Symbol::VA_OPT {
            return fault(token.spot, format!("`{}` is not supported", symbols.text(token.text)));
        }
        body.push(token);
    }
    if let Some(first) = body.first_mut() {
        first.white = false;
    }
    match hash {
        Some(hash) => fault(hash.spot, "`#` must be followed by a parameter of the macro"),
        None => Ok(body),
    }
}

impl Macro {
    /// Whether the two say the same, so that defining one after the other deserves no remark.
    pub(crate) fn same(&self, other: &Definition) -> bool {
        let key = |token: &Token| (token.kind, token.text, token.white, token.pastes, token.stringified);
        self.meaning == other.meaning
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(|(mine, its)| key(mine) == key(its))
    }
}
