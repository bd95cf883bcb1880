//! Prints the tree as CUDA C++ or OpenCL C.
//!
//! **Promises**: brackets stand where C needs them, so that what is printed parses to the same
//! tree.
//! **Does not**: know types: what is no C is refused by [`super::lower`] before it is printed.

use std::fmt::Write;

use crate::syntax::{
    BinOp, Decl, Expr, Function, Init, IntTy, Language, Program, Special, Stmt, Storage, Ty, UnOp,
};

/// The source file.
pub(crate) fn print(program: &Program) -> String {
    let mut printer = Printer { out: String::new(), language: program.language };
    for aggregate in &program.aggregates {
        let word = if aggregate.is_union { "union" } else { "struct" };
        let fields: String =
            aggregate.fields.iter().map(|(name, ty)| printer.declared(ty, name) + "; ").collect();
        let _ = writeln!(printer.out, "{word} {} {{ {fields}}};", aggregate.name);
    }
    for global in &program.globals {
        printer.decl(global, 0);
    }
    for function in &program.functions {
        printer.function(function, false);
    }
    printer.function(&program.kernel, true);
    printer.out
}

/// An expression, as in a condition of the command line.
pub(crate) fn print_expr(expr: &Expr, language: Language) -> String {
    Printer { out: String::new(), language }.expr(expr, 0)
}

struct Printer {
    out: String,
    language: Language,
}

/// The name of an integer type.
pub(crate) fn int_name(ty: IntTy, language: Language) -> &'static str {
    match (ty.bits, ty.signed, language) {
        (1, ..) => "bool",
        (8, true, _) => "char",
        (8, false, _) => "unsigned char",
        (16, true, _) => "short",
        (16, false, _) => "unsigned short",
        (32, true, _) => "int",
        (32, false, _) => "unsigned",
        (_, true, Language::Cuda) => "long long",
        (_, false, Language::Cuda) => "unsigned long long",
        (_, true, Language::OpenCl) => "long",
        (_, false, Language::OpenCl) => "ulong",
    }
}

