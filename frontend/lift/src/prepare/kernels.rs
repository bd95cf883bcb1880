//! Finds the kernels of a module and what it says about their launch.
//!
//! A kernel is a definition with calling convention `ptx_kernel` or `spir_kernel`, or one that
//! `nvvm.annotations` calls `kernel` (LLVM 19 and older). Launch bounds come from function
//! attributes (`nvvm.reqntid`, `nvvm.maxntid`, `nvvm.cluster_dim`), from `nvvm.annotations`
//! (`reqntidx`, `maxntidx`, …) and from `!reqd_work_group_size`. What the source says to Heddle
//! (`heddle.h`, and `__cluster_dims__`, which clang drops) is in `llvm.global.annotations`; the
//! launches that its text has, in `heddle.launches`; the grid that MLIR knows, in `heddle.grid`.

use std::collections::BTreeMap;

use heddle_ir::SeenLaunch;

use heddle_llvm::{Function, Metadata, Module, Value, ValueKind};

use crate::symbol::demangled;

/// `llvm/IR/CallingConv.h`: `PTX_Kernel`.
const PTX_KERNEL: u32 = 71;
/// `llvm/IR/CallingConv.h`: `SPIR_KERNEL`.
const SPIR_KERNEL: u32 = 76;

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The mangled name, by which [`Module::function`] finds it.
    pub name: String,
    /// The name as the source has it, with template arguments and without parameters:
    /// `reduce<float>`.
    pub display: String,
    /// The block size that the kernel must be launched with.
    pub required_block: Option<[u32; 3]>,
    /// The most threads per block that it may be launched with.
    pub max_threads: Option<u64>,
    /// The cluster size that it must be launched with, in blocks.
    pub cluster: Option<[u32; 3]>,
    /// The grid that an annotation states.
    pub stated_grid: Option<[u32; 3]>,
    /// The block that an annotation states.
    pub stated_block: Option<[u32; 3]>,
    /// The launches in the source; none where there may be others.
    pub launches: Vec<SeenLaunch>,
    /// The conditions that annotations take for granted.
    pub assumptions: Vec<String>,
}

/// All kernels of a module, in text order.
pub fn find(module: &Module) -> Vec<Kernel> {
    let annotations = Annotations::read(module, None);
    let mut remarks: BTreeMap<String, Vec<Remark<'_>>> = BTreeMap::new();
    for (function, remark) in all_remarks(module) {
        remarks.entry(function).or_default().push(remark);
    }
    let of = |f: Function<'_>| remarks.get(&f.name()).map_or(&[][..], Vec::as_slice);
    module
        .functions()
        .filter(|f| !f.is_declaration() && is_kernel(*f, &annotations))
        .map(|f| describe(module, f, &annotations, of(f)))
        .collect()
}

/// The kernel that a function is, if it is one.
pub fn of(module: &Module, function: Function<'_>) -> Option<Kernel> {
    let name = function.name();
    let annotations = Annotations::read(module, Some(&name));
    if function.is_declaration() || !is_kernel(function, &annotations) {
        return None;
    }
    let own = all_remarks(module).filter(|(of, _)| *of == name).map(|(_, remark)| remark);
    Some(describe(module, function, &annotations, &own.collect::<Vec<_>>()))
}

/// The first kernel of a module, if it has one. Asks nothing that would register a name in the
/// module's context, so that it may be asked of a compiler's own module.
pub fn first(module: &Module) -> Option<Function<'_>> {
    let annotations = Annotations::read(module, None);
    module.functions().find(|f| !f.is_declaration() && is_kernel(*f, &annotations))
}

fn is_kernel(function: Function<'_>, annotations: &Annotations) -> bool {
    [PTX_KERNEL, SPIR_KERNEL].contains(&function.calling_convention())
        || annotations.get(&function.name(), "kernel").is_some_and(|v| v != 0)
}

