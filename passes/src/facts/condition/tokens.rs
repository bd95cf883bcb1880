//! The words of a condition, each with its column.
//!
//! **Does not**: know what stands beside what.

use std::fmt;

use super::ConditionError;

/// All signs, longer ones first where one starts another.
const SIGNS: [&str; 23] = [
    "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "|", "^", "&", "<", ">", "+", "-", "*", "/",
    "%", "!", "~", "(", ")", ",",
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Number(i64),
    Name(String),
    Sign(&'static str),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(value) => write!(f, "`{value}`"),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// The tokens with their columns, then [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ConditionError> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let first = chars[at];
        if first.is_whitespace() {
            at += 1;
            continue;
        }
        let column = start + 1;
        if first.is_ascii_digit() {
            while at < chars.len() && (chars[at].is_ascii_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
            let word: String = chars[start..at].iter().collect();
            out.push((
                column,
                Token::Number(number(&word).ok_or_else(|| not_a_number(column, &word))?),
            ));
            continue;
        }
        if starts_name(first) {
            while at < chars.len()
                && (starts_name(chars[at]) || chars[at].is_ascii_digit() || chars[at] == '.')
            {
                at += 1;
            }
            out.push((column, Token::Name(chars[start..at].iter().collect())));
            continue;
        }
        let rest: String = chars[start..chars.len().min(start + 2)].iter().collect();
        let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) else {
            return Err(refused(column, unexpected(first)));
        };
        at += sign.len();
        out.push((column, Token::Sign(sign)));
    }
    // Twice: taking the end moves on like taking any other token, and nothing is accepted after it.
    out.extend([(chars.len() + 1, Token::End), (chars.len() + 1, Token::End)]);
    Ok(out)
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

/// Decimal, `0x` or `0b`. A leading zero is neither decimal nor, as in C, octal: it is refused.
fn number(word: &str) -> Option<i64> {
    let prefixed = |prefix: &str| word.strip_prefix(prefix);
    if let Some(digits) = prefixed("0x").or(prefixed("0X")) {
        return i64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = prefixed("0b").or(prefixed("0B")) {
        return i64::from_str_radix(digits, 2).ok();
    }
    if word.len() > 1 && word.starts_with('0') {
        return None;
    }
    word.parse().ok()
}

fn not_a_number(column: usize, word: &str) -> ConditionError {
    refused(
        column,
        format!(
            "`{word}` is not an integer below 2^63; write it as `42` or `0x2a`, without suffix"
        ),
    )
}

fn unexpected(c: char) -> String {
    match c {
        '=' => "`=` compares nothing; write `==`".to_owned(),
        '?' | ':' => "`?:` is not read; write both cases with `&&` and `||`".to_owned(),
        '[' | ']' => {
            "memory is not read; a condition is over parameters and launch sizes".to_owned()
        }
        other => format!("`{}` has no meaning in a condition", other.escape_debug()),
    }
}

pub(super) fn refused(column: usize, message: impl Into<String>) -> ConditionError {
    ConditionError { column, message: message.into(), unknown_name: None }
}
