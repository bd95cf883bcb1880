// What a source names where its compilation for the device does not see how it is used.
//
// Three kinds of text are read by nobody there: that which the preprocessor skips, where the host's
// compilation may read it (`#ifndef __CUDA_ARCH__`), what macros are given and drop, and bodies of
// functions that are left out (`bodies.h`), with all that only they would instantiate; those of
// templates that nothing instantiates too, where they are read no earlier. Whoever concludes something from what is
// not in a file asks here first: a kernel that is named there may be launched in any way, and a
// variable of the device be set.
//
// Of variables all text that was skipped counts, of launches what the device's architecture decides
// about, which most files have none of.
//
// Names are identifiers, without scopes: what has the name of something else counts for both. A macro
// stands for all that any of its definitions names; one that makes names (`##`) for everything.
//
// **Does not**: read files that only skipped text includes; everything may be named there.

#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class IdentifierInfo;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace heddle {

/// Whether a place is in a header of the system, or in one of those that are built in, under
/// `HEDDLE_HEADERS` (`src/arguments.rs`): not the program's own.
bool isOfSystem(const clang::SourceManager &sources, clang::SourceLocation at);

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
  bool mayBeUsed(const std::string &name) const { return used.has(name); }
  /// Whether that is so of nothing.
  bool isAllSeen() const { return used.isEmpty(); }
  /// Whether a variable of the program's own files may be set where nobody looks.
  bool mayBeSet(const std::string &name) const { return used.has(name) || skipped.has(name); }
  /// The same of a variable of a system header: text of these is looked at for its name.
  bool mayBeSetInSystemHeader(llvm::StringRef name) const {
    return llvm::any_of(skippedOfSystem, [name](llvm::StringRef text) { return text.contains(name); });
  }
  /// All names of the first kind.
  const std::set<std::string> &names() const { return used.names; }

private:
  friend class Skips;
  clang::Preprocessor *lexer = nullptr;
  std::vector<std::pair<unsigned, const clang::IdentifierInfo *>> read;
  std::set<unsigned> known;
  /// Names, or all that there are.
  struct Names {
    std::set<std::string> names;
    bool everything = false;
    bool has(const std::string &name) const { return everything || names.count(name) != 0; }
    bool isEmpty() const { return !everything && names.empty(); }
  };
  /// What the architecture decides about or was left out, and what was skipped at all.
  Names used, skipped;
  std::vector<llvm::StringRef> skippedOfSystem;
};

} // namespace heddle
