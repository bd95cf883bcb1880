//! Tokens of C, with comments gone and simple macros replaced.
//!
//! **Does not**: expand macros with parameters, or read conditional compilation: these are refused.

use std::collections::HashMap;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token {
    Word(String),
    Number(String),
    Text(String),
    Mark(&'static str),
}

const MARKS: [&str; 46] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "(", ")", "[", "]", "{", "}", ";", ",", ".",
    "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "?",
];

/// A macro: its parameters, `None` where it has no brackets, and its text.
struct Macro {
    params: Option<Vec<String>>,
    body: Vec<Token>,
}

/// The tokens of a text, or why there are none.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut macros: HashMap<String, Macro> = HashMap::new();
    let mut out = Vec::new();
    for line in without_comments(text).replace("\\\n", " ").lines() {
        let trimmed = line.trim();
        if let Some(rest) = trimmed.strip_prefix("#define ") {
            let mut tokens = scan(rest)?.into_iter();
            let Some(Token::Word(name)) = tokens.next() else { return Err("a macro".to_owned()) };
            let brackets = rest.trim_start()[name.len()..].starts_with('(');
            let mut params = Vec::new();
            if brackets {
                for token in tokens.by_ref().skip(1) {
                    match token {
                        Token::Word(word) => params.push(word),
                        Token::Mark(")") => break,
                        _ => {}
                    }
                }
            }
            let params = brackets.then_some(params);
            macros.insert(name, Macro { params, body: tokens.collect() });
        } else if trimmed.starts_with("#pragma") || trimmed.starts_with("#include <stdint") {
            continue;
        } else if trimmed.starts_with('#') {
            return Err(format!("directive {trimmed}"));
        } else {
            out.extend(scan(line)?);
        }
    }
    expand(&out, &macros, 0)
}

fn expand(
    tokens: &[Token],
    macros: &HashMap<String, Macro>,
    depth: usize,
) -> Result<Vec<Token>, String> {
    if depth > 8 {
        return Err("a macro of itself".to_owned());
    }
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let found = match token {
            Token::Word(word) => macros.get(word),
            Token::Number(_) | Token::Text(_) | Token::Mark(_) => None,
        };
        let Some(found) = found else {
            out.push(token.clone());
            continue;
        };
        let mut body = found.body.clone();
        if let Some(params) = &found.params {
            let (args, end) = arguments(tokens, at)?;
            at = end;
            if args.len() != params.len() && !(params.is_empty() && args.len() == 1) {
                return Err("arguments of a macro".to_owned());
            }
            body = body
                .into_iter()
                .flat_map(|it| match &it {
                    Token::Word(word) => match params.iter().position(|param| param == word) {
                        Some(index) => args[index].clone(),
                        None => vec![it],
                    },
                    Token::Number(_) | Token::Text(_) | Token::Mark(_) => vec![it],
                })
                .collect();
        }
        out.extend(expand(&body, macros, depth + 1)?);
    }
    Ok(out)
}

/// The arguments in brackets from here, and where they end.
fn arguments(tokens: &[Token], from: usize) -> Result<(Vec<Vec<Token>>, usize), String> {
    let mut args = vec![Vec::new()];
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(from) {
        match token {
            Token::Mark("(") if depth == 0 => depth = 1,
            Token::Mark(")") if depth == 1 => return Ok((args, index + 1)),
            Token::Mark(",") if depth == 1 => args.push(Vec::new()),
            _ if depth == 0 => return Err("a macro without arguments".to_owned()),
            token => {
                match token {
                    Token::Mark("(") => depth += 1,
                    Token::Mark(")") => depth -= 1,
                    _ => {}
                }
                if let Some(last) = args.last_mut() {
                    last.push(token.clone());
                }
            }
        }
    }
    Err("a macro without end".to_owned())
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
            out.push(' ');
        } else {
            out.push('/');
            rest = &rest[1..];
        }
    }
    out + rest
}

fn scan(line: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let end_of = |ok: &dyn Fn(char) -> bool| rest.find(|c| !ok(c)).unwrap_or(rest.len());
        let length = if first.is_ascii_alphabetic() || first == '_' {
            let end = end_of(&|c| c.is_ascii_alphanumeric() || c == '_');
            out.push(Token::Word(rest[..end].to_owned()));
            end
        } else if first.is_ascii_digit() {
            let end = end_of(&|c| c.is_ascii_alphanumeric() || c == '.');
            out.push(Token::Number(rest[..end].to_owned()));
            end
        } else if first == '"' {
            let end = rest[1..].find('"').ok_or("a text without end")? + 2;
            out.push(Token::Text(rest[1..end - 1].to_owned()));
            end
        } else if first == ':' {
            let mark = if rest.starts_with("::") { "::" } else { ":" };
            out.push(Token::Mark(mark));
            mark.len()
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
            let mark = mark.ok_or_else(|| format!("character {first}"))?;
            out.push(Token::Mark(mark));
            mark.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(out)
}
