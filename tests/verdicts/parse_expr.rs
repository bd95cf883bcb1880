//! Reads expressions, and the names of types.
//!
//! **Promises**: precedence and literals are C's. **Does not**: know what is declared: a cast is
//! known by the type's name.

use crate::lex::Token;
use crate::parse::Parser;
use crate::syntax::{BinOp, Expr, IntTy, Language, Special, Ty, UnOp};

/// The integer type that a single word names.
pub(crate) fn integer_type(word: &str) -> Option<IntTy> {
    let (bits, signed) = match word {
        "bool" => (1, false),
        "char" | "int8_t" => (8, true),
        "uchar" | "uint8_t" => (8, false),
        "short" | "int16_t" => (16, true),
        "ushort" | "uint16_t" => (16, false),
        "int" | "int32_t" => (32, true),
        "uint" | "uint32_t" => (32, false),
        "long" | "int64_t" | "ptrdiff_t" => (64, true),
        "ulong" | "uint64_t" | "size_t" => (64, false),
        _ => return None,
    };
    Some(IntTy { bits, signed })
}

/// The component and the number of components of a vector type.
pub(crate) fn vector_type(word: &str) -> Option<(Ty, u64)> {
    let (name, count) = word.split_at(word.len().checked_sub(1)?);
    let count = count.parse().ok().filter(|it| *it == 2 || *it == 4)?;
    let ty = match name {
        "float" => Ty::Float,
        "double" => Ty::Double,
        "longlong" => Ty::Int(IntTy::LONG),
        "ulonglong" => Ty::Int(IntTy::ULONG),
        "bool" => return None,
        _ => Ty::Int(integer_type(name)?),
    };
    Some((ty, count))
}

impl Parser {
    pub(crate) fn expression(&mut self) -> Result<Expr, String> {
        let mut left = self.assignment()?;
        while self.eat(",") {
            left = Expr::binary(BinOp::Comma, left, self.assignment()?);
        }
        Ok(left)
    }

    pub(crate) fn assignment(&mut self) -> Result<Expr, String> {
        let left = self.ternary()?;
        if self.eat("=") {
            return Ok(Expr::Assign(None, Box::new(left), Box::new(self.assignment()?)));
        }
        for (op, text) in BinOp::ALL {
            let level = op.level();
            if level >= 6 && !op.is_comparison() && self.is(&format!("{text}=")) {
                self.next();
                return Ok(Expr::Assign(Some(op), Box::new(left), Box::new(self.assignment()?)));
            }
        }
        Ok(left)
    }

    pub(crate) fn ternary(&mut self) -> Result<Expr, String> {
        let condition = self.binary(4)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.expect(":")?;
        let other = self.ternary()?;
        Ok(Expr::Select(Box::new(condition), Box::new(then), Box::new(other)))
    }

    fn binary(&mut self, lowest: u8) -> Result<Expr, String> {
        let mut left = self.unary()?;
        loop {
            let found = BinOp::ALL
                .into_iter()
                .find(|(op, text)| *op != BinOp::Comma && op.level() >= lowest && self.is(text));
            let Some((op, _)) = found else { return Ok(left) };
            self.next();
            let right = self.binary(op.level() + 1)?;
            left = Expr::binary(op, left, right);
        }
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let marks = [
            ("-", UnOp::Neg),
            ("!", UnOp::Not),
            ("~", UnOp::BitNot),
            ("*", UnOp::Deref),
            ("&", UnOp::Address),
        ];
        for (mark, op) in marks {
            if self.eat(mark) {
                return Ok(Expr::Unary(op, Box::new(self.unary()?)));
            }
        }
        for (mark, up) in [("++", true), ("--", false)] {
            if self.eat(mark) {
                return Ok(Expr::Step { prefix: true, up, of: Box::new(self.unary()?) });
            }
        }
        if self.eat("+") {
            return self.unary();
        }
        if self.eat_word("sizeof") {
            self.expect("(")?;
            let base = self.base_type()?;
            let ty = self.pointers(base);
            self.expect(")")?;
            return Ok(Expr::SizeOf(ty));
        }
        if self.is("(") {
            self.next();
            if self.at_type() {
                if self.is_word("volatile") {
                    return Err("a cast to volatile".to_owned());
                }
                let base = self.base_type()?;
                let ty = self.pointers(base);
                self.expect(")")?;
                if self.is("(")
                    && matches!(&ty, Ty::Aggregate(name) if vector_type(name).is_some())
                    && self.language == Language::OpenCl
                {
                    return Err("a vector literal".to_owned());
                }
                return Ok(Expr::Cast(ty, Box::new(self.unary()?)));
            }
            let inner = self.expression()?;
            self.expect(")")?;
            return self.postfix(inner);
        }
        let first = self.primary()?;
        self.postfix(first)
    }