fn describe(
    module: &Module,
    function: Function<'_>,
    annotations: &Annotations,
    remarks: &[Remark<'_>],
) -> Kernel {
    let name = function.name();
    let required_block = dimensions(function, "nvvm.reqntid")
        .or_else(|| annotations.dimensions(&name, "reqntid"))
        .or_else(|| function.metadata(module, "reqd_work_group_size").and_then(three_numbers));
    let max_threads = dimensions(function, "nvvm.maxntid")
        .or_else(|| annotations.dimensions(&name, "maxntid"))
        .map(|d| d.into_iter().map(u64::from).product());
    let cluster = dimensions(function, "nvvm.cluster_dim")
        .or_else(|| annotations.dimensions(&name, "cluster_dim_"));
    let mut kernel = Kernel {
        display: demangled(&name),
        name,
        required_block,
        max_threads,
        cluster,
        stated_grid: dimensions(function, "heddle.grid"),
        stated_block: None,
        launches: launches(function),
        assumptions: Vec::new(),
    };
    for remark in remarks {
        match remark.word.as_str() {
            "heddle.grid" => kernel.stated_grid = Some(remark.sizes()),
            "heddle.block" => kernel.stated_block = Some(remark.sizes()),
            "heddle.cluster" => kernel.cluster = kernel.cluster.or(Some(remark.sizes())),
            "heddle.assume" => kernel.assumptions.extend(remark.texts()),
            _ => {}
        }
    }
    kernel
}

/// `"nvvm.maxntid"="256,2"`: absent dimensions are 1.
fn dimensions(function: Function<'_>, attribute: &str) -> Option<[u32; 3]> {
    let text = function.attribute(attribute)?.string_value()?;
    let mut dimensions = [1; 3];
    for (i, part) in text.split(',').enumerate() {
        *dimensions.get_mut(i)? = part.trim().parse().ok()?;
    }
    Some(dimensions)
}

/// `"heddle.launches"`: a line per launch, `<grid> <block>`, sizes as in `16,16,1`, `?` for what is
/// no constant. A line that is no launch stands for launches that nobody sees.
fn launches(function: Function<'_>) -> Vec<SeenLaunch> {
    let Some(text) = function.attribute("heddle.launches").and_then(|it| it.string_value()) else {
        return Vec::new();
    };
    let sizes = |text: &str| {
        let sizes: Vec<Option<u32>> = text.split(',').map(|it| it.parse().ok()).collect();
        <[Option<u32>; 3]>::try_from(sizes).ok()
    };
    let launch = |line: &str| {
        let (grid, block) = line.split_once(' ')?;
        Some(SeenLaunch { grid: sizes(grid)?, block: sizes(block)? })
    };
    let mut launches: Vec<SeenLaunch> = Vec::new();
    for line in text.lines() {
        match launch(line) {
            Some(launch) if launches.contains(&launch) => {}
            Some(launch) => launches.push(launch),
            None => return Vec::new(),
        }
    }
    launches
}

fn three_numbers(node: Metadata<'_>) -> Option<[u32; 3]> {
    let mut numbers = [1; 3];
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = u32::try_from(node.operand(i)?.int()?).ok()?;
    }
    Some(numbers)
}

/// One `annotate("word", arguments)` on a function.
struct Remark<'m> {
    word: String,
    arguments: Vec<Value<'m>>,
}

/// All of them, each with the name of its function: the elements of `llvm.global.annotations` are
/// `{ function, word, file, line, arguments }`.
fn all_remarks<'m>(module: &'m Module) -> impl Iterator<Item = (String, Remark<'m>)> {
    let all = module.globals().find(|it| it.name() == "llvm.global.annotations");
    let all = all.and_then(|it| it.initializer());
    let remark = |entry: Value<'m>| {
        let function = named(entry.element(0)?).name();
        let word = held(entry.element(1)?)?.const_string()?;
        let arguments = entry.element(4).and_then(held);
        let arguments = arguments.map(|it| (0..).map_while(|index| it.element(index)).collect());
        Some((function, Remark { word, arguments: arguments.unwrap_or_default() }))
    };
    let entries = all.into_iter().flat_map(|all| (0..).map_while(move |index| all.element(index)));
    entries.filter_map(remark)
}

/// What a pointer names, behind casts between address spaces.
fn named(mut pointer: Value<'_>) -> Value<'_> {
    while pointer.kind() == ValueKind::ConstExpr
        && let Some(inner) = pointer.operand(0)
    {
        pointer = inner;
    }
    pointer
}

/// What the variable that a pointer names holds.
fn held(pointer: Value<'_>) -> Option<Value<'_>> {
    named(pointer).as_global()?.initializer()
}

impl Remark<'_> {
    /// Its arguments as a size. What is no size of 32 bits becomes one that nobody has, and is
    /// refused as such.
    fn sizes(&self) -> [u32; 3] {
        let mut sizes = [1; 3];
        for (size, argument) in sizes.iter_mut().zip(&self.arguments) {
            *size = argument.const_int().map_or(0, |it| u32::try_from(it).unwrap_or(u32::MAX));
        }
        sizes
    }

    fn texts(&self) -> impl Iterator<Item = String> {
        self.arguments.iter().filter_map(|it| held(*it)?.const_string())
    }
}

/// `!nvvm.annotations`: `!{ptr @k, !"kernel", i32 1, !"maxntidx", i32 256}`.
struct Annotations {
    /// By function and key; of several the first counts.
    entries: BTreeMap<(String, String), u64>,
}

impl Annotations {
    /// Of one function, or of all.
    fn read(module: &Module, one: Option<&str>) -> Annotations {
        let mut entries = BTreeMap::new();
        for node in module.named_metadata("nvvm.annotations") {
            let operands = node.operands();
            let Some(function) = operands.first().copied().flatten().and_then(Metadata::value)
            else {
                continue;
            };
            let name = function.name();
            if one.is_some_and(|it| it != name) {
                continue;
            }
            for pair in operands[1..].chunks_exact(2) {
                let key = pair[0].and_then(Metadata::string);
                if let (Some(key), Some(value)) = (key, pair[1].and_then(Metadata::int)) {
                    entries.entry((name.clone(), key)).or_insert(value);
                }
            }
        }
        Annotations { entries }
    }

    fn get(&self, function: &str, key: &str) -> Option<u64> {
        if self.entries.is_empty() {
            return None;
        }
        self.entries.get(&(function.to_owned(), key.to_owned())).copied()
    }

    fn dimensions(&self, function: &str, prefix: &str) -> Option<[u32; 3]> {
        let along = |axis: char| {
            self.get(function, &format!("{prefix}{axis}"))
                .map(|v| u32::try_from(v).unwrap_or(u32::MAX))
        };
        let all = [along('x'), along('y'), along('z')];
        all.iter().any(Option::is_some).then(|| all.map(|d| d.unwrap_or(1)))
    }
}
