//! Why values are unknown, and why a run stops short.

use std::fmt;

use heddle_ir::{ExprId, Kernel, LoopId, ObjectId, OpId, Space, Special};
use rustc_hash::FxHashMap;

use crate::words;

/// Why a value is not known: where the unknown came in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Unknown {
    /// A parameter whose value was not given.
    Param(u32),
    /// A size or id the launch does not fix.
    Special(Special),
    /// The numeric address of an object.
    Base(ObjectId),
    /// What an object holds at the start.
    Contents(ObjectId),
    /// An undefined value of the program.
    Undef(u32),
    /// A result that has no meaning: arithmetic that the compiler marked as not wrapping wraps
    /// around, or a division by zero.
    Undefined(ExprId),
    /// A pure function that is not computed here, or not for these operands.
    Pure(String),
    /// The result of an operation that is not computed, or not for these operands; or what it may
    /// have written.
    Op(OpId),
    /// The result of an operation that the thread did not execute.
    NotExecuted(OpId),
    /// What a loop leaves behind for threads that did not enter it.
    NotEntered(LoopId),
    /// A symbol of an analysis.
    Symbol,
}

impl Unknown {
    /// In words.
    pub fn describe(&self, kernel: &Kernel) -> String {
        match self {
            Unknown::Param(index) => match kernel.params.get(*index as usize) {
                Some(param) => format!("the value of parameter `{}`", param.name),
                None => format!("the value of parameter {index}"),
            },
            Unknown::Special(special) => format!("{special:?}, which the launch does not fix"),
            Unknown::Base(object) => format!("the address of `{}`", kernel[*object].name),
            Unknown::Contents(object) => {
                let object = &kernel[*object];
                match object.space {
                    Space::Shared | Space::Local => {
                        format!("what `{}` holds before anything is written to it", object.name)
                    }
                    Space::Global | Space::Constant | Space::Generic => {
                        format!("what `{}` holds at the start", object.name)
                    }
                }
            }
            Unknown::Undef(_) => "an undefined value".to_owned(),
            Unknown::Undefined(_) => {
                "a number that has no meaning, after an overflow or a division by zero".to_owned()
            }
            Unknown::Pure(name) => {
                format!("{}, which is not computed", words::of_function(name))
            }
            Unknown::Op(op) => words::of_op(kernel, *op),
            Unknown::NotExecuted(op) => {
                format!("{}, which the thread did not execute", words::of_op(kernel, *op))
            }
            Unknown::NotEntered(of) => {
                let of = words::of_loop(kernel, *of);
                format!("a value of {of}, which the thread did not enter")
            }
            Unknown::Symbol => "a symbol of an analysis".to_owned(),
        }
    }

    /// The flag that would make it known, where one would.
    pub fn flag(&self, kernel: &Kernel) -> Option<String> {
        match self {
            Unknown::Param(index) => {
                let name = &kernel.params.get(*index as usize)?.name;
                Some(format!("--arg {name}=…"))
            }
            Unknown::Special(Special::Ntid(_)) => Some("--block …".to_owned()),
            Unknown::Special(Special::Nctaid(_) | Special::Ctaid(_)) => Some("--grid …".to_owned()),
            Unknown::Special(
                Special::Tid(_)
                | Special::GlobalOffset(_)
                | Special::LaneId
                | Special::WarpId
                | Special::ClusterCtaRank
                | Special::ClusterNctaRank
                | Special::DynamicSharedSize,
            )
            | Unknown::Base(_)
            | Unknown::Contents(_)
            | Unknown::Undef(_)
            | Unknown::Undefined(_)
            | Unknown::Pure(_)
            | Unknown::Op(_)
            | Unknown::NotExecuted(_)
            | Unknown::NotEntered(_)
            | Unknown::Symbol => None,
        }
    }
}

/// The number of an [`Unknown`] in a run; zero is no unknown at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Cause(pub(crate) u32);

impl Cause {
    pub(crate) const KNOWN: Cause = Cause(0);

    pub(crate) fn is_known(self) -> bool {
        self == Cause::KNOWN
    }

