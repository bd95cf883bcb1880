// Which returns of a kernel are written as `return`.
//
// `if (c) return; rest` and `if (!c) { rest }` are one control flow, but only in the first do threads
// return early; in the second they pass `rest` by and come to the end like all others. What the
// source has is kept as metadata of the instructions by which a `return` leaves
// (`frontend/llvm/src/written_returns.rs` reads it).
//
// **Method**: the places of the source's `return`s, as debug info names them, against those of the
// branches and returns of a kernel's code, before any pass. Where variables end their lives on the
// way, clang stores to a slot where to go on after that; switches that look there are marked, too.
// **Promises**: only kernels whose text was read are marked at all. A `return` that is a kernel's last
// statement is its end.
// **Does not**: tell statements of one macro apart, which have one place.

#pragma once

#include <set>
#include <string>
#include <tuple>

namespace llvm {
class Function;
} // namespace llvm

namespace heddle {

/// A file's name without its folders, a line and a column.
using Spot = std::tuple<std::string, unsigned, unsigned>;

/// The places of a source's `return`s.
struct Returns {
  std::set<Spot> early;
  /// Those that are the last statements of functions.
  std::set<Spot> last;
};

/// Marks the written returns of a kernel. Where control never comes to the end of its text, each way
/// out is one.
void markReturns(llvm::Function &kernel, const Returns &returns, bool endsAfterItsText);

} // namespace heddle
