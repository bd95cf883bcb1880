//! From a model of a query to a run: launch, threads, arguments, memory.

use std::collections::BTreeMap;

use heddle_diagnostics::{Binding, Dim3, Iteration, Reach, Stored, ThreadId, Witness};
use heddle_ir::{
    Address, Expr, ExprId, ExprKind, Initial, Kernel, LoopId, ObjectId, ObjectKind, ParamKind,
    Special, symbol_of_address,
};
use heddle_solver::Model;

use super::arrays::Kept;
use super::instance::{FrameId, Instance, evaluate};
use super::pointees::{name_behind, tables};
use crate::facts::launch::GlobalOffset;
use crate::facts::thread::Thread;

/// Bytes of dynamic shared memory of a run whose launch does not say: the most any block can have
/// by default.
const DYNAMIC_SHARED: u32 = 48 << 10;

/// A run of a kernel, as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// What OpenCL adds to global ids.
    pub global_offset: [u32; 3],
    /// The two threads: block index and thread index.
    pub threads: [([u32; 3], [u32; 3]); 2],
    /// Values of the parameters that are numbers, by index; `None` for pointers.
    pub args: Vec<Option<u128>>,
    /// What memory holds at the start, where the program does not say it: object, byte offset,
    /// bits, value.
    pub memory: Vec<Held>,
    /// What a reader must know of it, where a replay needed something else.
    pub told: Option<Told>,
    /// What arrays keep at the start.
    pub arrays: Vec<Kept>,
    /// Bytes of dynamic shared memory, where the kernel looks at it.
    pub dynamic_shared: Option<u64>,
    /// Parameters that the model speaks of.
    pub named_args: Vec<u32>,
    /// Where functions are that the kernel takes the address of, by what stands for it.
    pub functions: BTreeMap<String, u64>,
    /// What points to one of them instead of to a buffer.
    pub called: Vec<(ObjectId, u64)>,
}

/// A place, its bits, what it holds.
pub(crate) type Held = (ObjectId, u64, u8, u128);

/// What a reader must know of memory.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// Each place.
    pub(crate) all: Vec<Held>,
    /// How many of them, at the front, the two threads read.
    pub(crate) own: usize,
}

