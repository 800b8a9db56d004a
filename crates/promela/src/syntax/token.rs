//! The words and signs of Promela.

use source::Span;

/// What a token is. The text of names, numbers and strings is found under their span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    /// A number or a character, or `true`, `false` and `skip`; the value is in [`Token::value`].
    Number,
    String,
    Word(Word),
    /// `c_code` and its kin, with everything that belongs to it.
    Embedded,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    Comma,
    Dot,
    DotDot,
    Colon,
    ColonColon,
    Semi,
    /// A separator that a line break stands for.
    LineBreak,
    Arrow,
    Assign,
    Bang,
    BangBang,
    Question,
    QuestionQuestion,
    PlusPlus,
    MinusMinus,
    Plus,
    Minus,
    Star,
    Slash,
    Backslash,
    Percent,
    Ampersand,
    AndAnd,
    Bar,
    BarBar,
    Caret,
    Tilde,
    At,
    Less,
    LessEqual,
    ShiftLeft,
    Greater,
    GreaterEqual,
    ShiftRight,
    EqualEqual,
    NotEqual,
    /// A character Promela has no use for; already reported.
    Unknown,
    End,
}

macro_rules! words {
    ($($text:literal $word:ident),* $(,)?) => {
        /// The reserved words. `in` is not one of them: SPIN reserves it inside `for (...)` only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Word { $($word),* }

        impl Word {
            pub(crate) fn find(text: &str) -> Option<Word> {
                match text { $($text => Some(Word::$word),)* _ => None }
            }

            pub(crate) fn text(self) -> &'static str {
                match self { $(Word::$word => $text),* }
            }
        }
    };
}

words! {
    "active" Active, "assert" Assert, "atomic" Atomic, "bit" Bit, "bool" Bool, "break" Break,
    "byte" Byte, "chan" Chan, "D_proctype" DProctype, "d_step" DStep, "do" Do, "else" Else,
    "empty" Empty, "enabled" Enabled, "eval" Eval, "fi" Fi, "for" For, "full" Full,
    "get_priority" GetPriority, "goto" Goto, "hidden" Hidden, "if" If, "init" Init, "inline" Inline,
    "int" Int, "len" Len, "local" Local, "ltl" Ltl, "mtype" Mtype, "nempty" Nempty, "never" Never,
    "nfull" Nfull, "notrace" Notrace, "np_" NonProgress, "od" Od, "of" Of, "pc_value" PcValue,
    "pid" Pid, "printf" Printf, "printm" Printm, "priority" Priority, "proctype" Proctype,
    "provided" Provided, "return" Return, "run" Run, "select" Select, "set_priority" SetPriority,
    "short" Short, "show" Show, "timeout" Timeout, "trace" Trace, "typedef" Typedef,
    "unless" Unless, "unsigned" Unsigned, "xr" Xr, "xs" Xs,
}

impl Word {
    /// Begins a unit of the outermost level and nothing else: a place to go on after an error.
    pub(crate) fn begins_unit(self) -> bool {
        matches!(
            self,
            Word::Active
                | Word::DProctype
                | Word::Init
                | Word::Inline
                | Word::Ltl
                | Word::Never
                | Word::Notrace
                | Word::Proctype
                | Word::Trace
                | Word::Typedef
        )
    }

    /// Begins a declaration, by itself or after a visibility.
    pub(crate) fn is_type(self) -> bool {
        matches!(
            self,
            Word::Bit
                | Word::Bool
                | Word::Byte
                | Word::Chan
                | Word::Int
                | Word::Mtype
                | Word::Pid
                | Word::Short
                | Word::Unsigned
        )
    }

    pub(crate) fn is_visibility(self) -> bool {
        matches!(self, Word::Hidden | Word::Show | Word::Local)
    }
}

impl TokenKind {
    /// After such a token the end of the line separates statements.
    pub(crate) fn ends_at_line_break(self) -> bool {
        matches!(
            self,
            TokenKind::RightBrace
                | TokenKind::RightParen
                | TokenKind::RightBracket
                | TokenKind::Name
                | TokenKind::Number
                | TokenKind::PlusPlus
                | TokenKind::MinusMinus
                | TokenKind::Embedded
                | TokenKind::Word(Word::Od | Word::Fi | Word::Else | Word::Break | Word::Timeout)
        )
    }

    pub(crate) fn is_separator(self) -> bool {
        matches!(self, TokenKind::Semi | TokenKind::LineBreak | TokenKind::Arrow)
    }

    /// Ends a sequence of statements, rightly or wrongly.
    pub(crate) fn ends_sequence(self) -> bool {
        match self {
            TokenKind::RightBrace | TokenKind::ColonColon | TokenKind::End => true,
            TokenKind::Word(word) => matches!(word, Word::Fi | Word::Od) || word.begins_unit(),
            _ => false,
        }
    }

    /// The sign itself, for messages; empty for tokens that differ in text.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            TokenKind::Name
            | TokenKind::Number
            | TokenKind::String
            | TokenKind::Embedded
            | TokenKind::Unknown
            | TokenKind::End => "",
            TokenKind::LineBreak => "end of line",
            TokenKind::Word(word) => word.text(),
            TokenKind::LeftParen => "(",
            TokenKind::RightParen => ")",
            TokenKind::LeftBrace => "{",
            TokenKind::RightBrace => "}",
            TokenKind::LeftBracket => "[",
            TokenKind::RightBracket => "]",
            TokenKind::Comma => ",",
            TokenKind::Dot => ".",
            TokenKind::DotDot => "..",
            TokenKind::Colon => ":",
            TokenKind::ColonColon => "::",
            TokenKind::Semi => ";",
            TokenKind::Arrow => "->",
            TokenKind::Assign => "=",
            TokenKind::Bang => "!",
            TokenKind::BangBang => "!!",
            TokenKind::Question => "?",
            TokenKind::QuestionQuestion => "??",
            TokenKind::PlusPlus => "++",
            TokenKind::MinusMinus => "--",
            TokenKind::Plus => "+",
            TokenKind::Minus => "-",
            TokenKind::Star => "*",
            TokenKind::Slash => "/",
            TokenKind::Backslash => "\\",
            TokenKind::Percent => "%",
            TokenKind::Ampersand => "&",
            TokenKind::AndAnd => "&&",
            TokenKind::Bar => "|",
            TokenKind::BarBar => "||",
            TokenKind::Caret => "^",
            TokenKind::Tilde => "~",
            TokenKind::At => "@",
            TokenKind::Less => "<",
            TokenKind::LessEqual => "<=",
            TokenKind::ShiftLeft => "<<",
            TokenKind::Greater => ">",
            TokenKind::GreaterEqual => ">=",
            TokenKind::ShiftRight => ">>",
            TokenKind::EqualEqual => "==",
            TokenKind::NotEqual => "!=",
        }
    }
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Where its text is.
    pub(crate) span: Span,
    /// Where it stands. Differs from `span` if it came in through a parameter of an inline: then this
    /// is the parameter's place in the body, and `span` the argument's place in the call.
    pub(crate) site: Span,
    /// The value of a number.
    pub(crate) value: i32,
    /// There is a line break between the previous token and this one.
    pub(crate) new_line: bool,
}
