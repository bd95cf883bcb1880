//! Reads kernels in the dialect: as [`print_mlir`](super::print_mlir()) writes them, or as MLIR
//! prints them after it parsed that, with or without its locations.
//!
//! **Promises**: of what `print_mlir` wrote comes the kernel that it was given, up to the numbers
//! that [`renumber`](crate::renumber()) gives. Any text at all gives kernels or an error with line
//! and column. **Does not** check meaning ([`verify`](crate::verify()) does), nor that the types of
//! operands are those of values: MLIR's verifier does.

use rustc_hash::FxHashMap;

use super::operands::{Given, Value, list_of, number_of, text_of, truth_of};
use super::places::Places;
use super::read_op::op_kind;
use super::tree::{Attribute, Block, Operation, Place, tree};
use super::writer::{NAMES, VARIABLES};
use crate::builder::KernelBuilder;
use crate::entity::{ExprId, LoopId, VarId};
use crate::expr::{BinOp, CastOp, CmpOp, ExprKind, NoWrap, UnOp, mask};
use crate::kernel::{Family, Kernel, LaunchBounds, Param, ParamKind, SeenLaunch, Sign, Target};
use crate::object::{Object, Space};
use crate::text::{
    ParseError, initial_from_text, kind_from_text, shape_from_text, special_from_name,
};

/// The kernels of a text, in order.
///
/// # Errors
/// The text is not MLIR's generic form, or is not of the dialect.
pub fn parse_mlir(text: &str) -> Result<Vec<Kernel>, ParseError> {
    let text = tree(text)?;
    let mut kernels = Vec::new();
    let mut open: Vec<&Operation> = text.operations.iter().rev().collect();
    while let Some(operation) = open.pop() {
        match &*operation.name {
            "builtin.module" => {
                open.extend(operation.regions.iter().flat_map(|it| &it.operations).rev());
            }
            "heddle.kernel" => kernels.push(kernel(operation, &text.places)?),
            _ => return Err(operation.expected("a `heddle.kernel`")),
        }
    }
    Ok(kernels)
}

struct Reader<'t> {
    builder: KernelBuilder,
    /// What the open regions define, outermost first.
    scopes: Vec<FxHashMap<&'t str, Value>>,
    /// Bits of what is unwrapped in the open regions.
    unwrapped: Vec<FxHashMap<&'t str, u8>>,
    places: Places<'t>,
}

fn kernel(operation: &Operation, places: &FxHashMap<String, Place>) -> Result<Kernel, ParseError> {
    let given = Given::new(operation, Vec::new());
    let target = Target {
        family: given.word("family", Family::from_name)?,
        sm: given.number("sm")?,
        warp_size: given.number("warp_size")?,
        opencl: given.truth("opencl")?,
        flushes: given.truth("flushes")?,
    };
    let mut builder = KernelBuilder::new(given.text("sym_name")?, target);
    let kernel = builder.kernel_mut();
    kernel.display_name = given.text("display_name")?.to_owned();
    kernel.fetches = given.truth("fetches")?;
    kernel.callees_assumed = given.truth("callees_assumed")?;
    kernel.shared_aligned = given.truth("shared_aligned")?;
    kernel.returns_written = given.truth("returns_written")?;
    kernel.launch = launch(&given)?;
    let file = |it: &Attribute| text_of(it).map(str::to_owned);
    let files: Option<Vec<String>> = given.list("files")?.iter().map(file).collect();
    kernel.files = files.ok_or_else(|| given.expected("names of files as `files`"))?;
    let [body] = &operation.regions[..] else { return Err(operation.expected("one region")) };
    let mut reader =
        Reader { builder, scopes: Vec::new(), unwrapped: Vec::new(), places: Places::new(places) };
    reader.open(body);
    match reader.region(body)? {
        None => Ok(reader.builder.finish()),
        Some(next) => Err(next.operation.expected("an operation that is not for loops")),
    }
}

/// The end of an iteration.
struct Next<'t> {
    operation: &'t Operation,
    values: Vec<ExprId>,
}

