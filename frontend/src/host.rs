//! Reads what the host's part of a CUDA source says of its launches.
//!
//! ```text
//! host module ── inline ──► launches marked (sites) ── registers ──► values (values) and paths
//! (paths)
//! ```
//!
//! **What**: for each launch of a kernel the sizes and the arguments as expressions over unknowns
//! of the host, and what holds of these on every path to it.
//! **Method**: host functions are inlined where all their callers are seen. A launch becomes a call
//! that names its sizes and arguments, so that LLVM can turn the variables of the host into values;
//! it is LLVM's alias analysis that follows memory. What is left is read backwards from that call:
//! arithmetic and comparisons become expressions, all else an unknown. The conditions of branches
//! that dominate the launch hold.
//! **Sound because** an expression stands for the value that the host computes, and an unknown for
//! any value. A condition holds of the values that the launch gets (`paths`).
//! **Misses**: what goes through memory that other functions may write, floats, what joins inside
//! loops, attributes of launches, launches from the device.
//! **Assumes**: the host has no undefined behaviour, and an allocation that failed is not used. A
//! function that another source may call has any arguments, unless the source has `main`: then its
//! functions are called as it calls them, and its variables are set as it sets them if no header
//! names them (`variables`), which an answer says by naming the launch. Addresses that
//! are not followed may be one where the source shows a way (`alike`).
//!
//! **Does not**: know what a kernel does with any of it.

mod alike;
mod allocations;
mod arrays;
mod elsewhere;
mod expressions;
mod inlining;
mod launchers;
mod names;
mod paths;
mod reader;
mod rewritten;
mod rounded;
mod sites;
mod stubs;
mod swapped;
mod values;
mod variables;

use heddle_ir::{ExprId, ExprPool, Kernel, ObjectKind, ParamKind};

use self::inlining::Callers;
use crate::compile::Compiled;
use crate::{Input, Language};
use heddle_lift::{Prepared, Target};
use heddle_llvm::{Module, TypeKind, Value, ValueKind};

/// Launches of one kernel that are told apart.
const MOST_LAUNCHES: usize = 16;

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub struct HostLaunch {
    /// The file that has it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The call that brought it there, outwards: file and line.
    pub calls: Vec<(String, u32)>,
    /// Whether callers that are not followed give the function that has it its arguments.
    pub is_called: bool,
    /// The kernel is one of several that a pointer may lead to there: when it is this one is open.
    pub is_chosen: bool,
    /// By `cudaLaunchCooperativeKernel`: all blocks are on the device at once, or nothing runs.
    pub is_cooperative: bool,
    /// The expressions of what follows. Parameter `n` of it is the n-th of `unknowns`.
    pub pool: ExprPool,
    /// Blocks of the grid, 32 bits each.
    pub grid: [ExprId; 3],
    /// Threads of a block, 32 bits each.
    pub block: [ExprId; 3],
    /// Bytes of dynamic shared memory, 64 bits.
    pub shared: ExprId,
    /// By parameter of the kernel: its value, of the parameter's width, an address of 64 bits for a
    /// pointer. `None` where it was not followed.
    pub args: Vec<Option<ExprId>>,
    /// Addresses and handles that lie in arguments of other kinds, 64 bits, by where they lie.
    pub members: Vec<(Member, ExprId)>,
    /// What holds, one bit each.
    pub facts: Vec<ExprId>,
    /// What the expressions are over.
    pub unknowns: Vec<Unknown>,
    /// The program takes addresses of variables of the device: a pointer may be one of these.
    pub takes_symbols: bool,
    /// There are other launches, of which nothing is said.
    pub is_one_of_many: bool,
}

/// Where an address or a handle lies that is no pointer argument: the position of the argument, and
/// bytes from its start.
pub type Member = (u32, u64);

/// A value that the host has and that is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Bits.
    pub width: u8,
    /// Its name in the program, where it has one.
    pub name: String,
    /// Whether it is a parameter of a function of the host.
    pub is_parameter: bool,
    /// Whether it is an address.
    pub is_address: bool,
    /// Whether the program got it from outside, by a call. Others are values of the program that
    /// were lost: what memory holds, what a loop made of a number.
    pub is_input: bool,
    /// Of which of the others it is computed, in a way that is not followed; `None` for what is not
    /// computed.
    pub computed_of: Option<Vec<u32>>,
    /// The address that an allocation gave. Two of these with different numbers are
    /// of allocations that live at the same time.
    pub allocation: Option<u32>,
    /// The bytes of that allocation: 64 bits, in the launch's expressions.
    pub bytes: Option<ExprId>,
    /// Of an address that the host reads from memory, or of a number as wide: where, in the
    /// launch's expressions.
    pub read_from: Option<ExprId>,
    /// Of such an address: what that memory holds.
    pub held: Held,
    /// Of an address that comes from several ways: what it may be, in the launch's expressions. One
    /// for each way, in an order that is the same for all that join at one place.
    pub may_be: Vec<ExprId>,
    /// The place where these ways join.
    pub joined: Option<u32>,
    /// Groups of addresses of which two may be one: what a call gives its callee twice, and what
    /// one function that is not seen gives twice for one argument.
    pub alike: Vec<u32>,
}

