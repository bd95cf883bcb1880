// What a source names where its compilation for the device does not see how it is used.
//
// Two kinds of text are read by nobody there: that which the preprocessor skips, where the host's
// compilation may read it (`#ifndef __CUDA_ARCH__`), and bodies of functions that are left out
// (`bodies.h`), with all that only they would instantiate. Whoever concludes something from what is
// not in a file asks here first: a kernel that is named there may be launched in any way, and a
// variable of the device be set.
//
// Names are identifiers, without scopes: what has the name of something else counts for both.
//
// **Does not**: read files that only skipped text includes (then `everything` is said, if the device's
// architecture decides about it), or follow conditions that other macros make of `__CUDA_ARCH__`.

#pragma once

#include "clang/Basic/SourceLocation.h"
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class IdentifierInfo;
class Preprocessor;
} // namespace clang

namespace heddle {

class Unseen {
public:
  /// Notes what the preprocessor skips from now on; with `tokens`, also all that it reads of the
  /// program's own files.
  void watch(clang::Preprocessor &lexer, bool tokens);

  /// A name that is used there, outside of templates, was looked at, or declares something.
  void lookedAt(clang::SourceLocation at) { known.insert(at.getRawEncoding()); }

  /// Sorts what was noted. To be called when all is parsed.
  void finish();

  /// Whether something of this name may be used where nobody sees how, as far as that decides about
  /// launches: in what was left out, and where the architecture of the device makes the difference.
  bool mayBeUsed(const std::string &name) const { return everything || used.count(name) != 0; }
  /// Whether that is so of nothing.
  bool isAllSeen() const { return !everything && used.empty(); }
  /// The same of variables: in any skipped text, as conditions cannot be told to be those of the
  /// host's compilation, too.
  bool mayBeSet(const std::string &name) const {
    return everything || used.count(name) != 0 || skipped.count(name) != 0;
  }
  /// All names of the first kind.
  const std::set<std::string> &names() const { return used; }

private:
  friend class Skips;
  clang::Preprocessor *lexer = nullptr;
  std::vector<std::pair<unsigned, const clang::IdentifierInfo *>> read;
  std::set<unsigned> known;
  std::set<std::string> used, skipped;
  bool everything = false;
};

} // namespace heddle
