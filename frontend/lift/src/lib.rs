//! Lifts a prepared kernel into the predicated IR.
//!
//! # From blocks to predicates (`cfg`, `predicate`, `region`)
//! The loops of the function become the loops of the kernel. In the body of each, blocks and inner
//! loops are visited in topological order, and each block gets the predicate under which a thread
//! comes to it in an iteration. Predicates are built relative to the immediate dominator: a block
//! that everyone who passed its dominator reaches again has the dominator's own predicate, and at a
//! join the conditions of the edges since the dominator decide, for the block as for its phis. A
//! phi of a loop's header becomes a loop variable. What a loop computes is seen after it as
//! `exit(loop, …)`, the value of the thread's last iteration; a loop with one way out is left by
//! whoever entered it.
//!
//! A return is an operation ([`Ending::Return`](heddle_ir::Ending)): an edge to a block that only
//! returns ends the thread at the source of the edge, inside the loop if that is where it is. Where
//! it is known which returns are written (`frontend/clang/returns.h`) these alone
//! are operations; else the last return of the kernel is left out. `unreachable` ends the thread
//! with a trap.
//!
//! # Values (`value`, `arith`, `pointer`, `roots`, `object`)
//! Numbers become expressions; vectors and aggregates their elements; pointers lists of objects and
//! offsets under guards, which never become expressions unless the program looks at the address. A
//! pointer that a loop carries around becomes a variable for its offset, and one for which object
//! it is in where there are several.
//!
//! # What happens (`memory`, `call`)
//! Loads, stores, atomics, and calls by name: LLVM's and NVVM's intrinsics, OpenCL's and SPIR-V's
//! built-ins, inline PTX.
//!
//! # Promises
//! Nothing is left out: an instruction without a model is an [`Opaque`] operation with its name and
//! what it may touch. [`LiftError`] is for input that [`prepare`](mod@crate::prepare) does not
//! produce. No input makes it panic. The same module gives the same kernel.
//!
//! # What it does not do
//! Optimise, or decide anything: two kernels that differ in form lift to kernels that differ in
//! form.

#![forbid(unsafe_code)]

mod arith;
mod call;
mod carried;
mod cfg;
mod constant;
pub mod contract;
mod distance;
mod element;
mod error;
mod freeze;
mod initial;
mod layout;
pub mod mangled;
mod memory;
mod object;
mod only_read;
mod origin;
mod own_addresses;
mod pointees;
mod pointer;
mod predicate;
pub mod prepare;
mod region;
mod roots;
mod shape;
mod strength;
mod subscript;
pub mod symbol;
mod target;
mod value;
mod vector;

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{
    ExprId, Kernel, KernelBuilder, LoopId, OpId, OpKind, Opaque, OriginId, Space, Touches,
};
use rustc_hash::{FxHashMap, FxHashSet};

use cfg::Forest;
use heddle_llvm::{Block, Function, Inst, Module, Value};
use object::Objects;
use origin::Origins;
use value::Val;

pub use error::{InputError, InputErrorKind};
pub use prepare::{Prepared, Values};
pub use target::Target;

/// Why a function could not be lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiftError {
    /// The function has no body in this module.
    NoBody {
        /// Its symbol.
        function: String,
    },
    /// A block has no terminator.
    NoTerminator {
        /// The function's symbol.
        function: String,
        /// The block's label.
        block: String,
    },
    /// A cycle can be entered at more than one block: the module was not prepared.
    Irreducible {
        /// The function's symbol.
        function: String,
        /// The label of one of the blocks.
        block: String,
    },
}

impl std::fmt::Display for LiftError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LiftError::NoBody { function } => {
                write!(
                    f,
                    "`{function}` is declared but not defined in this module; link the module that has its body"
                )
            }
            LiftError::NoTerminator { function, block } => {
                write!(
                    f,
                    "block `{block}` of `{function}` has no terminator; check the module with `opt -passes=verify`"
                )
            }
            LiftError::Irreducible { function, block } => write!(
                f,
                "`{function}` has a cycle with several entries at block `{block}`; run `opt -passes=fix-irreducible` first"
            ),
        }
    }
}

impl std::error::Error for LiftError {}

/// Lifts one kernel of a prepared module.
///
/// # Errors
/// The function has no body, is malformed, or has irreducible control flow.
pub fn lift(module: &Module, function: Function<'_>) -> Result<Kernel, LiftError> {
    Lifter::new(module, function)?.run()
}

