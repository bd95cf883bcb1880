//! Random host programs: each launch that a program does satisfies what is read of its launches.
//!
//! A program is drawn by seed, printed as C++ and compiled, and run here by an evaluator of its own
//! syntax that shares nothing with the code that reads it. An input with undefined behaviour is left
//! out. What is read is judged where its unknowns are known: parameters by their names, and what an
//! argument or a size of the kernel is.
//!
//! `HEDDLE_HOST_SEEDS=100` tries so many files.

use std::collections::HashMap;
use std::fmt::Write as _;

use heddle_frontend::compile::{ClangProcess, host_ir};
use heddle_frontend::host::{HostLaunch, Wanted, launches};
use heddle_frontend::{CompileOptions, Input, Language, lift, load};
use heddle_ir::{ExprId, ExprKind, flags_hold, fold_binary, fold_cast, fold_cmp, fold_unary, mask};

/// Programs in a file, inputs of each, and steps of a run.
const PROGRAMS: usize = 24;
const INPUTS: usize = 40;
const STEPS: usize = 4000;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Type {
    bits: u8,
    signed: bool,
}

const INT: Type = Type { bits: 32, signed: true };
const UNSIGNED: Type = Type { bits: 32, signed: false };
const TYPES: [Type; 6] = [
    INT,
    UNSIGNED,
    Type { bits: 64, signed: true },
    Type { bits: 64, signed: false },
    Type { bits: 16, signed: true },
    Type { bits: 8, signed: false },
];

impl Type {
    fn name(self) -> &'static str {
        match (self.bits, self.signed) {
            (8, _) => "unsigned char",
            (16, _) => "short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (_, true) => "long",
            (_, false) => "unsigned long",
        }
    }

    fn cut(self, value: i128) -> i128 {
        let bits = mask(value as u128, self.bits) as i128;
        let negative = self.signed && bits >> (self.bits - 1) & 1 == 1;
        if negative { bits - (1 << self.bits) } else { bits }
    }

    fn promoted(self) -> Type {
        if self.bits < 32 { INT } else { self }
    }

    fn common(self, other: Type) -> Type {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => Type { signed: a.signed && b.signed, ..a },
        }
    }
}

#[derive(Clone, Debug)]
enum Expr {
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
enum Stmt {
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

struct Program {
    types: Vec<Type>,
    body: Vec<Stmt>,
    launches: usize,
}

const VARS: usize = 8;
const PARAMETERS: usize = 4;

impl Program {
    fn draw(random: &mut Random) -> Program {
        let types = (0..VARS).map(|_| random.pick(&TYPES)).collect();
        let mut program = Program { types, body: Vec::new(), launches: 0 };
        let mut body: Vec<Stmt> =
            (PARAMETERS..VARS).map(|v| Stmt::Set(v, program.expr(random, 2, v))).collect();
        body.extend(program.block(random, 3, 6));
        body.push(program.launch(random));
        program.body = body;
        program
    }

    fn launch(&mut self, random: &mut Random) -> Stmt {
        self.launches += 1;
        let parts = [(); 5].map(|()| match random.below(3) {
            0 => self.expr(random, 2, VARS),
            _ => Expr::Var(random.below(VARS as u64) as usize),
        });
        Stmt::Launch(self.launches - 1, parts)
    }