/// The addresses that a function of the host stores to memory that it reads one from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// By each store.
    pub by: Vec<Stored>,
    /// Whether the memory holds nothing else.
    pub is_all: bool,
    /// Whether it is a variable of the function that also something else fills, as a copy of a
    /// structure does: what it holds lies elsewhere, too.
    pub is_copy: bool,
}

impl Held {
    /// Whether it is known what the memory holds.
    pub fn is_known(&self) -> bool {
        self.is_all && !self.by.is_empty()
    }
}

/// A store of an address, in the launch's expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Where.
    pub place: ExprId,
    /// What.
    pub value: ExprId,
    /// Whether it is of an allocation that is made anew each time.
    pub is_new: bool,
    /// Whether it is to one place of a variable, however often it is done.
    pub is_fixed: bool,
}

/// A kernel whose launches are looked for.
#[derive(Debug)]
pub struct Wanted {
    symbol: String,
    /// By argument of its function.
    shapes: Vec<Shape>,
    /// How many parameters it has.
    params: usize,
    /// Addresses and handles in its arguments, each with a number as if it were a parameter, from
    /// that of its parameters on.
    members: Vec<Member>,
    /// Whether it matters how large clusters are, and the code does not say it.
    needs_cluster: bool,
}

impl Wanted {
    /// The bits of each parameter.
    fn widths(&self) -> impl Iterator<Item = (u32, u8)> {
        self.shapes.iter().flat_map(|shape| match shape {
            Shape::Whole(param, width) => vec![(*param, *width)],
            Shape::Parts(parts) => parts.iter().map(|it| (it.0, it.2)).collect(),
        })
    }

    /// The number under which the value of a member is found: its own, or that of the parameter
    /// that it is.
    fn number_of(&self, member: usize) -> u32 {
        let (of, offset) = self.members[member];
        match self.shapes.get(of as usize) {
            Some(Shape::Whole(param, 64)) if offset == 0 => *param,
            Some(Shape::Whole(..) | Shape::Parts(..)) | None => (self.params + member) as u32,
        }
    }
}

/// How the kernel's parameters lie in one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    /// The argument is the parameter: its index, and its width; 64 bits of a pointer, the bits of a
    /// float.
    Whole(u32, u8),
    /// A structure; parameters by their place in it: index, first byte, width.
    Parts(Vec<(u32, u64, u8)>),
}

impl Wanted {
    /// What to look for, for a kernel that was lifted; `None` where its parameters are not told
    /// apart.
    pub fn of(prepared: &Prepared, kernel: &Kernel) -> Option<Wanted> {
        let function = prepared.module.function(&kernel.name)?;
        // The device starts it as well, or may.
        let is_used = |user: Value<'_>| match user.kind() {
            ValueKind::ConstAggregate => {
                let named = |it: Value<'_>| it.as_global().is_some_and(|it| is_llvm(&it.name()));
                !user.users().into_iter().all(named)
            }
            _ => true,
        };
        (!function.users().into_iter().any(is_used)).then_some(())?;
        // Whole parameters stand in the order of the arguments (`lift/object.rs`).
        let mut whole = (0..).zip(&kernel.params).filter_map(|(index, param)| match param.kind {
            ParamKind::Scalar { width } => Some((index, width, false)),
            ParamKind::Pointer(_) => Some((index, 64, true)),
            ParamKind::Field { .. } => None,
        });
        let members = kernel.objects.values().filter_map(|it| match it.kind {
            ObjectKind::ParamField(of, offset) => Some((of, offset)),
            ObjectKind::Param(_)
            | ObjectKind::Pointee(_)
            | ObjectKind::Variable
            | ObjectKind::DynamicShared
            | ObjectKind::Alloca
            | ObjectKind::Unknown => None,
        });
        let members: Vec<Member> = members.collect();
        let mut shapes = Vec::new();
        for argument in function.arguments() {
            shapes.push(match argument.byval_type() {
                Some(_) => Shape::Parts(parts(kernel, &members, argument.index())),
                None => {
                    let (index, width, is_pointer) = whole.next()?;
                    let fits = match argument.ty().kind() {
                        TypeKind::Pointer(_) => is_pointer,
                        TypeKind::Int(bits) | TypeKind::Float(bits) => bits == u32::from(width),
                        TypeKind::BFloat => width == 16,
                        _ => false,
                    };
                    (fits && width <= 64).then_some(())?;
                    Shape::Whole(index, width)
                }
            });
        }
        let rest = whole.next();
        rest.is_none().then_some(())?;
        Some(Wanted {
            symbol: kernel.name.clone(),
            shapes,
            params: kernel.params.len(),
            members,
            needs_cluster: kernel.launch.cluster.is_none() && kernel.goes_by_clusters(),
        })
    }
}

