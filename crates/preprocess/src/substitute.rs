//! Putting arguments in the place of parameters: expanded where they stand alone, as they were written
//! beside `##`, as a string behind `#`. Then `##` makes one token of two, when the result is read.

use crate::definition::{Macro, Meaning};
use crate::engine::{Engine, Stop};
use crate::expand::Argument;
use crate::lexer::{Piece, lex};
use crate::map::Expansion;
use crate::symbols::Symbol;
use crate::token::{Gap, Token, TokenKind};

impl Engine<'_> {
    /// The body of a macro with its arguments in place.
    pub(crate) fn substitute(
        &mut self,
        named: &Macro,
        mut arguments: Vec<Argument>,
        expansion: Expansion,
    ) -> Result<Vec<Token>, Stop> {
        let Meaning::Function { parameters, variadic } = &named.meaning else { return Ok(Vec::new()) };
        // Left out altogether, rather than given and empty.
        let rest_missing = *variadic
            && (arguments.len() < parameters.len()
                || (arguments.len() == 1 && arguments[0].tokens.is_empty()));
        arguments.resize_with(parameters.len(), Argument::default);
        let from_text = self.map.argument(expansion);
        for argument in &mut arguments {
            for token in &mut argument.tokens {
                token.line_start = false;
                if token.expansion == Expansion::NONE && !token.is_padding() {
                    token.expansion = from_text;
                }
            }
        }
        let mut result: Vec<Token> = Vec::with_capacity(named.body.len());
        for (index, token) in named.body.iter().enumerate() {
            self.charge(1)?;
            let pasted_to = index > 0 && named.body[index - 1].pastes;
            let TokenKind::Parameter(number) = token.kind else {
                result.push(Token { expansion, ..*token });
                continue;
            };
            if !pasted_to && index > 0 {
                result.push(Token::padding(Some(token.white)));
            }
            let argument = &mut arguments[usize::from(number)];
            let string;
            let value = if token.stringified {
                let text = self.stringify(&argument.tokens)?;
                string = [Token { expansion, ..Token::new(TokenKind::String, text, token.spot) }];
                &string[..]
            } else if token.pastes || pasted_to {
                &argument.tokens[..]
            } else {
                if argument.expanded.is_none() {
                    argument.expanded = Some(self.expand_argument(argument.tokens.clone())?);
                }
                argument.expanded.as_ref().unwrap_or(&argument.tokens)
            };
            self.charge(value.len())?;
            if pasted_to && let Some(before) = result.last_mut() {
                let is_rest = *variadic && usize::from(number) + 1 == parameters.len();
                if is_rest && before.is_operator(Symbol::COMMA) {
                    // GNU C: the comma goes if there is no rest, and is not pasted if there is.
                    if rest_missing {
                        result.pop();
                    } else {
                        before.pastes = false;
                    }
                } else if value.is_empty() {
                    before.pastes = false;
                }
            }
            let first = result.len();
            result.extend_from_slice(value);
            if token.pastes {
                if let Some(last) = result[first..].last_mut() {
                    last.pastes = true;
                } else if pasted_to {
                    // Nothing between two `##`: the neighbours meet.
                    if let Some(before) = result.last_mut().filter(|before| !before.is_padding()) {
                        before.pastes = true;
                    }
                }
            } else {
                result.push(Token::padding(None));
            }
        }
        Ok(result)
    }

    fn expand_argument(&mut self, tokens: Vec<Token>) -> Result<Vec<Token>, Stop> {
        if self.argument_depth >= self.options.limits.argument_depth {
            return Err(self.stop("macro invocations stand too deeply in each other's arguments"));
        }
        self.charge(tokens.len())?;
        self.argument_depth += 1;
        let expanded = self.expand_apart(tokens);
        self.argument_depth -= 1;
        expanded
    }

    /// The string that `#` makes of an argument: one blank where there were some, quotes and backslashes
    /// of strings escaped.
    fn stringify(&mut self, tokens: &[Token]) -> Result<Symbol, Stop> {
        let mut string = String::from("\"");
        let mut gap = Gap::default();
        let mut open_backslash = false;
        for token in tokens {
            if let TokenKind::Padding(white) = token.kind {
                gap.pad(white);
                continue;
            }
            let white = gap.close(token);
            if white && string.len() > 1 {
                string.push(' ');
            }
            let text = self.symbols.text(token.text);
            if matches!(token.kind, TokenKind::String | TokenKind::Character) {
                for character in text.chars() {
                    if matches!(character, '"' | '\\') {
                        string.push('\\');
                    }
                    string.push(character);
                }
            } else {
                string.push_str(text);
            }
            open_backslash = text == "\\" && !open_backslash;
            self.check_length(string.len())?;
        }
        if open_backslash {
            string.pop();
        }
        string.push('"');
        self.charge(string.len() / 32)?;
        Ok(self.symbols.intern(&string))
    }

    fn check_length(&mut self, length: usize) -> Result<(), Stop> {
        if length > self.options.limits.token_bytes {
            return Err(self.stop("a macro makes a token that is too long"));
        }
        Ok(())
    }

    /// `first` and what follows it behind `##`, as one token.
    pub(crate) fn paste(&mut self, first: Token) -> Result<Token, Stop> {
        let mut left = Token { pastes: false, ..first };
        let mut goes_on = true;
        while goes_on {
            let Some(right) = self.paste_partner() else { break };
            self.charge(1)?;
            goes_on = right.pastes;
            let (before, after) = (self.symbols.text(left.text), self.symbols.text(right.text));
            let text = format!("{before}{after}");
            self.check_length(text.len())?;
            self.charge(text.len() / 32)?;
            let lexeme = lex(&text, 0);
            if (lexeme.start, lexeme.end) != (0, text.len())
                || matches!(lexeme.piece, Piece::End | Piece::Newline)
            {
                let (before, after) = (self.symbols.text(left.text), self.symbols.text(right.text));
                let message = format!("`##` cannot make one token of `{before}` and `{after}`");
                self.token_error(&first, message)?;
                continue;
            }
            left.kind = TokenKind::from(lexeme.piece);
            left.text = self.symbols.intern(&text);
            left.painted = false;
        }
        Ok(left)
    }
}
