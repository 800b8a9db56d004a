//! Expansion: names of macros give way to their bodies, and the result is looked through again.
//!
//! Open expansions form a stack of token lists. A macro whose list is on the stack is not expanded again;
//! its name, met meanwhile, is *painted* and stays what it is for ever (C99 6.10.3.4). The standard
//! leaves open what happens when an invocation begins inside a list and ends behind it; here, as in
//! gcc, a list that was read to its end is off the stack and its macro may be used again.

use std::rc::Rc;

use crate::definition::{Builtin, Macro, Meaning};
use crate::engine::{Engine, Reading, Stop};
use crate::map::Expansion;
use crate::symbols::Symbol;
use crate::token::{Token, TokenKind};

/// A list of tokens to be read before anything that is below it.
pub(crate) struct Context {
    tokens: Tokens,
    next: usize,
    /// The macro that is being expanded.
    of: Option<Symbol>,
    /// Its end is the end of all: what is below belongs to somebody else.
    barrier: bool,
}

enum Tokens {
    List(Vec<Token>),
    /// The body of a macro without parameters, as it is.
    Body(Rc<Macro>, Expansion),
}

impl Context {
    fn list(tokens: Vec<Token>, of: Option<Symbol>) -> Self {
        Self { tokens: Tokens::List(tokens), next: 0, of, barrier: false }
    }

    fn read(&mut self) -> Option<Token> {
        let token = match &self.tokens {
            Tokens::List(list) => *list.get(self.next)?,
            Tokens::Body(named, expansion) => Token { expansion: *expansion, ..*named.body.get(self.next)? },
        };
        self.next += 1;
        Some(token)
    }
}

/// An argument as it was written, and as it is after expansion if somebody asked.
#[derive(Debug, Default)]
pub(crate) struct Argument {
    pub(crate) tokens: Vec<Token>,
    pub(crate) expanded: Option<Vec<Token>>,
}

