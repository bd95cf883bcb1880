//! Reads a source file into the tree: declarations here, statements in [`super::parse_stmt`].
//!
//! **Promises**: what is read prints to the same program, but for qualifiers that change no meaning
//! here (`const`, `__restrict__`, address spaces of local pointers). **Does not**: read all of C:
//! what it does not know is refused with its name, and the file takes no part.

use crate::lex::{Token, tokens};
use crate::parse_expr::{integer_type, vector_type};
use crate::syntax::{Aggregate, Decl, Function, Init, Language, Param, Program, Storage, Ty};

/// Reads a file that has one kernel.
pub(crate) fn parse(text: &str, language: Language) -> Result<Program, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, language, aggregates: Vec::new() };
    let mut globals = Vec::new();
    let mut functions = Vec::new();
    let mut kernels = Vec::new();
    while parser.at < parser.tokens.len() {
        parser.top_level(&mut globals, &mut functions, &mut kernels)?;
    }
    let Parser { aggregates, .. } = parser;
    match kernels.pop() {
        Some(kernel) if kernels.is_empty() => {
            Ok(Program { language, aggregates, globals, functions, kernel })
        }
        _ => Err("not one kernel".to_owned()),
    }
}

pub(crate) struct Parser {
    tokens: Vec<Token>,
    pub(crate) at: usize,
    pub(crate) language: Language,
    pub(crate) aggregates: Vec<Aggregate>,
}

/// What stands before a declarator.
#[derive(Default)]
pub(crate) struct Specifiers {
    pub(crate) shared: bool,
    pub(crate) external: bool,
    pub(crate) device: bool,
    pub(crate) constant: bool,
    pub(crate) is_static: bool,
    pub(crate) is_const: bool,
    pub(crate) volatile: bool,
    pub(crate) kernel: bool,
}

