//! What a file declares: its version and target, variables, functions, files and names of lines.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Wrong;
use super::cursor::Cursor;
use super::variable::{Linkage, Variable, declared};
use heddle_ptx::lexer::{Token, TokenKind};

/// The highest version of PTX that is read.
const NEWEST: u64 = 9;

/// A file, its functions not looked into.
#[derive(Default)]
pub(super) struct File {
    /// `.target`: the first of its words.
    pub(super) arch: String,
    pub(super) variables: Vec<Variable>,
    pub(super) functions: Vec<Function>,
    /// What `.alias` calls by another name.
    pub(super) aliases: FxHashMap<String, String>,
    /// By number: files that `.loc` names.
    pub(super) files: FxHashMap<u64, String>,
    /// By label: strings of `.debug_str`, names of functions among them.
    pub(super) strings: FxHashMap<String, String>,
    /// By function: which of its parameters are pointers. None where functions may be called by
    /// pointer, whose callers do not know.
    pub(super) passed: FxHashMap<String, FxHashSet<usize>>,
    by_name: FxHashMap<String, usize>,
    variable_by_name: FxHashMap<String, usize>,
}

/// An entry, a function or the declaration of one.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) is_entry: bool,
    pub(super) linkage: Linkage,
    pub(super) results: Vec<Variable>,
    pub(super) params: Vec<Variable>,
    /// `.maxntid` and the like, with their numbers.
    pub(super) directives: Vec<(String, Vec<u64>)>,
    /// The tokens between its braces.
    pub(super) body: Option<Range<usize>>,
    /// Where it starts, and where its last brace is.
    pub(super) span: Range<usize>,
}

impl File {
    pub(super) fn function(&self, name: &str) -> Option<&Function> {
        let name = self.aliases.get(name).map_or(name, String::as_str);
        self.by_name.get(name).map(|it| &self.functions[*it])
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        self.variable_by_name.get(name).map(|it| &self.variables[*it])
    }

    /// Whether a parameter of a function has pointer type.
    pub(super) fn is_pointer(&self, function: &Function, n: usize) -> bool {
        self.passed.get(&function.name).is_some_and(|it| it.contains(&n))
    }

    fn add_function(&mut self, function: Function) -> Result<(), Wrong> {
        match self.by_name.get(&function.name) {
            // A definition after its declaration, or a declaration once more.
            Some(&known) if function.body.is_none() || self.functions[known].body.is_none() => {
                if function.body.is_some() {
                    self.functions[known] = function;
                }
            }
            Some(_) => {
                let message = format!("`{}` is defined twice", function.name);
                return Err((function.span.start, message));
            }
            None => {
                self.by_name.insert(function.name.clone(), self.functions.len());
                self.functions.push(function);
            }
        }
        Ok(())
    }

    fn add_variable(&mut self, variable: Variable) -> Result<(), Wrong> {
        if self.by_name.contains_key(&variable.name) {
            return Err((variable.at, format!("`{}` is declared twice", variable.name)));
        }
        match self.variable_by_name.get(&variable.name) {
            Some(&known) => {
                let before = &mut self.variables[known];
                if before.linkage == Linkage::Extern {
                    *before = variable;
                } else if variable.linkage != Linkage::Extern {
                    return Err((variable.at, format!("`{}` is declared twice", variable.name)));
                }
            }
            None => {
                self.variable_by_name.insert(variable.name.clone(), self.variables.len());
                self.variables.push(variable);
            }
        }
        Ok(())
    }
}

/// Reads all of it.
pub(super) fn read(tokens: &[Token], end: usize) -> Result<File, Wrong> {
    let mut cursor = Cursor::new(tokens, end);
    let mut file = File::default();
    version(&mut cursor)?;
    while cursor.peek().is_some() {
        item(&mut cursor, &mut file)?;
    }
    Ok(file)
}