impl Printer {
    fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Void => "void".to_owned(),
            Ty::Int(ty) => int_name(*ty, self.language).to_owned(),
            Ty::Float => "float".to_owned(),
            Ty::Double => "double".to_owned(),
            Ty::Ptr(to) => format!("{} *", self.ty(to)).replace("* *", "**"),
            Ty::Array(of, _) => self.ty(of),
            Ty::Aggregate(name) if crate::parse_expr::vector_type(name).is_some() => name.clone(),
            Ty::Aggregate(name) => format!("struct {name}"),
        }
    }

    fn declared(&self, ty: &Ty, name: &str) -> String {
        let mut lengths = String::new();
        let mut inner = ty;
        while let Ty::Array(of, length) = inner {
            let _ =
                if *length == 0 { write!(lengths, "[]") } else { write!(lengths, "[{length}]") };
            inner = of;
        }
        let base = self.ty(inner);
        let blank = if base.ends_with('*') { "" } else { " " };
        format!("{base}{blank}{name}{lengths}")
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn function(&mut self, function: &Function, kernel: bool) {
        let opencl = self.language == Language::OpenCl;
        let mut params = Vec::new();
        for param in &function.params {
            let space = match (&param.ty, opencl && kernel, param.local) {
                (Ty::Ptr(_), true, true) => "__local ",
                (Ty::Ptr(_), true, false) => "__global ",
                _ => "",
            };
            let volatile = if param.volatile { "volatile " } else { "" };
            params.push(format!("{volatile}{space}{}", self.declared(&param.ty, &param.name)));
        }
        let word = match (kernel, opencl) {
            (true, false) => "__global__ ",
            (true, true) => "__kernel ",
            (false, false) => "__device__ ",
            (false, true) => "",
        };
        let head = self.declared(&function.result, &function.name);
        self.line(0, &format!("{word}{head}({}) {{", params.join(", ")));
        self.stmts(&function.body, 1);
        self.line(0, "}");
    }

    fn decl(&mut self, decl: &Decl, depth: usize) {
        let text = self.decl_text(decl);
        self.line(depth, &(text + ";"));
    }

    fn decl_text(&self, decl: &Decl) -> String {
        let opencl = self.language == Language::OpenCl;
        let storage = match (decl.storage, opencl) {
            (Storage::Auto, _) => "",
            (Storage::Shared, false) => "__shared__ ",
            (Storage::Shared, true) => "__local ",
            (Storage::OpenShared, _) => "extern __shared__ ",
            (Storage::Device, _) => "__device__ ",
            (Storage::Table, false) => "__device__ static const ",
            (Storage::Table, true) => "__constant ",
        };
        let volatile = if decl.volatile { "volatile " } else { "" };
        let init = match &decl.init {
            Some(init) => format!(" = {}", self.init(init)),
            None => String::new(),
        };
        // Bytes that are looked at as words must lie as words do.
        let wide = decl.storage == Storage::Shared && matches!(decl.ty, Ty::Array(..));
        let align = match (wide, opencl) {
            (true, false) => "__align__(16) ",
            (true, true) => "__attribute__((aligned(16))) ",
            (false, _) => "",
        };
        // A table inside a function has no `__device__`.
        format!("{storage}{align}{volatile}{}{init}", self.declared(&decl.ty, &decl.name))
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Expr(expr) => self.expr(expr, 2),
            Init::List(parts) => {
                let parts: Vec<_> = parts.iter().map(|it| self.init(it)).collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt], depth: usize) {
        for stmt in stmts {
            self.stmt(stmt, depth);
        }
    }

    fn braced(&mut self, head: &str, body: &[Stmt], depth: usize) {
        self.line(depth, &format!("{head} {{"));
        self.stmts(body, depth + 1);
        self.line(depth, "}");
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        match stmt {
            Stmt::Decl(decl) => {
                let text = self.decl_text(decl).replace("__device__ static", "static");
                self.line(depth, &(text + ";"));
            }
            Stmt::Expr(Expr::Call(name, args)) if name.starts_with("__bar_") => {
                let text = self.assembly(name, args);
                self.line(depth, &text);
            }
            Stmt::Expr(expr) => {
                let text = self.expr(expr, 0) + ";";
                self.line(depth, &text);
            }
            Stmt::If(condition, then, other) => {
                let head = format!("if ({})", self.expr(condition, 0));
                self.braced(&head, then, depth);
                if !other.is_empty() {
                    self.braced("else", other, depth);
                }
            }
            Stmt::For { init, cond, step, body } => {
                let inits: Vec<String> = init
                    .iter()
                    .enumerate()
                    .map(|(index, it)| match it {
                        // All declarators have one type: the first one's text says which.
                        Stmt::Decl(decl) if index > 0 => {
                            let init = decl.init.as_ref().map(|it| self.init(it));
                            format!("{} = {}", decl.name, init.unwrap_or_default())
                        }
                        Stmt::Decl(decl) => self.decl_text(decl),
                        Stmt::Expr(expr) => self.expr(expr, 0),
                        _ => String::new(),
                    })
                    .collect();
                let text =
                    |it: &Option<Expr>| it.as_ref().map_or(String::new(), |e| self.expr(e, 0));
                let head = format!("for ({}; {}; {})", inits.join(", "), text(cond), text(step));
                self.braced(&head, body, depth);
            }
            Stmt::While(condition, body) => {
                let head = format!("while ({})", self.expr(condition, 0));
                self.braced(&head, body, depth);
            }
            Stmt::DoWhile(body, condition) => {
                self.line(depth, "do {");
                self.stmts(body, depth + 1);
                let tail = format!("}} while ({});", self.expr(condition, 0));
                self.line(depth, &tail);
            }
            Stmt::Switch(of, cases) => {
                let head = format!("switch ({}) {{", self.expr(of, 0));
                self.line(depth, &head);
                for case in cases {
                    let label = match &case.label {
                        Some(label) => format!("case {}:", self.expr(label, 2)),
                        None => "default:".to_owned(),
                    };
                    // Braces, so that a label may stand before a declaration.
                    self.braced(&label, &case.body, depth + 1);
                }
                self.line(depth, "}");
            }
            Stmt::Break => self.line(depth, "break;"),
            Stmt::Continue => self.line(depth, "continue;"),
            Stmt::Return(None) => self.line(depth, "return;"),
            Stmt::Return(Some(value)) => {
                let text = format!("return {};", self.expr(value, 0));
                self.line(depth, &text);
            }
            Stmt::Block(body) => self.braced("", body, depth),
        }
    }

    fn assembly(&self, name: &str, args: &[Expr]) -> String {
        let word = if name == "__bar_sync" { "bar.sync" } else { "bar.arrive" };
        let places: Vec<_> = (0..args.len()).map(|it| format!("%{it}")).collect();
        let operands: Vec<_> =
            args.iter().map(|it| format!("\"r\"({})", self.expr(it, 2))).collect();
        let (places, operands) = (places.join(", "), operands.join(", "));
        format!("asm volatile(\"{word} {places};\" :: {operands} : \"memory\");")
    }

    fn expr(&self, expr: &Expr, least: u8) -> String {
        let (text, level) = self.leveled(expr);
        if level < least { format!("({text})") } else { text }
    }

    fn leveled(&self, expr: &Expr) -> (String, u8) {
        match expr {
            Expr::Int(value, ty) => (self.number(*value, *ty), 20),
            Expr::Real(value, is_float) => {
                (format!("{value:?}{}", if *is_float { "f" } else { "" }), 20)
            }
            Expr::Name(name) => (name.clone(), 20),
            Expr::Special { what, dim, wide } => self.special(*what, *dim, *wide),
            Expr::Unary(op, a) => {
                let mark = match op {
                    UnOp::Neg => "-",
                    UnOp::Not => "!",
                    UnOp::BitNot => "~",
                    UnOp::Deref => "*",
                    UnOp::Address => "&",
                };
                let inner = self.expr(a, 15);
                let doubled = inner.starts_with(mark);
                (if doubled { format!("{mark}({inner})") } else { format!("{mark}{inner}") }, 15)
            }
            Expr::Step { prefix, up, of } => {
                let mark = if *up { "++" } else { "--" };
                match prefix {
                    true => (format!("{mark}{}", self.expr(of, 15)), 15),
                    false => (format!("{}{mark}", self.expr(of, 16)), 16),
                }
            }
            Expr::Binary(op, a, b) => {
                let level = op.level();
                let (a, b) = (self.expr(a, level), self.expr(b, level + 1));
                let blank = if *op == BinOp::Comma { "" } else { " " };
                (format!("{a}{blank}{} {b}", op.text()), level)
            }
            Expr::Assign(op, a, b) => {
                let (a, b) = (self.expr(a, 15), self.expr(b, 2));
                (format!("{a} {}= {b}", op.map_or("", BinOp::text)), 2)
            }
            Expr::Select(a, b, c) => {
                let (a, b, c) = (self.expr(a, 4), self.expr(b, 2), self.expr(c, 3));
                (format!("{a} ? {b} : {c}"), 3)
            }
            Expr::Index(a, b) => (format!("{}[{}]", self.expr(a, 16), self.expr(b, 0)), 16),
            Expr::Member(a, field, arrow) => {
                let mark = if *arrow { "->" } else { "." };
                (format!("{}{mark}{field}", self.expr(a, 16)), 16)
            }
            Expr::Cast(ty, a) => (format!("({}){}", self.ty(ty), self.expr(a, 15)), 15),
            Expr::SizeOf(ty) => (format!("sizeof({})", self.ty(ty)), 20),
            Expr::Call(name, args) => {
                let args: Vec<_> = args.iter().map(|it| self.expr(it, 2)).collect();
                (format!("{name}({})", args.join(", ")), 16)
            }
        }
    }

    fn special(&self, what: Special, dim: u8, wide: bool) -> (String, u8) {
        if self.language == Language::Cuda {
            let name = match what {
                Special::Thread => "threadIdx",
                Special::Block => "blockIdx",
                Special::BlockSize => "blockDim",
                Special::GridSize => "gridDim",
                Special::Global | Special::GlobalSize => "no_name_in_cuda",
            };
            return (format!("{name}.{}", ["x", "y", "z"][usize::from(dim.min(2))]), 16);
        }
        let name = match what {
            Special::Thread => "get_local_id",
            Special::Block => "get_group_id",
            Special::BlockSize => "get_local_size",
            Special::GridSize => "get_num_groups",
            Special::Global => "get_global_id",
            Special::GlobalSize => "get_global_size",
        };
        if wide { (format!("{name}({dim})"), 16) } else { (format!("(uint){name}({dim})"), 15) }
    }

    fn number(&self, value: u64, ty: IntTy) -> String {
        if ty == IntTy::BOOL {
            return if value == 0 { "false".to_owned() } else { "true".to_owned() };
        }
        let long = if self.language == Language::Cuda { "ll" } else { "l" };
        let suffix = match (ty.signed, ty.bits == 64) {
            (true, false) => String::new(),
            (false, false) => "u".to_owned(),
            (true, true) => long.to_owned(),
            (false, true) => format!("u{long}"),
        };
        if value > 0xffff { format!("0x{value:x}{suffix}") } else { format!("{value}{suffix}") }
    }
}