impl<'t> Reader<'t> {
    fn open(&mut self, block: &'t Block) {
        let unwrapped = block.operations.iter().filter(|it| it.name == "heddle.unwrap");
        let unwrapped = unwrapped.filter_map(|it| {
            let (_, r#type) = it.results.first()?;
            Some((it.operands.first()?.as_str(), width_of(r#type)?))
        });
        self.unwrapped.push(unwrapped.collect());
        self.scopes.push(FxHashMap::default());
    }

    fn close(&mut self) {
        self.unwrapped.pop();
        self.scopes.pop();
    }

    fn region(&mut self, block: &'t Block) -> Result<Option<Next<'t>>, ParseError> {
        let mut next = None;
        for operation in &block.operations {
            if operation.name == "llvm.return" {
                continue;
            }
            if next.is_some() {
                return Err(operation.expected("nothing after `heddle.next`"));
            }
            next = self.operation(operation)?;
        }
        Ok(next)
    }

    fn operation(&mut self, operation: &'t Operation) -> Result<Option<Next<'t>>, ParseError> {
        let Some(name) = operation.name.strip_prefix("heddle.") else {
            return Err(operation.expected("an operation of the dialect `heddle`"));
        };
        let mut values = Vec::new();
        for it in &operation.operands {
            let value = self.scopes.iter().rev().find_map(|scope| scope.get(it.as_str()));
            let what = || operation.expected(format!("a value `%{it}` that is defined before"));
            values.push(*value.ok_or_else(what)?);
        }
        if let ("wrap" | "unwrap", [value]) = (name, &values[..]) {
            return self.define(operation, vec![*value]).map(|()| None);
        }
        let mut given = Given::new(operation, values);
        match name {
            "declare" => self.declare(&given)?,
            "param" => self.param(&mut given)?,
            "loop" => self.loop_(&mut given)?,
            "next" => return Ok(Some(Next { operation, values: given.rest()? })),
            _ => match self.pure(name, &mut given)? {
                Some((kind, width)) => {
                    let id = self.builder.exprs().intern(kind, width);
                    self.define(operation, vec![Value::Expr(id)])?;
                    self.name(&given, NAMES, &[id])?;
                }
                None => self.op(name, &mut given)?,
            },
        }
        given.end()?;
        Ok(None)
    }

    fn define(&mut self, operation: &'t Operation, values: Vec<Value>) -> Result<(), ParseError> {
        if values.len() != operation.results.len() {
            return Err(operation.expected(format!("{} results", values.len())));
        }
        if let Some(scope) = self.scopes.last_mut() {
            let names = operation.results.iter().map(|(name, _)| name.as_str());
            scope.extend(names.zip(values));
        }
        Ok(())
    }

    /// Gives values the names that the source has for them.
    fn name(&mut self, given: &Given<'_>, list: &str, of: &[ExprId]) -> Result<(), ParseError> {
        if !given.operation.attributes.contains_key(list) {
            return Ok(());
        }
        for (name, id) in given.list(list)?.iter().zip(of) {
            let name = text_of(name).ok_or_else(|| given.expected(format!("names as `{list}`")))?;
            if !name.is_empty() {
                self.builder.kernel_mut().names.insert(*id, name.to_owned());
            }
        }
        Ok(())
    }

    /// Bits of each value that an operation gives; of wrapped ones, where they are unwrapped.
    fn widths(&self, operation: &Operation) -> Result<Vec<u8>, ParseError> {
        let width = |(name, r#type): &(String, String)| {
            let inner = || self.unwrapped.last().and_then(|it| it.get(name.as_str())).copied();
            width_of(r#type)
                .or_else(inner)
                .ok_or_else(|| operation.expected(format!("an unwrapped number as `%{name}`")))
        };
        operation.results.iter().map(width).collect()
    }

    fn width(&self, given: &Given<'_>) -> Result<u8, ParseError> {
        match self.widths(given.operation)?[..] {
            [width] => Ok(width),
            _ => Err(given.expected("one result")),
        }
    }

    fn declare(&mut self, given: &Given<'t>) -> Result<(), ParseError> {
        let inside = |what: &str, error: ParseError| {
            given.expected(format!("{} in `{what}` instead of {}", error.expected, error.found))
        };
        let size = match given.text("size")? {
            "unknown" => None,
            digits => Some(digits.parse().map_err(|_| given.expected("bytes as `size`"))?),
        };
        let object = Object {
            name: given.text("name")?.to_owned(),
            space: given.word("space", Space::from_name)?,
            kind: kind_from_text(given.text("kind")?).map_err(|it| inside("kind", it))?,
            size,
            shape: shape_from_text(given.text("shape")?).map_err(|it| inside("shape", it))?,
            read_only: given.truth("read_only")?,
            initial: initial_from_text(given.text("initial")?)
                .map_err(|it| inside("initial", it))?,
        };
        let id = self.builder.object(object);
        self.define(given.operation, vec![Value::Object(id)])
    }

    fn param(&mut self, given: &mut Given<'t>) -> Result<(), ParseError> {
        let mut words: Vec<&str> = given.text("kind")?.split(' ').collect();
        let sign = words.last().and_then(|it| Sign::from_name(it));
        words.truncate(words.len() - usize::from(sign.is_some()));
        let kind = match words[..] {
            ["scalar"] => ParamKind::Scalar { width: self.width(given)? },
            ["pointer"] => ParamKind::Pointer(given.object()?),
            ["field", of, offset] => match (of.parse(), offset.parse()) {
                (Ok(of), Ok(offset)) => ParamKind::Field { of, offset, width: self.width(given)? },
                _ => return Err(given.expected("`field POSITION OFFSET`")),
            },
            _ => return Err(given.expected("`scalar`, `pointer` or `field` as `kind`")),
        };
        let index = given.number("index")?;
        let name = given.text("name")?.to_owned();
        if self.builder.param(Param { name, kind, sign }) != index {
            return Err(given.expected("parameters in order"));
        }
        for width in self.widths(given.operation)? {
            let id = self.builder.exprs().intern(ExprKind::Param(index), width);
            self.define(given.operation, vec![Value::Expr(id)])?;
            self.name(given, NAMES, &[id])?;
        }
        Ok(())
    }

    fn loop_(&mut self, given: &mut Given<'t>) -> Result<(), ParseError> {
        let [body] = &given.operation.regions[..] else {
            return Err(given.expected("one region"));
        };
        let origin = self.places.origin(&mut self.builder, &given.operation.place);
        let pred = given.expr()?;
        let id = self.builder.begin_loop(pred, origin);
        self.open(body);
        let mut vars: Vec<(VarId, ExprId)> = Vec::new();
        for argument in &body.arguments {
            let init = given.expr()?;
            if width_of(&argument.r#type) != Some(self.builder.exprs().width(init)) {
                return Err(given.expected("first values of the types of variables"));
            }
            let name = match self.places.resolved(&argument.place) {
                Place::Name(name) => Some(name.clone()),
                Place::Unknown
                | Place::Line { .. }
                | Place::Call { .. }
                | Place::Fused { .. }
                | Place::Alias(_) => None,
            };
            let (var, value) = self.builder.loop_var(id, init, name);
            vars.push((var, value));
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(&argument.name, Value::Expr(value));
            }
        }
        let values: Vec<ExprId> = vars.iter().map(|(_, value)| *value).collect();
        self.name(given, VARIABLES, &values)?;
        let next = self.region(body)?.ok_or_else(|| given.expected("`heddle.next` at its end"))?;
        self.close();
        let [cont, ref nexts @ ..] = next.values[..] else {
            return Err(next.operation.expected("who goes on"));
        };
        let results = given.operation.results.len();
        if nexts.len() != vars.len() + results {
            let what = format!("{} operands", 1 + vars.len() + results);
            return Err(next.operation.expected(what));
        }
        let (nexts, exits) = nexts.split_at(vars.len());
        for ((var, _), next) in vars.iter().zip(nexts) {
            self.builder.set_next(*var, *next);
        }
        self.builder.end_loop(cont);
        self.exits(given, id, exits)
    }

    /// What is read after a loop.
    fn exits(&mut self, given: &Given<'t>, of: LoopId, exits: &[ExprId]) -> Result<(), ParseError> {
        let mut found = Vec::new();
        for inner in exits {
            let width = self.builder.exprs().width(*inner);
            found.push(self.builder.exprs().intern(ExprKind::Exit(of, *inner), width));
        }
        self.define(given.operation, found.iter().map(|it| Value::Expr(*it)).collect())?;
        self.name(given, NAMES, &found)
    }

    fn op(&mut self, name: &str, given: &mut Given<'t>) -> Result<(), ParseError> {
        let pred = given.expr()?;
        let kind = op_kind(name, given)?;
        let widths = self.widths(given.operation)?;
        let origin = self.places.origin(&mut self.builder, &given.operation.place);
        let op = self.builder.op(pred, kind, &widths, origin);
        let results: Vec<ExprId> =
            (0..widths.len() as u32).map(|n| self.builder.result(op, n)).collect();
        self.define(given.operation, results.iter().map(|it| Value::Expr(*it)).collect())?;
        self.name(given, NAMES, &results)
    }

    /// An expression and its width, or nothing where the operation is none.
    fn pure(
        &mut self,
        name: &str,
        given: &mut Given<'t>,
    ) -> Result<Option<(ExprKind, u8)>, ParseError> {
        let is_pure = [
            "const", "special", "base", "undef", "unary", "binary", "cmp", "select", "cast", "pure",
        ];
        if !is_pure.contains(&name) {
            return Ok(None);
        }
        let width = self.width(given)?;
        let kind = match name {
            "const" => ExprKind::Const(mask(given.bits("of")?, width)),
            "special" => ExprKind::Special(given.word("name", special_from_name)?),
            "base" => ExprKind::Base(given.object()?),
            "undef" => ExprKind::Undef(given.number("number")?),
            "unary" => ExprKind::Unary(given.word("op", UnOp::from_name)?, given.expr()?),
            "binary" => {
                let flags = NoWrap { signed: given.truth("nsw")?, unsigned: given.truth("nuw")? };
                let op = given.word("op", BinOp::from_name)?;
                ExprKind::Binary(op, flags, given.expr()?, given.expr()?)
            }
            "cmp" => {
                ExprKind::Cmp(given.word("op", CmpOp::from_name)?, given.expr()?, given.expr()?)
            }
            "select" => ExprKind::Select(given.expr()?, given.expr()?, given.expr()?),
            "cast" => ExprKind::Cast(given.word("op", CastOp::from_name)?, given.expr()?),
            _ => {
                let function = self.builder.exprs().function(given.text("name")?);
                ExprKind::Pure(function, given.rest()?.into())
            }
        };
        Ok(Some((kind, width)))
    }
}

/// `i32`, or another width from 1 to 128.
fn width_of(r#type: &str) -> Option<u8> {
    let width: u8 = r#type.strip_prefix('i')?.parse().ok()?;
    (1..=128).contains(&width).then_some(width)
}

/// What the program says of its launch.
fn launch(given: &Given<'_>) -> Result<LaunchBounds, ParseError> {
    let mut bounds = LaunchBounds::default();
    for (name, value) in given.dictionary("launch")? {
        let wrong = || given.expected(format!("another `{name}` in `launch`"));
        match name.as_str() {
            "block" => bounds.required_block = Some(sizes(value).ok_or_else(wrong)?),
            "cluster" => bounds.cluster = Some(sizes(value).ok_or_else(wrong)?),
            "stated_grid" => bounds.stated_grid = Some(sizes(value).ok_or_else(wrong)?),
            "stated_block" => bounds.stated_block = Some(sizes(value).ok_or_else(wrong)?),
            "max_threads" => bounds.max_threads = Some(number_of(value).ok_or_else(wrong)?),
            "uneven_blocks" => bounds.uneven_blocks = truth_of(value).ok_or_else(wrong)?,
            "launches" => {
                let all = list_of(value).ok_or_else(wrong)?.iter().map(seen).collect();
                bounds.launches = Option::ok_or_else(all, wrong)?;
            }
            "assumptions" => {
                let all = list_of(value).ok_or_else(wrong)?.iter();
                let all = all.map(|it| text_of(it).map(str::to_owned)).collect();
                bounds.assumptions = Option::ok_or_else(all, wrong)?;
            }
            _ => return Err(given.expected(format!("no `{name}` in `launch`"))),
        }
    }
    Ok(bounds)
}

fn sizes(value: &Attribute) -> Option<[u32; 3]> {
    let sizes: Option<Vec<u32>> = list_of(value)?.iter().map(number_of).collect();
    sizes?.try_into().ok()
}

/// A launch in the source, whose sizes may be anything.
fn seen(value: &Attribute) -> Option<SeenLaunch> {
    let Attribute::Dictionary(entries) = value else { return None };
    let sizes = |name: &str| -> Option<[Option<u32>; 3]> {
        let size = |it: &Attribute| match text_of(it) {
            Some("any") => Some(None),
            Some(_) => None,
            None => number_of(it).map(Some),
        };
        let sizes: Option<Vec<_>> = list_of(entries.get(name)?)?.iter().map(size).collect();
        sizes?.try_into().ok()
    };
    Some(SeenLaunch { grid: sizes("grid")?, block: sizes("block")? })
}
