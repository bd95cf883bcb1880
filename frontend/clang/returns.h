// Which returns of a kernel are written as `return`.
//
// `if (c) return; rest` and `if (!c) { rest }` are one control flow, but only in the first do threads
// return early; in the second they pass `rest` by and come to the end like all others. What the
// source has is kept as a value: whether the thread has come to a `return`, which the kernel hands to
// `llvm.fake.use` where it ends (`frontend/llvm/src/written_returns.rs` reads it).
//
// **Method**: before clang makes code of a kernel, a mark is put before each `return` of its syntax
// tree, and at its start. In the code, before any pass, a mark becomes a store to a variable of one
// bit, and the end of the kernel loads it. So it does not matter what clang makes of returns, scopes
// and lives of variables, nor what passes do to branches.
// **Promises**: only kernels whose syntax tree was marked tell their returns. A `return` that is a
// kernel's last statement is its end. A `return` of a lambda or of another function is none.

#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
} // namespace clang
namespace llvm {
class Module;
} // namespace llvm

namespace heddle {

/// Marks the syntax trees of kernels. It has to see them before the consumer that makes code of them.
std::unique_ptr<clang::ASTConsumer> returnMarker();

/// Turns marks into values.
void tellReturns(llvm::Module &module);

} // namespace heddle
