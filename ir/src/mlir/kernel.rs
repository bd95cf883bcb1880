//! Kernels: what stands before the tree, and the tree.

use rustc_hash::FxHashSet;

use super::lex::quoted;
use super::places::location;
use super::writer::{NAMES, Named, VARIABLES, Writer};
use crate::entity::{ExprId, LoopId};
use crate::expr::ExprKind;
use crate::kernel::{
    Item, Kernel, LaunchBounds, Loop, Param, ParamKind, Region, SeenLaunch, Target, Var,
};
use crate::object::{Object, ObjectKind};
use crate::text::{initial_text, shape_text};

/// The end of a region: IRDL has no word for operations that end one.
const END: &str = "\"llvm.return\"() : () -> ()";

/// A module of MLIR with these kernels, in the dialect that [`dialect`](super::dialect()) writes.
pub fn print_mlir(kernels: &[Kernel]) -> String {
    let mut out = String::from("module {\n");
    for kernel in kernels {
        let mut writer = Writer::new(kernel);
        writer.indent = 1;
        writer.kernel();
        out.push_str(&writer.out);
    }
    out.push_str("}\n");
    out
}

/// The expressions that what a kernel does is made of.
fn reached(kernel: &Kernel) -> FxHashSet<ExprId> {
    let mut open = Vec::new();
    kernel.ops.values().for_each(|it| it.for_each_expr(|expr| open.push(expr)));
    open.extend(kernel.loops.values().flat_map(|it| [it.pred, it.cont]));
    open.extend(kernel.vars.values().flat_map(|it| [it.init, it.next]));
    let mut seen = FxHashSet::default();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            kernel.exprs.for_each_operand(id, |it| open.push(it));
            if let ExprKind::Exit(_, inner) = kernel.exprs[id].kind {
                open.push(inner);
            }
        }
    }
    seen
}