impl Engine<'_> {
    /// The next token after expansion; paddings come along.
    pub(crate) fn expanded(&mut self) -> Result<Token, Stop> {
        let token = self.unexpanded()?;
        if token.kind != TokenKind::Name || token.painted {
            return Ok(token);
        }
        let Some(named) = self.macro_of(token.text).cloned() else { return Ok(token) };
        if self.enter(&named, token)? { Ok(Token::padding(Some(token.white))) } else { Ok(token) }
    }

    /// The next token as it stands, painted if it names a macro that is open.
    pub(crate) fn unexpanded(&mut self) -> Result<Token, Stop> {
        let Some(context) = self.contexts.last_mut() else { return self.text_token() };
        let Some(mut token) = context.read() else {
            if context.barrier {
                return Ok(Token::end(self.here));
            }
            self.pop();
            return Ok(Token::padding(None));
        };
        self.charge(1)?;
        if token.pastes {
            let pasted = self.paste(token)?;
            self.push(Context::list(vec![pasted], None))?;
            return Ok(Token::padding(Some(token.white)));
        }
        if token.kind == TokenKind::Name && self.open_macros.get(token.text.index()) == Some(&true) {
            token.painted = true;
        }
        Ok(token)
    }

    /// Expands `line` on its own, without what is around it.
    pub(crate) fn begin_apart(&mut self, line: Vec<Token>) -> Result<usize, Stop> {
        let depth = self.contexts.len();
        self.push(Context { barrier: true, ..Context::list(line, None) })?;
        Ok(depth)
    }

    /// Ends what `begin_apart` began.
    pub(crate) fn end_apart(&mut self, depth: usize) {
        while self.contexts.len() > depth {
            self.pop();
        }
    }

    /// All tokens of `line` after expansion.
    pub(crate) fn expand_apart(&mut self, line: Vec<Token>) -> Result<Vec<Token>, Stop> {
        let depth = self.begin_apart(line)?;
        let mut result = Vec::new();
        loop {
            let token = self.expanded()?;
            if token.is_end() {
                break;
            }
            result.push(token);
        }
        self.end_apart(depth);
        Ok(result)
    }

    /// The token that follows a `##` in the list that is read, if the list has one.
    pub(crate) fn paste_partner(&mut self) -> Option<Token> {
        let context = self.contexts.last_mut()?;
        loop {
            let token = context.read()?;
            if !token.is_padding() {
                return Some(token);
            }
        }
    }

    fn push(&mut self, context: Context) -> Result<(), Stop> {
        if self.contexts.len() >= self.options.limits.expansion_depth {
            return Err(self.stop("macros are nested too deeply here"));
        }
        if let Some(name) = context.of {
            self.open_macros[name.index()] = true;
        }
        self.contexts.push(context);
        Ok(())
    }

    fn pop(&mut self) {
        if let Some(Context { of: Some(name), .. }) = self.contexts.pop() {
            self.open_macros[name.index()] = false;
        }
    }

    /// Begins to expand a macro; `false` if this is no invocation.
    fn enter(&mut self, named: &Rc<Macro>, name: Token) -> Result<bool, Stop> {
        // A node of the map is bigger than a token.
        self.charge(4)?;
        match &named.meaning {
            Meaning::Builtin(builtin) => {
                let value = self.builtin(*builtin, &name);
                self.push(Context::list(vec![value], None))?;
            }
            Meaning::Object => {
                let expansion = self.map.enter(named.definition, name.spot, name.expansion);
                let tokens = Tokens::Body(named.clone(), expansion);
                self.push(Context { tokens, next: 0, of: Some(name.text), barrier: false })?;
            }
            Meaning::Function { parameters, variadic } => {
                let before = self.reading;
                let arguments = self.invocation(&name, parameters.len(), *variadic);
                self.reading = before;
                let Some((arguments, close)) = arguments? else { return Ok(false) };
                let same_text = name.expansion == close.expansion;
                let invocation = if same_text { name.spot.to(close.spot) } else { name.spot };
                let expansion = self.map.enter(named.definition, invocation, name.expansion);
                let tokens = self.substitute(named, arguments, expansion)?;
                self.push(Context::list(tokens, Some(name.text)))?;
            }
        }
        Ok(true)
    }

    /// The arguments that follow a macro's name, and the parenthesis that ends them; nothing if no
    /// parenthesis follows or the arguments do not fit, which is then reported.
    fn invocation(
        &mut self,
        name: &Token,
        parameters: usize,
        variadic: bool,
    ) -> Result<Option<(Vec<Argument>, Token)>, Stop> {
        self.reading = Reading::Seeking;
        let mut padding: Option<Option<bool>> = None;
        let token = loop {
            let token = self.unexpanded()?;
            let TokenKind::Padding(white) = token.kind else { break token };
            if padding.flatten().is_none_or(|before| !before && white.is_none()) {
                padding = Some(white);
            }
        };
        if token.is_operator(Symbol::OPEN) {
            return self.arguments(name, parameters, variadic);
        }
        if !token.is_end() {
            match self.contexts.last_mut() {
                Some(context) => context.next -= 1,
                None => self.lookahead = Some(token),
            }
        }
        if let Some(white) = padding {
            self.push(Context::list(vec![Token::padding(white)], None))?;
        }
        Ok(None)
    }

    fn arguments(
        &mut self,
        name: &Token,
        parameters: usize,
        variadic: bool,
    ) -> Result<Option<(Vec<Argument>, Token)>, Stop> {
        self.reading = Reading::Arguments;
        let mut arguments = vec![Argument::default()];
        let mut given = 1;
        let mut depth = 0_usize;
        let close = loop {
            let token = self.unexpanded()?;
            if token.is_end() {
                let text = self.symbols.text(name.text).to_owned();
                self.token_error(name, format!("the arguments of the macro `{text}` have no end"))?;
                return Ok(None);
            }
            if token.is_operator(Symbol::OPEN) {
                depth += 1;
            } else if token.is_operator(Symbol::CLOSE) {
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break token,
                }
            } else if token.is_operator(Symbol::COMMA) && depth == 0 && !(variadic && given == parameters) {
                given += 1;
                // What is too many is counted, not kept.
                if given <= parameters {
                    arguments.push(Argument::default());
                }
                continue;
            }
            if let Some(argument) = arguments.last_mut()
                && !(token.is_padding() && argument.tokens.is_empty())
                && given <= parameters.max(1)
            {
                argument.tokens.push(token);
                self.charge(1)?;
            }
        };
        for argument in &mut arguments {
            while argument.tokens.last().is_some_and(Token::is_padding) {
                argument.tokens.pop();
            }
        }
        let none_given = given == 1 && arguments[0].tokens.is_empty();
        let fits =
            given == parameters || (parameters == 0 && none_given) || (variadic && given + 1 == parameters);
        if !fits {
            let text = self.symbols.text(name.text);
            let plural = if parameters == 1 { "" } else { "s" };
            let given = if none_given { 0 } else { given };
            let message = format!("the macro `{text}` takes {parameters} argument{plural}, not {given}");
            let spot = self.map.users_spot(name.spot.to(close.spot), name.expansion);
            self.error(spot, message)?;
            return Ok(None);
        }
        Ok(Some((arguments, close)))
    }

    /// The value of a macro that the preprocessor knows.
    fn builtin(&mut self, builtin: Builtin, name: &Token) -> Token {
        let users = self.map.users_spot(name.spot, name.expansion);
        let (path, line) = self.map.line(users.file(), users.start as usize);
        let (kind, text) = match builtin {
            Builtin::Line => (TokenKind::Number, line.to_string()),
            Builtin::File => (TokenKind::String, quote(&path.to_string_lossy())),
            Builtin::BaseFile => {
                (TokenKind::String, quote(&self.map.path(crate::FileId::MAIN).to_string_lossy()))
            }
            Builtin::IncludeLevel => (TokenKind::Number, self.frames.len().saturating_sub(1).to_string()),
            Builtin::Counter => {
                self.counter += 1;
                (TokenKind::Number, (self.counter - 1).to_string())
            }
        };
        let text = self.symbols.intern(&text);
        Token { kind, text, ..*name }
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