    fn expr(&self, random: &mut Random, depth: u32, vars: usize) -> Expr {
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

    fn condition(&self, random: &mut Random) -> Expr {
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

    fn block(&mut self, random: &mut Random, depth: u32, most: u64) -> Vec<Stmt> {
        let count = 1 + random.below(most);
        (0..count).map(|_| self.stmt(random, depth)).collect()
    }

    fn stmt(&mut self, random: &mut Random, depth: u32) -> Stmt {
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

/// Prints programs, and notes the line of each launch.
#[derive(Default)]
struct Printer {
    text: String,
    lines: HashMap<(usize, usize), u32>,
    program: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn program(&mut self, program: &Program) {
        let n = self.program;
        self.line(&format!("__global__ void k{n}(int *o, int x, long y, unsigned z) {{"));
        self.line("  o[x] = y + z;\n}");
        let parameters: Vec<_> =
            (0..PARAMETERS).map(|v| format!("{} v{v}", program.types[v].name())).collect();
        self.line(&format!("void run{n}(int *out, {}) {{", parameters.join(", ")));
        for v in PARAMETERS..VARS {
            self.line(&format!("{} v{v} = 0;", program.types[v].name()));
        }
        // A pointer leads to variables of one type.
        self.line(&format!("{} *p = &v{};", program.types[0].name(), 0));
        self.block(program, &program.body);
        self.line("}");
        self.program += 1;
    }

    fn block(&mut self, program: &Program, block: &[Stmt]) {
        block.iter().for_each(|it| self.stmt(program, it));
    }

    fn stmt(&mut self, program: &Program, stmt: &Stmt) {
        match stmt {
            Stmt::Set(v, e) => self.line(&format!("v{v} = {};", text(e))),
            Stmt::SetThrough(e) => self.line(&format!("*p = {};", text(e))),
            Stmt::SetGlobal(e) => self.line(&format!("global = {};", text(e))),
            Stmt::Point(v) if program.types[*v] == program.types[0] => {
                self.line(&format!("p = &v{v};"));
            }
            Stmt::Point(..) => self.line(";"),
            Stmt::If(c, yes, no) => {
                self.line(&format!("if ({}) {{", text(c)));
                self.block(program, yes);
                self.line("} else {");
                self.block(program, no);
                self.line("}");
            }
            Stmt::For(v, from, to, step, body) => {
                let test = if *step < 0 { ">" } else { "<" };
                let head = format!("for (int i = {from}; i {test} {to}; i += {step}) {{");
                self.line(&head);
                self.line(&format!("v{v} = i;"));
                self.block(program, body);
                self.line("}");
            }
            Stmt::While(v, doubles, body) => {
                let step = if *doubles { "*= 2" } else { "/= 2" };
                self.line(&format!(
                    "for (int s = {}; s > 0 && s < 4096; s {step}) {{",
                    if *doubles { 1 } else { 1024 }
                ));
                self.line(&format!("v{v} = s;"));
                self.block(program, body);
                self.line("}");
            }
            Stmt::Switch(on, cases) => {
                self.line(&format!("switch ((int)({})) {{", text(on)));
                for (case, body, ends) in cases {
                    self.line(&format!("case {case}: {{"));
                    self.block(program, body);
                    self.line(if *ends { "} break;" } else { "}" });
                }
                self.line("}");
            }
            Stmt::Return => self.line("return;"),
            Stmt::Tick => self.line("tick();"),
            Stmt::Launch(site, [grid, block, x, y, z]) => {
                let line = 1 + self.text.matches('\n').count() as u32;
                self.lines.insert((self.program, *site), line);
                let mut call = String::new();
                let _infallible = write!(
                    call,
                    "k{}<<<{}, {}>>>(out, {}, {}, {});",
                    self.program,
                    text(grid),
                    text(block),
                    text(x),
                    text(y),
                    text(z)
                );
                self.line(&call);
            }
        }
    }
}

fn text(expr: &Expr) -> String {
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Var(v) => format!("v{v}"),
        Expr::Through => "*p".to_owned(),
        Expr::Binary(op, a, b) => format!("({} {op} {})", text(a), text(b)),
        Expr::Choice(c, a, b) => format!("({} ? {} : {})", text(c), text(a), text(b)),
        Expr::Cast(ty, a) => format!("({})({})", ty.name(), text(a)),
        Expr::Half(a) => format!("half({})", text(a)),
        Expr::Global => "global".to_owned(),
    }
}

/// A launch that a run does: site, grid, block, arguments.
type Done = (usize, [u32; 2], [u64; 3]);

/// A run of a program.
struct Run<'a> {
    program: &'a Program,
    values: Vec<i128>,
    points_to: usize,
    global: i128,
    left: usize,
    done: Vec<Done>,
}

/// What a statement ends with: goes on, returns; `None` for undefined behaviour or a run too long.
type Goes = Option<bool>;

impl Run<'_> {
    fn block(&mut self, block: &[Stmt]) -> Goes {
        for stmt in block {
            if !self.stmt(stmt)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn set(&mut self, v: usize, value: i128) {
        self.values[v] = self.program.types[v].cut(value);
    }

    fn stmt(&mut self, stmt: &Stmt) -> Goes {
        self.left = self.left.checked_sub(1)?;
        match stmt {
            Stmt::Set(v, e) => {
                let (value, _) = self.eval(e)?;
                self.set(*v, value);
            }
            Stmt::SetThrough(e) => {
                let (value, _) = self.eval(e)?;
                self.set(self.points_to, value);
            }
            Stmt::SetGlobal(e) => self.global = INT.cut(self.eval(e)?.0),
            Stmt::Point(v) => {
                if self.program.types[*v] == self.program.types[0] {
                    self.points_to = *v;
                }
            }
            Stmt::If(c, yes, no) => {
                let taken = if self.eval(c)?.0 != 0 { yes } else { no };
                return self.block(taken);
            }
            Stmt::For(v, from, to, step, body) => {
                let mut i = *from;
                while if *step < 0 { i > *to } else { i < *to } {
                    self.set(*v, i);
                    if !self.block(body)? {
                        return Some(false);
                    }
                    i += step;
                }
            }
            Stmt::While(v, doubles, body) => {
                let mut s = if *doubles { 1 } else { 1024 };
                while s > 0 && s < 4096 {
                    self.set(*v, s);
                    if !self.block(body)? {
                        return Some(false);
                    }
                    s = if *doubles { s * 2 } else { s / 2 };
                }
            }
            Stmt::Switch(on, cases) => {
                let value = INT.cut(self.eval(on)?.0);
                let first = cases.iter().position(|it| it.0 == value);
                for (_, body, ends) in cases.iter().skip(first.unwrap_or(cases.len())) {
                    if !self.block(body)? {
                        return Some(false);
                    }
                    if *ends {
                        break;
                    }
                }
            }
            Stmt::Return => return Some(false),
            // Somebody else's code: it may do this.
            Stmt::Tick => self.global = INT.cut(self.global * 31 + 7),
            Stmt::Launch(site, [grid, block, x, y, z]) => {
                let size = |run: &mut Self, e| Some(mask(run.eval(e)?.0 as u128, 32) as u32);
                let (grid, block) = (size(self, grid)?, size(self, block)?);
                let bits =
                    |run: &mut Self, e, width| Some(mask(run.eval(e)?.0 as u128, width) as u64);
                let args = [bits(self, x, 32)?, bits(self, y, 64)?, bits(self, z, 32)?];
                self.done.push((*site, [grid, block], args));
            }
        }
        Some(true)
    }

    fn eval(&self, expr: &Expr) -> Option<(i128, Type)> {
        Some(match expr {
            Expr::Const(value) => (*value, INT),
            Expr::Var(v) => (self.values[*v], self.program.types[*v]),
            Expr::Through => (self.values[self.points_to], self.program.types[0]),
            Expr::Global => (self.global, INT),
            Expr::Cast(ty, a) => (ty.cut(self.eval(a)?.0), *ty),
            Expr::Half(a) => {
                let value = INT.cut(self.eval(a)?.0);
                (if value > 100 { value / 2 } else { value }, INT)
            }
            Expr::Choice(c, a, b) => {
                let chosen = if self.eval(c)?.0 != 0 { a } else { b };
                let ty = self.type_of(a).common(self.type_of(b));
                (ty.cut(self.eval(chosen)?.0), ty)
            }
            Expr::Binary("&&", a, b) => {
                (i128::from(self.eval(a)?.0 != 0 && self.eval(b)?.0 != 0), INT)
            }
            Expr::Binary("||", a, b) => {
                (i128::from(self.eval(a)?.0 != 0 || self.eval(b)?.0 != 0), INT)
            }
            Expr::Binary(op, a, b) => {
                let ((a, ta), (b, tb)) = (self.eval(a)?, self.eval(b)?);
                if let "<<" | ">>" = *op {
                    let ty = ta.promoted();
                    let a = ty.cut(a);
                    return Some((ty.cut(if *op == "<<" { a << b } else { a >> b }), ty));
                }
                let ty = ta.common(tb);
                let (a, b) = (ty.cut(a), ty.cut(b));
                let test = |it: bool| Some((i128::from(it), INT));
                let value = match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a.checked_mul(b)?,
                    "/" => a / b,
                    "%" => a % b,
                    "&" => a & b,
                    "|" => a | b,
                    "^" => a ^ b,
                    "<" => return test(a < b),
                    "<=" => return test(a <= b),
                    ">" => return test(a > b),
                    ">=" => return test(a >= b),
                    "==" => return test(a == b),
                    "!=" => return test(a != b),
                    other => unreachable!("{other}"),
                };
                // A signed result that does not fit is undefined.
                (!ty.signed || ty.cut(value) == value).then_some(())?;
                (ty.cut(value), ty)
            }
        })
    }

    fn type_of(&self, expr: &Expr) -> Type {
        match expr {
            Expr::Const(_) | Expr::Half(_) | Expr::Global => INT,
            Expr::Var(v) => self.program.types[*v],
            Expr::Through => self.program.types[0],
            Expr::Cast(ty, _) => *ty,
            Expr::Choice(_, a, b) => self.type_of(a).common(self.type_of(b)),
            Expr::Binary("<<" | ">>", a, _) => self.type_of(a).promoted(),
            Expr::Binary("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^", a, b) => {
                self.type_of(a).common(self.type_of(b))
            }
            Expr::Binary(..) => INT,
        }
    }
}

/// What is read of a launch, against one that was done.
struct Judge<'a> {
    launch: &'a HostLaunch,
    known: HashMap<u32, u128>,
}

impl Judge<'_> {
    /// The value, `None` where an unknown is not known; `Err` where a flag is broken.
    fn value(&self, expr: ExprId) -> Result<Option<u128>, ()> {
        let pool = &self.launch.pool;
        let width = pool.width(expr);
        let both = |a: ExprId, b: ExprId| Ok(self.value(a)?.zip(self.value(b)?));
        Ok(match &pool[expr].kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Param(unknown) => self.known.get(unknown).copied(),
            ExprKind::Unary(op, a) => self.value(*a)?.map(|a| fold_unary(*op, a, width)),
            ExprKind::Cast(op, a) => {
                self.value(*a)?.map(|it| fold_cast(*op, it, pool.width(*a), width))
            }
            ExprKind::Cmp(op, a, b) => {
                let of = pool.width(*a);
                both(*a, *b)?.map(|(a, b)| u128::from(fold_cmp(*op, a, b, of)))
            }
            ExprKind::Select(c, a, b) => match self.value(*c)? {
                Some(0) => self.value(*b)?,
                Some(_) => self.value(*a)?,
                None => None,
            },
            ExprKind::Binary(op, flags, a, b) => match both(*a, *b)? {
                Some((a, b)) if !flags_hold(*op, *flags, a, b, width) => return Err(()),
                Some((a, b)) => Some(fold_binary(*op, a, b, width)),
                None => None,
            },
            _ => None,
        })
    }

