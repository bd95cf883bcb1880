// What a CUDA source says of its kernels: which there are, which is started where, with what sizes,
// as far as the text says.

#pragma once

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

/// What a source says of its kernels.
struct Source {
  Launches launches;
  std::vector<Kernel> kernels;
};

/// Reads all that is parsed from now on. Headers of the system are left out. What is `named` is also
/// used where nobody sees how.
std::unique_ptr<clang::ASTConsumer> sourceReader(Source &source, const std::set<std::string> &named);

} // namespace heddle