impl Run {
    /// The run of a model.
    pub(crate) fn of(instance: &mut Instance<'_>, model: &Model) -> Run {
        let kernel = instance.analysis.kernel;
        let launch = instance.analysis.launch;
        let size = |instance: &mut Instance<'_>, special, known: Option<u32>| match known {
            Some(size) => size,
            None => {
                let id = instance.pool.special(special);
                (evaluate(instance, model, id) as u32).max(1)
            }
        };
        let block =
            [0u8, 1, 2].map(|d| size(instance, Special::Ntid(d), launch.block[d as usize].known()));
        let mut grid = [0u8, 1, 2]
            .map(|d| size(instance, Special::Nctaid(d), launch.grid[d as usize].known()));
        let global_offset = match launch.global_offset {
            GlobalOffset::Given(offset) => offset,
            GlobalOffset::Unsaid | GlobalOffset::Any => [0u8, 1, 2].map(|d| {
                let id = instance.pool.special(Special::GlobalOffset(d));
                evaluate(instance, model, id) as u32
            }),
        };
        let threads = [Thread::One, Thread::Two].map(|thread| {
            let ctaid = [0u8, 1, 2].map(|d| {
                let id = instance.ctaid(thread, d);
                evaluate(instance, model, id) as u32
            });
            let tid = [0u8, 1, 2].map(|d| {
                let id = instance.tid(thread, d);
                evaluate(instance, model, id) as u32
            });
            (ctaid, tid)
        });
        for (ctaid, _) in threads {
            for d in 0..3 {
                grid[d] = grid[d].max(ctaid[d] + 1);
            }
        }
        let mut args = vec![None; kernel.params.len()];
        let mut named_args = Vec::new();
        for (id, expr) in kernel.exprs.iter() {
            if let ExprKind::Param(index) = expr.kind {
                let value = match launch.arg(index) {
                    Some(value) => value,
                    None => evaluate(instance, model, id),
                };
                args[index as usize] = Some(value);
                named_args.push(index);
            }
        }
        for (index, param) in kernel.params.iter().enumerate() {
            match param.kind {
                ParamKind::Scalar { .. } | ParamKind::Field { .. } => {
                    args[index].get_or_insert(launch.arg(index as u32).unwrap_or(0));
                }
                ParamKind::Pointer(_) => {}
            }
        }
        let reads = instance.reads().to_vec();
        let memory = reads
            .into_iter()
            .filter(|read| is_open(kernel, read.object))
            .map(|read| {
                let width = instance.pool.width(read.value);
                let offset = evaluate(instance, model, read.offset) as u64;
                (read.object, offset, width, evaluate(instance, model, read.value))
            })
            .collect();
        named_args.sort_unstable();
        named_args.dedup();
        let arrays = instance.arrays().to_vec();
        let arrays = arrays.into_iter().map(|it| Kept::of(instance, model, it)).collect();
        let (functions, called) = functions(instance, model);
        let dynamic_shared = Some(u64::from(DYNAMIC_SHARED));
        Run {
            grid,
            block,
            global_offset,
            threads,
            args,
            memory,
            told: None,
            arrays,
            dynamic_shared,
            named_args,
            functions,
            called,
        }
    }

    /// What memory holds at the start, as far as the facts of the model rest on it.
    fn rests_on(&self, instance: &Instance<'_>) -> Vec<Binding> {
        let kernel = instance.analysis.kernel;
        let matter = instance.initial_that_matter();
        let tables = tables(kernel);
        let mut held: Vec<Binding> = Vec::new();
        let reads = instance.reads().iter().filter(|read| is_open(kernel, read.object));
        let of_model: Vec<_> = reads
            .zip(&self.memory)
            .filter(|(read, _)| matter.contains(&read.value))
            .map(|(_, held)| held)
            .collect();
        // Where nothing rests on memory, what a replay had there is no matter.
        let of_replay = self.told.as_ref().filter(|_| !of_model.is_empty());
        let all = of_replay.map_or(of_model, |it| it.all[..it.own].iter().collect());
        for &(object, offset, width, value) in all {
            let name = format!("{}{}", kernel[object].name, kernel[object].shape.path(offset));
            let is_pointer = width == 64 && tables.contains(&object);
            if !is_pointer && !held.iter().any(|it| it.name == name) {
                held.push(match self.function_at(value).filter(|_| width == 64) {
                    Some(function) => Binding::new(name, function),
                    None => Binding::new(name, heddle_ir::sign_extend(value, width)),
                });
            }
        }
        held
    }

    /// The symbol of the function at an address, if it is one only.
    fn function_at(&self, address: u128) -> Option<&str> {
        let mut at = self.functions.iter().filter(|it| u128::from(*it.1) == address);
        let (name, _) = at.next().filter(|_| at.next().is_none())?;
        symbol_of_address(name)
    }

    /// The run, for people.
    pub(crate) fn witness(&self, instance: &Instance<'_>) -> Witness {
        let kernel = instance.analysis.kernel;
        let dim = |it: [u32; 3]| Dim3::new(it[0], it[1], it[2]);
        let arguments: Vec<_> = self
            .named_args
            .iter()
            .filter_map(|index| {
                let param = &kernel.params[*index as usize];
                let width = match param.kind {
                    ParamKind::Scalar { width } | ParamKind::Field { width, .. } => width,
                    ParamKind::Pointer(_) => return None,
                };
                let value = self.args[*index as usize]?;
                Some(Binding::new(&param.name, param.written(value, width)))
            })
            .collect();
        let stored = |&(object, offset, bits, value): &Held| Stored {
            object: kernel[object].name.clone(),
            offset,
            bits,
            value,
        };
        let memory = self.told.as_ref().map_or(&self.memory, |it| &it.all);
        let memory = memory.iter().map(stored).collect();
        let offsets = self.global_offset.iter().enumerate().filter(|(_, it)| **it != 0);
        let offsets = offsets.map(|(d, it)| Binding::new(format!("get_global_offset({d})"), it));
        let called = self.called.iter().filter_map(|&(object, address)| {
            let function = self.function_at(u128::from(address))?;
            Some(Binding::new(&kernel[object].name, function))
        });
        let arguments: Vec<_> = offsets.chain(arguments).chain(called).collect();
        Witness {
            grid: dim(self.grid),
            block: dim(self.block),
            threads: self
                .threads
                .map(|(block, thread)| ThreadId { block: dim(block), thread: dim(thread) }),
            arguments,
            memory,
            rests_on: self.rests_on(instance),
            bytes: None,
            iterations: Vec::new(),
            interval: None,
            reach: match instance.analysis.launch.closed {
                true => Reach::Always,
                false => Reach::Open,
            },
        }
    }
}