    /// This one, or the other where this is none.
    pub(crate) fn or(self, other: Cause) -> Cause {
        if self.is_known() { other } else { self }
    }
}

/// The causes of a session, each once.
#[derive(Debug, Default)]
pub(crate) struct Causes {
    list: Vec<Unknown>,
    index: FxHashMap<Unknown, Cause>,
}

impl Causes {
    pub(crate) fn of(&mut self, unknown: Unknown) -> Cause {
        if let Some(cause) = self.index.get(&unknown) {
            return *cause;
        }
        self.list.push(unknown.clone());
        let cause = Cause(self.list.len() as u32);
        self.index.insert(unknown, cause);
        cause
    }

    pub(crate) fn get(&self, cause: Cause) -> Unknown {
        self.list[cause.0 as usize - 1].clone()
    }
}

/// Why a run stopped short. Nothing may be concluded from what it did not get to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A value that decides where the run goes is not known.
    Unknown {
        /// What needed it.
        used_by: Use,
        /// The thread, by its number in the block.
        thread: u32,
        /// Where the unknown came in.
        origin: Unknown,
        /// The flag that would make it known.
        flag: Option<String>,
    },
    /// An operation that is not executed here.
    Unsupported {
        /// Which.
        op: OpId,
        /// Why.
        why: String,
    },
    /// The launch breaks what the program was allowed to assume: it is undefined.
    AssumptionFailed {
        /// Which assumption.
        op: OpId,
        /// The thread, by its number in the block.
        thread: u32,
    },
    /// The program failed an assertion or trapped; the launch ends there.
    Trapped {
        /// Where.
        op: OpId,
        /// The thread, by its number in the block.
        thread: u32,
    },
    /// The steps it was given are spent.
    Budget,
    /// The launch cannot be.
    Launch(crate::launch::LaunchError),
}

/// What needed a value to be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// The predicate of an operation.
    Predicate(OpId),
    /// The offset of an access.
    Address(OpId),
    /// The size of an access.
    Size(OpId),
    /// An operand of a barrier.
    Barrier(OpId),
    /// Who enters a loop.
    Entry(LoopId),
    /// Who goes on in a loop.
    Continuation(LoopId),
}

impl Stop {
    /// In words.
    pub fn describe(&self, kernel: &Kernel) -> String {
        match self {
            Stop::Unknown { used_by, thread, origin, flag } => {
                let what = match used_by {
                    Use::Predicate(op) => format!("whether {} happens", words::of_op(kernel, *op)),
                    Use::Address(op) => format!("the address of {}", words::of_op(kernel, *op)),
                    Use::Size(op) => format!("the size of {}", words::of_op(kernel, *op)),
                    Use::Barrier(op) => format!("an operand of {}", words::of_op(kernel, *op)),
                    Use::Entry(of) => format!("who enters {}", words::of_loop(kernel, *of)),
                    Use::Continuation(of) => {
                        format!("who stays in {}", words::of_loop(kernel, *of))
                    }
                };
                let origin = origin.describe(kernel);
                let help = flag.as_ref().map_or(String::new(), |flag| format!("; give `{flag}`"));
                format!("{what} depends on {origin} (thread {thread}){help}")
            }
            Stop::Unsupported { op, why } => {
                format!("{} is not run: {why}", words::of_op(kernel, *op))
            }
            Stop::AssumptionFailed { op, thread } => {
                let op = words::of_op(kernel, *op);
                format!("thread {thread} breaks {op}, which the program relies on")
            }
            Stop::Trapped { op, thread } => {
                format!("thread {thread} fails at {}", words::of_op(kernel, *op))
            }
            Stop::Budget => "the steps it was given are spent".to_owned(),
            Stop::Launch(error) => error.to_string(),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Unknown { origin, .. } => write!(f, "unknown: {origin:?}"),
            Stop::Unsupported { op, why } => write!(f, "{op} is not executed: {why}"),
            Stop::AssumptionFailed { op, thread } => write!(f, "thread {thread} breaks {op}"),
            Stop::Trapped { op, thread } => write!(f, "thread {thread} fails at {op}"),
            Stop::Budget => f.write_str("out of steps"),
            Stop::Launch(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Stop {}