/// A list that LLVM keeps: functions that stay, annotations.
fn is_llvm(name: &str) -> bool {
    name.starts_with("llvm.")
}

/// Whether the text of a source has a launch.
pub fn may_launch(input: &Input) -> bool {
    if input.declared_language() != Some(Language::Cuda) {
        return false;
    }
    let text = input.bytes().unwrap_or_default();
    let has = |part: &[u8]| text.windows(part.len()).any(|it| it == part);
    has(b"<<<") || has(b"cudaLaunch")
}

fn parts(kernel: &Kernel, members: &[Member], argument: u32) -> Vec<(u32, u64, u8)> {
    let part = |(index, param): (u32, &heddle_ir::Param)| match param.kind {
        ParamKind::Field { of, offset, width } => {
            (of == argument && matches!(width, 8 | 16 | 32 | 64)).then_some((index, offset, width))
        }
        ParamKind::Scalar { .. } | ParamKind::Pointer(_) => None,
    };
    let members = (kernel.params.len() as u32..).zip(members);
    let members = members.filter(|(_, (of, _))| *of == argument);
    let parts = (0..).zip(&kernel.params).filter_map(part);
    parts.chain(members.map(|(index, (_, offset))| (index, *offset, 64))).collect()
}

/// What is known of where a kernel is started.
#[derive(Clone, Debug)]
pub enum Launches {
    /// The host was not read, or not understood, or has too many of them: nothing is known but what
    /// the text shows, and that these, which may give two pointers the same memory, are among them.
    Unread(Vec<HostLaunch>),
    /// The host may start it where that is not seen, with other sizes than the text shows; these
    /// are some that may give two pointers the same memory.
    Anywhere(Vec<HostLaunch>),
    /// All of them.
    Seen(Vec<HostLaunch>),
}

/// Stands among the names that nobody sees used for a function that is an alias of another one, as
/// `frontend/clang/launches.h` has it.
const ALIAS: &str = "[[alias]]";

/// Whether a module of the device has what changes the launches of a graph, or starts kernels by
/// name; or its source names that where nobody sees how it is used, or has functions that are
/// aliases, which Clang may leave out with what they stand for.
pub fn changes_launches(device: &Module) -> bool {
    let unseen = device.named_metadata("heddle.unseen");
    let unseen = unseen.into_iter().filter_map(|node| node.operand(0)?.string());
    let declared = device.functions().map(heddle_llvm::Function::name);
    declared.chain(unseen).any(|it| it == ALIAS || elsewhere::starts_elsewhere(&it))
}

/// The launches of each kernel. One that `main` never comes to is launched as other programs may:
/// by callers that are not seen.
pub fn launches(compiled: &Compiled, wanted: &[Wanted]) -> Vec<Launches> {
    if !compiled.left_out.is_empty() {
        return launches_in(compiled, wanted, Callers::LeftOut);
    }
    let mut found = launches_in(compiled, wanted, Callers::Seen);
    let is_dead = |it: &Launches| matches!(it, Launches::Seen(all) if all.is_empty());
    if found.iter().any(is_dead) {
        let others = launches_in(compiled, wanted, Callers::Any);
        for (it, other) in found.iter_mut().zip(others).filter(|(it, _)| is_dead(it)) {
            *it = other;
        }
    }
    found
}

fn launches_in(compiled: &Compiled, wanted: &[Wanted], callers: Callers) -> Vec<Launches> {
    let none = || wanted.iter().map(|_| Launches::Unread(Vec::new())).collect();
    let Ok(mut module) = Module::parse(&compiled.bytes, "host") else { return none() };
    // Sizes of launches are passed in registers by rules of the target (`sites`).
    if !module.triple().starts_with("x86_64") || Target::of_triple(&module.triple()).is_some() {
        return none();
    }
    module.return_where_missing();
    let source = module.source_file_name();
    let files = variables::Files::of(compiled, &source);
    let is_own = |name: &str| files.are_alone_with(name);
    if module.verify().is_err() || inlining::inline(&mut module, callers, &is_own).is_none() {
        return none();
    }
    let Some(sites) = sites::mark(&mut module, wanted) else { return none() };
    if inlining::to_registers(&mut module).is_none() {
        return none();
    }
    let found = values::read(&module, &sites, wanted);
    let known = |(kernel, mut it): (usize, Vec<HostLaunch>)| {
        let is_open = sites.anywhere.contains(&kernel);
        if is_open || sites.unread.contains(&kernel) || it.len() > MOST_LAUNCHES {
            it.retain(alike::gives_twice);
            it.truncate(MOST_LAUNCHES);
            it.iter_mut().for_each(|it| it.is_one_of_many = true);
        } else {
            return Launches::Seen(it);
        }
        if is_open { Launches::Anywhere(it) } else { Launches::Unread(it) }
    };
    found.into_iter().enumerate().map(known).collect()
}