impl Writer<'_> {
    fn kernel(&mut self) {
        let seen = reached(self.kernel);
        for (id, expr) in self.kernel.exprs.iter().filter(|(id, _)| seen.contains(id)) {
            match expr.kind {
                ExprKind::Var(var) => _ = self.vars.insert(var, id),
                ExprKind::Result(op, index) => {
                    self.results.entry(op).or_default().push((index, id))
                }
                ExprKind::Exit(of, inner) => self.exits.entry(of).or_default().push((id, inner)),
                ExprKind::Const(_)
                | ExprKind::Special(_)
                | ExprKind::Param(_)
                | ExprKind::Base(_)
                | ExprKind::Undef(_)
                | ExprKind::Sym(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cmp(..)
                | ExprKind::Select(..)
                | ExprKind::Cast(..)
                | ExprKind::Pure(..) => {}
            }
        }
        self.line("\"heddle.kernel\"() ({");
        self.open();
        self.declarations(&seen);
        let body = self.kernel.body.clone();
        self.region(&body);
        self.line(END);
        self.close();
        let files: Vec<_> = self.kernel.files.iter().map(|it| quoted(it)).collect();
        let files = format!("[{}]", files.join(", "));
        let Target { family, sm, warp_size, opencl, flushes } = &self.kernel.target;
        let attributes = [
            ("sym_name", quoted(&self.kernel.name)),
            ("display_name", quoted(&self.kernel.display_name)),
            ("family", quoted(family.name())),
            ("sm", format!("{sm} : i32")),
            ("warp_size", format!("{warp_size} : i32")),
            ("opencl", opencl.to_string()),
            ("flushes", flushes.to_string()),
            ("fetches", self.kernel.fetches.to_string()),
            ("callees_assumed", self.kernel.callees_assumed.to_string()),
            ("shared_aligned", self.kernel.shared_aligned.to_string()),
            ("returns_written", self.kernel.returns_written.to_string()),
            ("files", files),
            ("launch", launch(&self.kernel.launch)),
        ];
        let attributes: Vec<_> = attributes.iter().map(|(n, it)| format!("{n} = {it}")).collect();
        self.line(&format!("}}) {{{}}} : () -> ()", attributes.join(", ")));
    }

    /// Objects, then parameters, which may point to them.
    fn declarations(&mut self, seen: &FxHashSet<ExprId>) {
        for (id, object) in &self.kernel.objects {
            let Object { name, space, kind, size, shape, read_only, initial } = object;
            let kind = match kind {
                ObjectKind::Param(index) => format!("param {index}"),
                ObjectKind::ParamField(index, offset) => format!("param_field {index} {offset}"),
                ObjectKind::Pointee(table) => format!("pointee {}", table.as_u32()),
                ObjectKind::Variable => "variable".to_owned(),
                ObjectKind::DynamicShared => "dynamic_shared".to_owned(),
                ObjectKind::Alloca => "alloca".to_owned(),
                ObjectKind::Unknown => "unknown".to_owned(),
            };
            let attributes = [
                ("name", quoted(name)),
                ("space", quoted(space.name())),
                ("kind", quoted(&kind)),
                ("size", quoted(&size.map_or_else(|| "unknown".to_owned(), |it| it.to_string()))),
                ("read_only", read_only.to_string()),
                ("shape", quoted(&shape_text(shape))),
                ("initial", quoted(&initial_text(initial))),
            ];
            let types = ["!heddle.object".to_owned()];
            let made = self.operation("declare", &[], &types, &attributes, None);
            self.objects.extend(made.into_iter().map(|it| (id, it)));
        }
        for (index, Param { name, kind, sign }) in self.kernel.params.iter().enumerate() {
            let (word, width) = match kind {
                ParamKind::Scalar { width } => ("scalar".to_owned(), Some(*width)),
                ParamKind::Pointer(_) => ("pointer".to_owned(), None),
                ParamKind::Field { of, offset, width } => {
                    (format!("field {of} {offset}"), Some(*width))
                }
            };
            let word = match sign {
                Some(sign) => format!("{word} {}", sign.name()),
                None => word,
            };
            let target = match kind {
                ParamKind::Pointer(object) => self.objects.get(object).cloned(),
                ParamKind::Scalar { .. } | ParamKind::Field { .. } => None,
            };
            let is_it = |(id, kind): &(ExprId, &ExprKind)| {
                seen.contains(id) && **kind == ExprKind::Param(index as u32)
            };
            let exprs = self.kernel.exprs.iter().map(|(id, it)| (id, &it.kind));
            let found: Vec<ExprId> = exprs.filter(is_it).map(|(id, _)| id).collect();
            let mut attributes = vec![
                ("index", format!("{index} : i32")),
                ("name", quoted(name)),
                ("kind", quoted(&word)),
            ];
            attributes.extend(self.names(NAMES, &[found.first().copied()]));
            let operands: Vec<Named> = target.into_iter().collect();
            let types: Vec<String> = width.iter().map(|it| format!("i{it}")).collect();
            let made = self.operation("param", &operands, &types, &attributes, None);
            for id in found {
                made.iter().for_each(|it| self.define(id, it.clone()));
            }
        }
    }

    fn region(&mut self, region: &Region) {
        for item in &region.items {
            match *item {
                Item::Op(op) => self.op(op),
                Item::Loop(id) => self.loop_(id),
            }
        }
    }

    fn loop_(&mut self, id: LoopId) {
        let Loop { pred, vars, body, cont, parent: _, origin } = self.kernel[id].clone();
        let pred = self.value(pred);
        let inits: Vec<ExprId> = vars.iter().map(|it| self.kernel[*it].init).collect();
        let inits = self.values(&inits);
        let operands = [vec![pred], self.wrapped(&inits)].concat();
        let exits = self.exits.get(&id).cloned().unwrap_or_default();
        let given: Vec<String> =
            exits.iter().map(|(exit, _)| format!("i{}", self.kernel.exprs.width(*exit))).collect();
        let results = self.results_of(&given);
        let list = |values: &[Named], of: fn(&Named) -> &String| {
            values.iter().map(|it| of(it).as_str()).collect::<Vec<_>>().join(", ")
        };
        let start = match results.is_empty() {
            true => String::new(),
            false => format!("{} = ", list(&results, |it| &it.name)),
        };
        self.line(&format!("{start}\"heddle.loop\"({}) ({{", list(&operands, |it| &it.name)));
        let mut arguments = Vec::new();
        let mut starts = Vec::new();
        for var in &vars {
            let Var { of: _, width, init: _, next: _, name } = &self.kernel[*var];
            let place = name.as_ref().map(|it| format!(" loc({})", quoted(it)));
            let argument = self.fresh(format!("i{width}"));
            starts.push(format!(
                "{}: {}{}",
                argument.name,
                argument.r#type,
                place.unwrap_or_default()
            ));
            arguments.push((self.vars.get(var).copied(), argument));
        }
        if !starts.is_empty() {
            self.line(&format!("^bb0({}):", starts.join(", ")));
        }
        self.open();
        for (expr, argument) in arguments {
            if let Some(expr) = expr {
                self.define(expr, argument);
            }
        }
        self.region(&body);
        let nexts: Vec<ExprId> = vars.iter().map(|it| self.kernel[*it].next).collect();
        let left: Vec<ExprId> = exits.iter().map(|(_, inner)| *inner).collect();
        let values = self.values(&[&[cont][..], &nexts, &left].concat());
        self.operation("next", &values, &[], &[], None);
        self.line(END);
        self.close();
        let place = location(self.kernel, origin);
        let left: Vec<_> = exits.iter().map(|(exit, _)| Some(*exit)).collect();
        let variables: Vec<_> = vars.iter().map(|it| self.vars.get(it).copied()).collect();
        let names = [self.names(NAMES, &left), self.names(VARIABLES, &variables)];
        let names: Vec<_> =
            names.into_iter().flatten().map(|(name, it)| format!("{name} = {it}")).collect();
        let attributes = match names.is_empty() {
            true => String::new(),
            false => format!(" {{{}}}", names.join(", ")),
        };
        let types = |values: &[Named]| list(values, |it| &it.r#type);
        let types = format!("({}) -> ({})", types(&operands), types(&results));
        self.line(&format!("}}){attributes} : {types}{place}"));
        let results = self.unwrapped(results, &given);
        for ((exit, _), value) in exits.into_iter().zip(results) {
            self.define(exit, value);
        }
    }
}

/// What the program says of its launch, as a dictionary.
fn launch(bounds: &LaunchBounds) -> String {
    let LaunchBounds {
        required_block,
        max_threads,
        cluster,
        stated_grid,
        stated_block,
        launches,
        uneven_blocks,
        assumptions,
    } = bounds;
    let mut parts = Vec::new();
    let sizes = [
        ("block", required_block),
        ("cluster", cluster),
        ("stated_grid", stated_grid),
        ("stated_block", stated_block),
    ];
    for (name, sizes) in sizes {
        if let Some([x, y, z]) = sizes {
            parts.push(format!("{name} = [{x} : i32, {y} : i32, {z} : i32]"));
        }
    }
    parts.extend(max_threads.map(|it| format!("max_threads = {it} : i32")));
    if *uneven_blocks {
        parts.push("uneven_blocks = true".to_owned());
    }
    if !launches.is_empty() {
        let size =
            |it: &Option<u32>| it.map_or_else(|| "\"any\"".to_owned(), |it| format!("{it} : i32"));
        let list = |it: &[Option<u32>; 3]| format!("[{}]", it.each_ref().map(size).join(", "));
        let all = launches.iter().map(|SeenLaunch { grid, block }| {
            format!("{{grid = {}, block = {}}}", list(grid), list(block))
        });
        parts.push(format!("launches = [{}]", all.collect::<Vec<_>>().join(", ")));
    }
    if !assumptions.is_empty() {
        let all: Vec<_> = assumptions.iter().map(|it| quoted(it)).collect();
        parts.push(format!("assumptions = [{}]", all.join(", ")));
    }
    format!("{{{}}}", parts.join(", "))
}