impl Parser {
    pub(crate) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    pub(crate) fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    pub(crate) fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Some(Token::Mark(it)) if *it == mark)
    }

    pub(crate) fn eat(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.eat(mark) { Ok(()) } else { Err(format!("{mark} before {:?}", self.peek())) }
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(it)) if it == word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn word(&mut self) -> Result<String, String> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            other => Err(format!("a name, not {other:?}")),
        }
    }

    fn top_level(
        &mut self,
        globals: &mut Vec<Decl>,
        functions: &mut Vec<Function>,
        kernels: &mut Vec<Function>,
    ) -> Result<(), String> {
        if self.eat(";") {
            return Ok(());
        }
        let typedef = self.eat_word("typedef");
        if let Some(Token::Word(word)) = self.peek()
            && (word == "struct" || word == "union")
            && (matches!(self.peek_at(1), Some(Token::Mark("{")))
                || matches!(self.peek_at(2), Some(Token::Mark("{"))))
        {
            return self.aggregate(typedef);
        }
        if typedef {
            return Err("typedef".to_owned());
        }
        let specifiers = self.specifiers()?;
        let base = self.base_type()?;
        let mut late = Specifiers::default();
        self.more_specifiers(&mut late)?;
        let ty = self.pointers(base.clone());
        let name = self.word()?;
        if self.is("(") {
            let params = self.params()?;
            self.expect("{")?;
            let body = self.statements()?;
            let function = Function { result: ty, name, params, body };
            if specifiers.kernel {
                kernels.push(function);
            } else {
                functions.push(function);
            }
            return Ok(());
        }
        let storage = match &specifiers {
            it if it.external && it.shared => Storage::OpenShared,
            it if it.shared => Storage::Shared,
            it if it.constant || it.is_const => Storage::Table,
            it if it.device => Storage::Device,
            _ => return Err(format!("global {name}")),
        };
        self.declarators(base, Some((ty, name)), storage, specifiers.volatile, &mut |decl| {
            globals.push(decl);
        })
    }

    fn aggregate(&mut self, typedef: bool) -> Result<(), String> {
        let is_union = self.word()? == "union";
        let mut name = if self.is("{") { String::new() } else { self.word()? };
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.eat("}") {
            let base = self.base_type()?;
            loop {
                let ty = self.pointers(base.clone());
                let field = self.word()?;
                let ty = self.arrays(ty)?;
                if self.is(":") {
                    return Err("a bit field".to_owned());
                }
                fields.push((field, ty));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        if typedef {
            name = self.word()?;
        }
        self.expect(";")?;
        self.aggregates.push(Aggregate { name, is_union, fields });
        Ok(())
    }

    pub(crate) fn specifiers(&mut self) -> Result<Specifiers, String> {
        let mut found = Specifiers::default();
        self.more_specifiers(&mut found)?;
        Ok(found)
    }

    fn more_specifiers(&mut self, found: &mut Specifiers) -> Result<(), String> {
        while let Some(Token::Word(word)) = self.peek() {
            match word.as_str() {
                "__shared__" | "__local" | "local" => found.shared = true,
                "extern" => found.external = true,
                "__device__" => found.device = true,
                "__constant__" | "__constant" | "constant" => found.constant = true,
                "static" => found.is_static = true,
                "const" => found.is_const = true,
                "volatile" => found.volatile = true,
                "__global__" | "__kernel" | "kernel" => found.kernel = true,
                "__forceinline__" | "__noinline__" | "inline" | "__restrict__" | "restrict"
                | "__global" | "global" | "__private" | "register" => {}
                "__align__" | "__attribute__" => {
                    self.at += 1;
                    self.attribute()?;
                    continue;
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
        Ok(())
    }

    /// `((aligned(16)))`: arrays are aligned by 16 in any case. A packed structure is refused.
    fn attribute(&mut self) -> Result<(), String> {
        let mut depth = 0;
        loop {
            match self.next() {
                Some(Token::Mark("(")) => depth += 1,
                Some(Token::Mark(")")) => depth -= 1,
                Some(Token::Word(word)) if !word.contains("align") => {
                    return Err(format!("attribute {word}"));
                }
                Some(_) => {}
                None => return Err("attribute".to_owned()),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Whether a type begins here.
    pub(crate) fn at_type(&self) -> bool {
        let Some(Token::Word(word)) = self.peek() else { return false };
        matches!(
            word.as_str(),
            "const"
                | "volatile"
                | "unsigned"
                | "signed"
                | "struct"
                | "union"
                | "float"
                | "double"
                | "void"
                | "__global"
                | "global"
                | "__local"
                | "local"
                | "__shared__"
                | "static"
                | "extern"
                | "__private"
                | "__constant"
                | "constant"
                | "__constant__"
                | "__align__"
                | "__attribute__"
        ) || integer_type(word).is_some()
            || vector_type(word).is_some()
            || self.aggregates.iter().any(|it| it.name == *word)
    }

    /// A type without `*`.
    pub(crate) fn base_type(&mut self) -> Result<Ty, String> {
        self.specifiers()?;
        let first = self.word()?;
        let ty = match first.as_str() {
            "void" => Ty::Void,
            "float" => Ty::Float,
            "double" => Ty::Double,
            "struct" | "union" => Ty::Aggregate(self.word()?),
            "unsigned" | "signed" | "long" | "short" | "int" | "char" => {
                let mut words = vec![first];
                while let Some(Token::Word(word)) = self.peek() {
                    if !["unsigned", "signed", "long", "short", "int", "char"]
                        .contains(&word.as_str())
                    {
                        break;
                    }
                    words.push(word.clone());
                    self.at += 1;
                }
                Ty::Int(of_words(&words))
            }
            word => match integer_type(word) {
                Some(ty) => Ty::Int(ty),
                None if vector_type(word).is_some() => Ty::Aggregate(first),
                None if self.aggregates.iter().any(|it| it.name == word) => Ty::Aggregate(first),
                None => return Err(format!("type {word}")),
            },
        };
        Ok(ty)
    }

    /// The `*` of a declarator or a cast.
    pub(crate) fn pointers(&mut self, mut ty: Ty) -> Ty {
        loop {
            if self.eat("*") {
                ty = ty.pointer();
            } else if ![
                "const",
                "__restrict__",
                "restrict",
                "__global",
                "__local",
                "global",
                "local",
            ]
            .iter()
            .any(|word| self.eat_word(word))
            {
                return ty;
            }
        }
    }

    fn arrays(&mut self, ty: Ty) -> Result<Ty, String> {
        let mut sizes = Vec::new();
        while self.eat("[") {
            if self.eat("]") {
                sizes.push(0);
                continue;
            }
            sizes.push(self.constant()?);
            self.expect("]")?;
        }
        Ok(sizes.into_iter().rev().fold(ty, |ty, size| Ty::Array(Box::new(ty), size)))
    }

    fn params(&mut self) -> Result<Vec<Param>, String> {
        self.expect("(")?;
        let mut params = Vec::new();
        if self.eat_word("void") && self.eat(")") {
            return Ok(params);
        }
        while !self.eat(")") {
            let before = self.specifiers()?;
            let base = self.base_type()?;
            let mut after = Specifiers::default();
            self.more_specifiers(&mut after)?;
            let ty = self.pointers(base);
            let name = self.word()?;
            if self.is("[") {
                return Err("an array parameter".to_owned());
            }
            let volatile = before.volatile || after.volatile;
            params.push(Param { ty, name, volatile, local: before.shared || after.shared });
            if !self.eat(",") && !self.is(")") {
                return Err(format!("parameter before {:?}", self.peek()));
            }
        }
        Ok(params)
    }

    pub(crate) fn declarators(
        &mut self,
        base: Ty,
        first: Option<(Ty, String)>,
        storage: Storage,
        volatile: bool,
        add: &mut dyn FnMut(Decl),
    ) -> Result<(), String> {
        let mut first = first;
        loop {
            let (ty, name) = match first.take() {
                Some(first) => first,
                None => (self.pointers(base.clone()), self.word()?),
            };
            let ty = self.arrays(ty)?;
            let init = if self.eat("=") { Some(self.init()?) } else { None };
            let ty = match (ty, &init) {
                (Ty::Array(of, 0), Some(Init::List(parts))) => Ty::Array(of, parts.len() as u64),
                (ty, _) => ty,
            };
            add(Decl { ty, name, storage, volatile, init });
            if !self.eat(",") {
                return self.expect(";");
            }
        }
    }

    fn init(&mut self) -> Result<Init, String> {
        if !self.eat("{") {
            return Ok(Init::Expr(self.assignment()?));
        }
        let mut parts = Vec::new();
        while !self.eat("}") {
            parts.push(self.init()?);
            if !self.eat(",") && !self.is("}") {
                return Err("an initialiser".to_owned());
            }
        }
        Ok(Init::List(parts))
    }
}

fn of_words(words: &[String]) -> crate::syntax::IntTy {
    let has = |word: &str| words.iter().any(|it| it == word);
    let bits = match () {
        () if has("char") => 8,
        () if has("short") => 16,
        () if has("long") => 64,
        () => 32,
    };
    crate::syntax::IntTy { bits, signed: !has("unsigned") }
}