    /// Takes an unknown that a number is for known.
    fn learn(&mut self, expr: ExprId, value: u128) {
        if let ExprKind::Param(unknown) = self.launch.pool[expr].kind {
            self.known.entry(unknown).or_insert(value);
        }
    }

    fn agrees(&self, expr: ExprId, value: u128) -> bool {
        matches!(self.value(expr), Ok(known) if known.is_none_or(|it| it == value))
    }
}

fn fits(launch: &HostLaunch, program: &Program, inputs: &[i128], done: &Done) -> bool {
    let (_, [grid, block], args) = done;
    let mut judge = Judge { launch, known: HashMap::new() };
    for (n, unknown) in (0..).zip(&launch.unknowns) {
        let parameter = unknown.name.strip_prefix('v').and_then(|it| it.parse::<usize>().ok());
        // Of a join, a name is that of the variable.
        if let Some(v) =
            parameter.filter(|v| *v < PARAMETERS && launch.unknowns[n as usize].is_parameter)
        {
            judge.known.insert(n, mask(inputs[v] as u128, program.types[v].bits));
        }
    }
    let sizes = [(launch.grid[0], *grid), (launch.block[0], *block)];
    let mut numbers: Vec<(ExprId, u128)> =
        sizes.into_iter().map(|(expr, value)| (expr, u128::from(value))).collect();
    for (index, value) in args.iter().enumerate() {
        numbers.extend(launch.args[index + 1].map(|expr| (expr, u128::from(*value))));
    }
    numbers.iter().for_each(|(expr, value)| judge.learn(*expr, *value));
    numbers.iter().all(|(expr, value)| judge.agrees(*expr, *value))
        && launch.facts.iter().all(|it| judge.agrees(*it, 1))
}

#[test]
fn each_launch_of_a_random_program_is_as_it_was_read() {
    let files = std::env::var("HEDDLE_HOST_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(6);
    let (mut judged, mut facts) = (0usize, 0usize);
    for seed in 1..=files {
        let mut random = Random(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
        let programs: Vec<Program> = (0..PROGRAMS).map(|_| Program::draw(&mut random)).collect();
        let mut printer = Printer::default();
        printer.line("extern int global;\nvoid tick();");
        printer.line("static int half(int e) { return e > 100 ? e / 2 : e; }");
        programs.iter().for_each(|it| printer.program(it));
        let input = Input::memory("random.cu", printer.text.clone()).with_language(Language::Cuda);
        let options = CompileOptions { clang_args: vec!["-w".into()], ..CompileOptions::default() };
        let prepared = load(&input, &options)
            .unwrap_or_else(|error| panic!("{error}{}\n{}", error.output, printer.text));
        let wanted: Vec<Wanted> = (0..PROGRAMS)
            .map(|n| {
                let symbol = format!("_Z{}k{n}Piilj", 1 + n.to_string().len());
                let function = prepared.module.function(&symbol).expect("a kernel");
                let kernel = lift(&prepared.module, function).expect("it is lifted");
                Wanted::of(&prepared, &kernel).expect("its parameters are told apart")
            })
            .collect();
        let host = host_ir(&input, &options, &ClangProcess).expect("it compiles").expect("CUDA");
        let found = launches(&host, &wanted);
        for (n, program) in programs.iter().enumerate() {
            let Some(read) = &found[n] else { continue };
            facts += read.iter().map(|it| it.facts.len()).sum::<usize>();
            for _ in 0..INPUTS {
                let inputs: Vec<i128> = (0..PARAMETERS)
                    .map(|v| {
                        let small = random.below(140) as i128 - 6;
                        let large = random.below(u64::MAX) as i128;
                        program.types[v].cut(if random.below(5) == 0 { large } else { small })
                    })
                    .collect();
                let mut values = inputs.clone();
                values.resize(VARS, 0);
                let global = random.below(200) as i128 - 50;
                let mut run =
                    Run { program, values, points_to: 0, global, left: STEPS, done: Vec::new() };
                if run.block(&program.body).is_none() {
                    continue;
                }
                for done in &run.done {
                    let line = printer.lines[&(n, done.0)];
                    let here: Vec<_> = read.iter().filter(|it| it.line == line).collect();
                    judged += 1;
                    assert!(
                        here.iter().any(|it| fits(it, program, &inputs, done)),
                        "seed {seed}, program {n}, line {line}, inputs {inputs:?}: {done:?} is none \
                         of the {} launches read there\n{here:#?}\n{}",
                        here.len(),
                        printer.text
                    );
                }
            }
        }
    }
    eprintln!("{judged} launches, {facts} facts");
    assert!(judged > 500 && facts > 50, "{judged} launches and {facts} facts were judged");
}