    fn postfix(&mut self, mut expr: Expr) -> Result<Expr, String> {
        loop {
            expr = if self.eat("[") {
                let index = self.expression()?;
                self.expect("]")?;
                Expr::Index(Box::new(expr), Box::new(index))
            } else if self.eat(".") {
                Expr::Member(Box::new(expr), self.word()?, false)
            } else if self.eat("->") {
                Expr::Member(Box::new(expr), self.word()?, true)
            } else if self.eat("++") {
                Expr::Step { prefix: false, up: true, of: Box::new(expr) }
            } else if self.eat("--") {
                Expr::Step { prefix: false, up: false, of: Box::new(expr) }
            } else {
                return Ok(expr);
            };
        }
    }

    fn primary(&mut self) -> Result<Expr, String> {
        match self.next() {
            Some(Token::Number(text)) => number(&text, self.language),
            Some(Token::Word(word)) => self.name(word),
            other => Err(format!("an expression, not {other:?}")),
        }
    }

    fn name(&mut self, word: String) -> Result<Expr, String> {
        let special = match word.as_str() {
            "threadIdx" => Some(Special::Thread),
            "blockIdx" => Some(Special::Block),
            "blockDim" => Some(Special::BlockSize),
            "gridDim" => Some(Special::GridSize),
            _ => None,
        };
        if let Some(what) = special {
            self.expect(".")?;
            let dim = match self.word()?.as_str() {
                "x" => 0,
                "y" => 1,
                _ => 2,
            };
            return Ok(Expr::Special { what, dim, wide: false });
        }
        match word.as_str() {
            "true" => return Ok(Expr::Int(1, IntTy::BOOL)),
            "false" => return Ok(Expr::Int(0, IntTy::BOOL)),
            "nullptr" | "NULL" => return Ok(Expr::int(0)),
            "warpSize" => return Ok(Expr::int(32)),
            _ => {}
        }
        if self.is("::") {
            return Err("a name in a namespace".to_owned());
        }
        if !self.eat("(") {
            return Ok(Expr::Name(word));
        }
        // `uint(x)` is a cast in C++.
        if let Some(ty) = integer_type(&word) {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(Expr::Cast(Ty::Int(ty), Box::new(inner)));
        }
        let mut args = Vec::new();
        while !self.eat(")") {
            args.push(self.assignment()?);
            if !self.eat(",") && !self.is(")") {
                return Err("an argument".to_owned());
            }
        }
        let what = match word.as_str() {
            "get_local_id" => Special::Thread,
            "get_group_id" => Special::Block,
            "get_local_size" | "get_enqueued_local_size" => Special::BlockSize,
            "get_num_groups" => Special::GridSize,
            "get_global_id" => Special::Global,
            "get_global_size" => Special::GlobalSize,
            _ => return Ok(Expr::Call(word, args)),
        };
        match args[..] {
            [Expr::Int(dim, _)] => Ok(Expr::Special { what, dim: dim as u8, wide: true }),
            _ => Err(format!("{word} of no constant")),
        }
    }

    /// A number known now: of an array's length.
    pub(crate) fn constant(&mut self) -> Result<u64, String> {
        let expr = self.ternary()?;
        fold(&expr).ok_or_else(|| "a length that is no constant".to_owned())
    }
}

fn fold(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Int(value, _) => Some(*value),
        Expr::Binary(op, a, b) => {
            let (a, b) = (fold(a)?, fold(b)?);
            match op {
                BinOp::Add => Some(a + b),
                BinOp::Sub => a.checked_sub(b),
                BinOp::Mul => Some(a * b),
                BinOp::Div => a.checked_div(b),
                BinOp::Shl => Some(a << b),
                _ => None,
            }
        }
        _ => None,
    }
}

fn number(text: &str, language: Language) -> Result<Expr, String> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    if !hex && (lower.contains('.') || lower.ends_with('f') || lower.contains('e')) {
        let is_float = lower.ends_with('f');
        let digits = lower.trim_end_matches('f');
        let value = digits.parse().map_err(|_| format!("number {text}"))?;
        return Ok(Expr::Real(value, is_float));
    }
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    let value = value.map_err(|_| format!("number {text}"))?;
    let unsigned = suffix.contains('u');
    let long = suffix.contains('l');
    // C11, 6.4.4.1: the first of the types in which the value can be represented.
    let fits = |ty: IntTy| {
        let bits = ty.bits - u8::from(ty.signed);
        bits == 64 || value < 1u64 << bits
    };
    let order = [IntTy::INT, IntTy::UINT, IntTy::LONG, IntTy::ULONG];
    let of = |ty: &&IntTy| {
        (!long || ty.bits == 64)
            && (if unsigned { !ty.signed } else { ty.signed || hex })
            && fits(**ty)
    };
    let ty = order.iter().find(of).copied().unwrap_or(IntTy::ULONG);
    let _either = language;
    Ok(Expr::Int(value, ty))
}
