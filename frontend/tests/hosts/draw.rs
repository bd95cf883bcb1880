//! Programs: their syntax, and how they are drawn.

use heddle_ir::mask;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Type {
    pub(crate) bits: u8,
    pub(crate) signed: bool,
}

pub(crate) const INT: Type = Type { bits: 32, signed: true };
pub(crate) const UNSIGNED: Type = Type { bits: 32, signed: false };
pub(crate) const TYPES: [Type; 6] = [
    INT,
    UNSIGNED,
    Type { bits: 64, signed: true },
    Type { bits: 64, signed: false },
    Type { bits: 16, signed: true },
    Type { bits: 8, signed: false },
];

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match (self.bits, self.signed) {
            (8, _) => "unsigned char",
            (16, _) => "short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (_, true) => "long",
            (_, false) => "unsigned long",
        }
    }

    pub(crate) fn cut(self, value: i128) -> i128 {
        let bits = mask(value as u128, self.bits) as i128;
        let negative = self.signed && bits >> (self.bits - 1) & 1 == 1;
        if negative { bits - (1 << self.bits) } else { bits }
    }

    pub(crate) fn promoted(self) -> Type {
        if self.bits < 32 { INT } else { self }
    }

    pub(crate) fn common(self, other: Type) -> Type {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => Type { signed: a.signed && b.signed, ..a },
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Const(i128),
    /// `v0`; the first four are parameters.
    Var(usize),
    /// Through a pointer that leads to one of two variables.
    Through,
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(Type, Box<Expr>),
    /// `half(e)`, which is `e > 100 ? e / 2 : e`, of an `int`.
    Half(Box<Expr>),
    Global,
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Set(usize, Expr),
    SetThrough(Expr),
    SetGlobal(Expr),
    Point(usize),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A counter from one to another number by a step.
    For(usize, i128, i128, i128, Vec<Stmt>),
    /// While a variable is not zero and below a limit: doubled or halved.
    While(usize, bool, Vec<Stmt>),
    Switch(Expr, Vec<(i128, Vec<Stmt>, bool)>),
    Return,
    /// Sets the global variable.
    Tick,
    /// Grid, block, three arguments; its line is known once it is printed.
    Launch(usize, [Expr; 5]),
}

pub(crate) struct Program {
    pub(crate) types: Vec<Type>,
    pub(crate) body: Vec<Stmt>,
    pub(crate) launches: usize,
}

pub(crate) const VARS: usize = 8;
pub(crate) const PARAMETERS: usize = 4;

impl Program {
    pub(crate) fn draw(random: &mut Random) -> Program {
        let types = (0..VARS).map(|_| random.pick(&TYPES)).collect();
        let mut program = Program { types, body: Vec::new(), launches: 0 };
        let mut body: Vec<Stmt> =
            (PARAMETERS..VARS).map(|v| Stmt::Set(v, program.expr(random, 2, v))).collect();
        body.extend(program.block(random, 3, 6));
        body.push(program.launch(random));
        program.body = body;
        program
    }

    pub(crate) fn launch(&mut self, random: &mut Random) -> Stmt {
        self.launches += 1;
        let parts = [(); 5].map(|()| match random.below(3) {
            0 => self.expr(random, 2, VARS),
            _ => Expr::Var(random.below(VARS as u64) as usize),
        });
        Stmt::Launch(self.launches - 1, parts)
    }

    pub(crate) fn expr(&self, random: &mut Random, depth: u32, vars: usize) -> Expr {
        let leaf = |random: &mut Random| match random.below(4) {
            0 => Expr::Const(
                [0, 1, 2, 3, 7, 16, 31, 32, 100, 255, 65_536][random.below(11) as usize],
            ),
            1 if vars == VARS => Expr::Through,
            _ => Expr::Var(random.below(vars as u64) as usize),
        };
        if depth == 0 || random.below(4) == 0 {
            return leaf(random);
        }
        let sub = |random: &mut Random| Box::new(self.expr(random, depth - 1, vars));
        match random.below(12) {
            0 => Expr::Choice(sub(random), sub(random), sub(random)),
            1 => Expr::Cast(random.pick(&TYPES), sub(random)),
            2 => Expr::Half(sub(random)),
            3 => Expr::Global,
            4 => {
                let divisor = Expr::Const(random.pick(&[2, 3, 8, 32, 100]));
                let op = random.pick(&["/", "%"]);
                Expr::Binary(op, sub(random), Box::new(divisor))
            }
            5 => {
                let by = Expr::Const(random.pick(&[1, 2, 5, 13]));
                Expr::Binary(random.pick(&["<<", ">>"]), sub(random), Box::new(by))
            }
            _ => {
                const OPS: [&str; 14] =
                    ["+", "+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", ">", "&&", "||"];
                Expr::Binary(random.pick(&OPS), sub(random), sub(random))
            }
        }
    }

    pub(crate) fn condition(&self, random: &mut Random) -> Expr {
        let op = random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let one = Expr::Binary(
            op,
            Box::new(self.expr(random, 1, VARS)),
            Box::new(self.expr(random, 1, VARS)),
        );
        match random.below(4) {
            0 => Expr::Binary(
                random.pick(&["&&", "||"]),
                Box::new(one),
                Box::new(self.expr(random, 1, VARS)),
            ),
            _ => one,
        }
    }

    pub(crate) fn block(&mut self, random: &mut Random, depth: u32, most: u64) -> Vec<Stmt> {
        let count = 1 + random.below(most);
        (0..count).map(|_| self.stmt(random, depth)).collect()
    }

    pub(crate) fn stmt(&mut self, random: &mut Random, depth: u32) -> Stmt {
        let var = random.below(VARS as u64) as usize;
        match random.below(if depth == 0 { 8 } else { 14 }) {
            0..=2 => Stmt::Set(var, self.expr(random, 2, VARS)),
            3 => Stmt::SetThrough(self.expr(random, 2, VARS)),
            4 => Stmt::Point(var),
            5 => Stmt::SetGlobal(self.expr(random, 1, VARS)),
            6 => Stmt::Tick,
            7 => self.launch(random),
            8 => Stmt::If(self.condition(random), vec![Stmt::Return], Vec::new()),
            9 | 10 => {
                let condition = self.condition(random);
                let yes = self.block(random, depth - 1, 3);
                let no =
                    if random.below(2) == 0 { self.block(random, depth - 1, 2) } else { vec![] };
                Stmt::If(condition, yes, no)
            }
            11 => {
                let (from, to) = (random.below(5) as i128 - 2, random.below(12) as i128);
                let step = random.pick(&[1, 1, 2, 3, -1]);
                let (from, to) = if step < 0 { (to, from) } else { (from, to) };
                Stmt::For(var, from, to, step, self.block(random, depth - 1, 3))
            }
            12 => Stmt::While(var, random.below(2) == 0, self.block(random, depth - 1, 2)),
            _ => {
                let on = self.expr(random, 1, VARS);
                let cases = random.pick(&[&[0, 1, 2][..], &[1, 32], &[64, 128, 256]]);
                let cases = cases
                    .iter()
                    .map(|case| (*case, self.block(random, depth - 1, 2), random.below(3) > 0))
                    .collect();
                Stmt::Switch(on, cases)
            }
        }
    }
}