/// Where functions are in a model, and the pointer arguments that lead to one.
fn functions(
    instance: &Instance<'_>,
    model: &Model,
) -> (BTreeMap<String, u64>, Vec<(ObjectId, u64)>) {
    let pool = &instance.analysis.kernel.exprs;
    let address = |id: ExprId| evaluate(instance, model, id) as u64;
    let function = |(id, it): (ExprId, &Expr)| {
        let ExprKind::Pure(function, _) = it.kind else { return None };
        pool.as_function_address(id)?;
        Some((pool.function_name(function).to_owned(), address(id)))
    };
    let functions: BTreeMap<String, u64> = pool.iter().filter_map(function).collect();
    let base = |(id, it): (ExprId, &Expr)| {
        let ExprKind::Base(object) = it.kind else { return None };
        Some((object, address(id)))
    };
    let is_function = |address: u64| functions.values().any(|it| *it == address);
    let called = pool.iter().filter_map(base).filter(|it| is_function(it.1)).collect();
    (functions, called)
}

/// Whether a run may choose what an object holds at the start.
fn is_open(kernel: &Kernel, object: ObjectId) -> bool {
    match kernel[object].initial {
        Initial::Any | Initial::Host(_) | Initial::Argument(_) => true,
        Initial::Fixed(_) | Initial::First(_) => false,
    }
}

/// The loops around two operations, with the iterations of the model.
pub(crate) fn iterations(
    instance: &Instance<'_>,
    model: &Model,
    chains: [&[LoopId]; 2],
    frames: [FrameId; 2],
) -> Vec<Iteration> {
    let kernel = instance.analysis.kernel;
    loops_of_both(chains)
        .into_iter()
        .map(|of| Iteration {
            name: name_of_loop(kernel, of),
            of: [0, 1].map(|side| {
                let k = chains[side].contains(&of).then(|| instance.iteration(frames[side], of))?;
                Some(evaluate(instance, model, k?) as u64)
            }),
        })
        .collect()
}

/// The loops around either of two operations: the first's, then those that only the second is in.
pub(crate) fn loops_of_both(chains: [&[LoopId]; 2]) -> Vec<LoopId> {
    let mut loops: Vec<LoopId> = chains[0].to_vec();
    loops.extend(chains[1].iter().filter(|it| !chains[0].contains(it)));
    loops
}

fn name_of_loop(kernel: &heddle_ir::Kernel, of: LoopId) -> String {
    match kernel[kernel[of].origin].span {
        Some(span) => format!("the loop at line {}", span.line),
        None => {
            let counter = kernel[of].vars.iter().find_map(|var| kernel[*var].name.clone());
            counter.map_or_else(|| format!("{of}"), |name| format!("the loop over `{name}`"))
        }
    }
}

/// The bytes of an access, as the source names them: `s[6]`.
pub(crate) fn name_of_bytes(kernel: &heddle_ir::Kernel, address: &Address, offset: u64) -> String {
    let object = &kernel[address.object];
    if let ObjectKind::Pointee(table) = object.kind {
        return name_behind(kernel, table, offset);
    }
    format!("{}{}", object.name, object.shape.path(offset))
}