/// `.version 8.5`, which comes first.
fn version(cursor: &mut Cursor<'_>) -> Result<(), Wrong> {
    if !cursor.eat_word(".version") {
        return cursor.wrong("`.version`, with which each file of PTX starts");
    }
    let place = cursor.place();
    let word = cursor.word("a version as in `8.5`")?;
    let major = word.split_once('.').and_then(|(major, minor)| {
        minor.parse::<u32>().ok()?;
        major.parse::<u64>().ok()
    });
    match major {
        Some(major) if major <= NEWEST => Ok(()),
        Some(_) => Err((
            place,
            format!(
                "`.version {word}` is newer than the versions that are known, up to {NEWEST}.x"
            ),
        )),
        None => Err((place, format!("`{word}` is no version as in `8.5`"))),
    }
}

fn item(cursor: &mut Cursor<'_>, file: &mut File) -> Result<(), Wrong> {
    let place = cursor.place();
    if cursor.eat(';') {
        return Ok(());
    }
    let Some(word) = cursor.peek_word() else { return cursor.wrong("a directive") };
    match word {
        ".target" => {
            cursor.at += 1;
            let arch = cursor.word("an architecture")?;
            if file.arch.is_empty()
                && arch.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
            {
                file.arch = arch.to_owned();
            }
            while cursor.eat(',') {
                cursor.word("a word of `.target`")?;
            }
        }
        ".address_size" => {
            cursor.at += 1;
            if cursor.count()? != 64 {
                return Err((place, "addresses of 32 bits are not read".to_owned()));
            }
        }
        ".file" => {
            cursor.at += 1;
            let number = cursor.count()?;
            let Some(TokenKind::Text(path)) = cursor.peek() else {
                return cursor.wrong("a path in quotes");
            };
            cursor.at += 1;
            file.files.insert(number, path.clone());
            while cursor.eat(',') {
                cursor.count()?;
            }
        }
        ".section" => {
            cursor.at += 1;
            section(cursor, file)?;
        }
        // A debugger's `.loc` outside of functions, as `ptxas` allows.
        ".loc" => {
            cursor.at += 1;
            for _ in 0..3 {
                cursor.count()?;
            }
        }
        ".pragma" => {
            cursor.at += 1;
            while !cursor.eat(';') {
                if cursor.peek().is_none() {
                    return cursor.wrong("`;`");
                }
                cursor.at += 1;
            }
        }
        ".alias" => {
            cursor.at += 1;
            let name = cursor.word("a function")?;
            cursor.expect(',')?;
            let of = cursor.word("a function")?;
            cursor.expect(';')?;
            file.aliases.insert(name.to_owned(), of.to_owned());
        }
        _ => declaration(cursor, file)?,
    }
    Ok(())
}

/// A variable or a function.
fn declaration(cursor: &mut Cursor<'_>, file: &mut File) -> Result<(), Wrong> {
    let start = cursor.place();
    let linkage = match cursor.peek_word() {
        Some(".extern") => Linkage::Extern,
        Some(".visible") => Linkage::Visible,
        Some(".weak") => Linkage::Weak,
        Some(".common") => Linkage::Common,
        _ => Linkage::Internal,
    };
    cursor.at += usize::from(linkage != Linkage::Internal);
    match cursor.peek_word() {
        Some(".entry" | ".func") => {
            let function = function(cursor, linkage, start)?;
            file.add_function(function)
        }
        Some(word) if word.starts_with('.') => {
            for variable in declared(cursor, linkage, None)? {
                file.add_variable(variable)?;
            }
            cursor.expect(';')
        }
        _ => cursor.wrong("a directive, as `.entry` or `.global`"),
    }
}

fn function(cursor: &mut Cursor<'_>, linkage: Linkage, start: usize) -> Result<Function, Wrong> {
    let is_entry = cursor.peek_word() == Some(".entry");
    cursor.at += 1;
    attributes(cursor)?;
    let results = if cursor.eat('(') { parameters(cursor)? } else { Vec::new() };
    let name = cursor.word("the name of a function")?.to_owned();
    if name.starts_with("llvm.") || name.starts_with('.') {
        return Err((start, format!("`{name}` is no name of a function")));
    }
    let params = if cursor.eat('(') { parameters(cursor)? } else { Vec::new() };
    let mut directives = Vec::new();
    let (mut body, mut end) = (None, start);
    loop {
        if cursor.eat(';') {
            // `.pragma "…";` stands before the body, too.
            if cursor.peek_word().is_some_and(is_directive) || cursor.at_brace() {
                continue;
            }
            break;
        }
        if cursor.eat('{') {
            let first = cursor.at;
            cursor.skip_to_close('{', '}')?;
            body = Some(first..cursor.at - 1);
            end = cursor.tokens[cursor.at - 1].column;
            break;
        }
        let place = cursor.place();
        let word = cursor.word("a directive, `{` or `;`")?;
        if !word.starts_with('.') {
            return Err((place, "expected a directive, `{` or `;`".to_owned()));
        }
        if word == ".blocksareclusters" {
            let why = "`.blocksareclusters` makes a grid one of clusters, which is not read";
            return Err((place, why.to_owned()));
        }
        if word == ".attribute" {
            cursor.at -= 1;
            attributes(cursor)?;
            continue;
        }
        directives.push((word[1..].to_owned(), numbers(cursor)?));
    }
    let span = start..end;
    Ok(Function { name, is_entry, linkage, results, params, directives, body, span })
}

