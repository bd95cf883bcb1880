//! Kernels as MLIR: a dialect, and kernels in it.
//!
//! The dialect is data, in MLIR's own language for dialects (IRDL): [`dialect()`] writes it from
//! the names that the IR has, `mlir-opt --irdl-file=heddle.irdl` loads it, and MLIR's parser and
//! verifier then take what [`print_mlir`] writes. Values are MLIR's: an expression is an operation
//! without effects, a loop variable an argument of the loop's region, the value that an expression
//! had in the last iteration a result of the loop. Each operation has its predicate as its first
//! operand. Locations are those of the source, with what was inlined where.
//!
//! **Promises**: nothing is left out but numbers, and what nothing refers to: [`parse_mlir`] reads
//! the kernel back that [`renumber`](crate::renumber()) gives, from what is written here and from
//! what MLIR prints of it. **Does not**: read other dialects; check that a kernel keeps the rules
//! of the IR ([`verify`](crate::verify()) does).

mod dialect;
mod exprs;
mod kernel;
mod lex;
mod operands;
mod ops;
mod places;
mod read;
mod read_op;
mod tree;
mod writer;

pub use dialect::dialect;
pub use kernel::print_mlir;
pub use read::parse_mlir;
