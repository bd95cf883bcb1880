// The launches of a CUDA source: which kernel is started where, with what sizes, as far as the text says.

#pragma once

#include "clang/AST/ASTConsumer.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <string>

namespace heddle {

/// By the kernel's name in the module: a line per launch, `<grid> <block>`, where a size is `x,y,z` with `?`
/// for what is not a constant. `?` alone: the kernel is also used where its launches are not seen.
using Launches = std::map<std::string, std::string>;

/// Reads the launches of all that is parsed from now on. Headers of the system are left out.
std::unique_ptr<clang::ASTConsumer> launchReader(Launches &launches);

} // namespace heddle