/// Whether a word is a directive of a function that may follow a `;`.
fn is_directive(word: &str) -> bool {
    matches!(word, ".pragma" | ".maxntid" | ".reqntid" | ".minnctapersm" | ".maxnreg" | ".noreturn")
}

impl Cursor<'_> {
    fn at_brace(&self) -> bool {
        self.peek() == Some(&TokenKind::Mark('{'))
    }
}

/// `.attribute(.unified(1,2))`: nothing that a running thread sees.
fn attributes(cursor: &mut Cursor<'_>) -> Result<(), Wrong> {
    while cursor.eat_word(".attribute") {
        cursor.expect('(')?;
        cursor.skip_to_close('(', ')')?;
    }
    Ok(())
}

/// The numbers after a directive; texts are passed over.
fn numbers(cursor: &mut Cursor<'_>) -> Result<Vec<u64>, Wrong> {
    let mut numbers = Vec::new();
    loop {
        match cursor.peek() {
            Some(TokenKind::Text(_)) => cursor.at += 1,
            Some(TokenKind::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()) => {
                numbers.push(cursor.count()?);
            }
            Some(_) | None => return Ok(numbers),
        }
        if !cursor.eat(',') {
            return Ok(numbers);
        }
    }
}

fn parameters(cursor: &mut Cursor<'_>) -> Result<Vec<Variable>, Wrong> {
    let mut all = Vec::new();
    if cursor.eat(')') {
        return Ok(all);
    }
    loop {
        all.extend(declared(cursor, Linkage::Internal, Some(all.len()))?);
        if !cursor.eat(',') {
            break;
        }
    }
    cursor.expect(')')?;
    Ok(all)
}

/// `.section .debug_str { … }`: of the debugger's sections the strings alone are read.
fn section(cursor: &mut Cursor<'_>, file: &mut File) -> Result<(), Wrong> {
    let name = cursor.word("the name of a section")?;
    cursor.expect('{')?;
    if name != ".debug_str" {
        return cursor.skip_to_close('{', '}');
    }
    let mut label: Option<&str> = None;
    let mut bytes = Vec::new();
    while !cursor.eat('}') {
        match cursor.word("`.b8`, a label or `}`")? {
            ".b8" => loop {
                let byte = cursor.count()? as u8;
                match (byte, label) {
                    (0, Some(of)) => {
                        let text = String::from_utf8_lossy(&bytes).into_owned();
                        file.strings.entry(of.to_owned()).or_insert(text);
                        bytes.clear();
                        label = None;
                    }
                    (0, None) => bytes.clear(),
                    _ => bytes.push(byte),
                }
                if !cursor.eat(',') {
                    break;
                }
            },
            name => {
                cursor.expect(':')?;
                label = Some(name);
                bytes.clear();
            }
        }
    }
    Ok(())
}

/// The prototype of a call by pointer: `.callprototype (results) _ (params);`.
pub(super) fn prototype(cursor: &mut Cursor<'_>) -> Result<(Vec<Variable>, Vec<Variable>), Wrong> {
    if !cursor.eat_word(".callprototype") {
        return cursor.wrong("`.callprototype`");
    }
    let results = if cursor.eat('(') { parameters(cursor)? } else { Vec::new() };
    cursor.word("`_`")?;
    let params = if cursor.eat('(') { parameters(cursor)? } else { Vec::new() };
    Ok((results, params))
}
