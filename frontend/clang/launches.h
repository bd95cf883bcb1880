// What a CUDA source says of its kernels: which there are, which is started where, with what sizes,
// as far as the text says.

#pragma once

#include "unseen.h"

#include "clang/AST/ASTConsumer.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace heddle {

/// By the kernel's name in the module: a line per launch, `<grid> <block>`, where a size is `x,y,z`
/// with `?` for what is not a constant. `?` alone: the kernel is also used where its launches are
/// not seen.
using Launches = std::map<std::string, std::string>;

/// A `__global__` function that has a body in the main file.
struct Kernel {
  /// As a user writes it, without arguments.
  std::string shown;
  /// What the module calls it: for a template, each instance.
  std::vector<std::string> symbols;
};

/// Stands among the names that nobody sees used for a function that is an alias of another one. The brackets keep it apart
/// from names of the source.
constexpr char ALIAS[] = "[[alias]]";

/// What a source says of its kernels.
struct Source {
  Launches launches;
  std::vector<Kernel> kernels;
  /// Variables of the device, by their names in the module, that are local to the file and named
  /// where nobody sees whether the host sets them.
  std::vector<std::string> variables;
  /// Those that the program has to itself, of which this file is all: one that is compiled without
  /// relocatable device code sees no variable of the device that another has.
  std::vector<std::string> own;
  /// All that is named where nobody sees how it is used.
  std::set<std::string> unseen;
};

/// Reads all that is parsed from now on. Headers of the system are left out.
std::unique_ptr<clang::ASTConsumer> sourceReader(Source &source, Unseen &unseen);

} // namespace heddle