/// The state of one lift.
struct Lifter<'m> {
    module: &'m Module,
    function: Function<'m>,
    /// The kernel so far.
    out: KernelBuilder,
    forest: Forest,
    /// Loads in conditions of contracts, which no program does.
    of_contracts: FxHashSet<Value<'m>>,
    blocks: Vec<Block<'m>>,
    numbers: FxHashMap<Block<'m>, usize>,
    /// Lifted values, each with the loop it was defined in.
    values: FxHashMap<Value<'m>, (Val, Option<usize>)>,
    /// By edge: when a thread takes it, once it is at the node of the present region that the edge
    /// leaves.
    edges: FxHashMap<(usize, usize), ExprId>,
    /// By loop of the forest: the loop it became.
    loop_ids: Vec<Option<LoopId>>,
    op_loops: SecondaryMap<OpId, Option<LoopId>>,
    exits: FxHashMap<(LoopId, ExprId), ExprId>,
    /// Returns at the end of the kernel so far, which are dropped if nothing follows.
    returns: Vec<(ExprId, OriginId)>,
    objects: Objects<'m>,
    origins: Origins<'m>,
    /// By pointer: the space that generic pointers read through it point to.
    spaces: FxHashMap<Value<'m>, Space>,
    /// Pointers of which that is being found out.
    asking: FxHashSet<Value<'m>>,
    rooted: roots::Rooted<'m>,
    /// Whether the kernel stores pointers into its own memory, once that was asked for.
    own_addresses: Option<bool>,
    /// Whether it stores any address, or a number made of one.
    any_addresses: Option<bool>,
    /// Whether something in it goes by the addresses of two objects.
    compares_objects: Option<bool>,
    /// Whether subscripts claim that they stay in their arrays.
    is_of_clang: bool,
    /// Whether names of OpenCL's functions mean these.
    has_builtins: bool,
    /// Subscripts that were claimed, by loop and predicate.
    subscripts: FxHashSet<(Option<usize>, ExprId, ExprId)>,
    /// What is computed now is lifted without what its flags promise.
    without_flags: bool,
    undefs: u32,
    /// Tiles that warps have touched so far.
    turns: u32,
    /// The loop whose body is being lifted.
    here: Option<usize>,
    /// The predicate of the block that is being lifted.
    pred: ExprId,
    /// What is being lifted.
    at: At<'m>,
}

/// What is being lifted. Its origin is asked for only if an operation comes of it: most
/// instructions compute values.
#[derive(Clone, Copy)]
enum At<'m> {
    Inst(Inst<'m>),
    Origin(OriginId),
}

impl<'m> Lifter<'m> {
    /// Appends an operation under the present predicate.
    fn emit(&mut self, kind: OpKind, results: &[u8]) -> OpId {
        self.emit_under(self.pred, kind, results)
    }

    /// The origin of what is being lifted.
    fn origin(&mut self) -> OriginId {
        match self.at {
            At::Inst(inst) => self.origins.of(&mut self.out, inst),
            At::Origin(origin) => origin,
        }
    }

    /// Appends an operation under a predicate of its own.
    fn emit_under(&mut self, pred: ExprId, kind: OpKind, results: &[u8]) -> OpId {
        self.flush_returns();
        let origin = self.origin();
        let op = self.out.op(pred, kind, results, origin);
        self.op_loops[op] = self.out.current_loop();
        op
    }

    /// Appends an operation that nothing here models; its results as values.
    fn opaque(
        &mut self,
        name: &str,
        args: &[ExprId],
        results: &[u8],
        touches: Touches,
        may_synchronize: bool,
    ) -> Vec<ExprId> {
        let kind = OpKind::Opaque(Opaque {
            name: name.to_owned(),
            args: args.iter().copied().collect(),
            touches,
            may_synchronize,
        });
        let op = self.emit(kind, results);
        (0..results.len()).map(|n| self.out.result(op, n as u32)).collect()
    }

    /// What an instruction computes becomes known.
    fn define(&mut self, inst: Inst<'m>, value: Val) {
        self.values.insert(inst.as_value(), (value, self.here));
    }
}

/// May touch all memory that other threads see, and the thread's own where its address is known
/// elsewhere.
fn touches_everything() -> Touches {
    Touches {
        reads_spaces: [Space::Generic].into_iter().collect(),
        writes_spaces: [Space::Generic].into_iter().collect(),
        ..Touches::default()
    }
}
