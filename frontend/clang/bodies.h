// Which functions of the host a compilation can do without.
//
// A function of the host has no code on the device. Where its body does not compile, as where a
// library that it calls is not at hand, the kernels beside it still can be checked: the file is
// compiled a second time, in which such a body is skipped. In the host's own compilation it is a
// function of which nothing is known but that it is there; one that LLVM may know by its name stays.
//
// What a skipped body alone would have instantiated is not there (`nameMissing` in `shim.cpp` says
// so of kernels), and what it names may be used there in any way (`unseen.h`).
//
// **Does not**: skip a body that is needed for its declaration (`constexpr`, `auto`), one of a header
// of the system, or anything outside functions.

#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
class SourceManager;
} // namespace clang

namespace heddle {

/// A place in the text, macros expanded where they are called.
struct Place {
  std::string file;
  unsigned offset;
  bool operator==(const Place &other) const { return offset == other.offset && file == other.file; }
};

/// A function whose body is left out.
struct Skipped {
  /// Of its name, and the ends of its text in the same file.
  Place name;
  unsigned from, to;
  bool covers(const Place &at) const { return from <= at.offset && at.offset <= to && name.file == at.file; }
  /// As a user writes it.
  std::string shown;
  /// The first error in it, with its line.
  std::string why;
};

/// Passes messages on, and keeps where the errors are.
class Errors : public clang::DiagnosticConsumer {
public:
  explicit Errors(clang::DiagnosticConsumer &to) : to(to) {}
  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *lexer) override;
  void EndSourceFile() override { to.EndSourceFile(); }
  void finish() override { to.finish(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &said) override;

  struct Error {
    Place place;
    std::string text;
  };
  std::vector<Error> all;
  /// An error that is nowhere in the text, or after which nothing is as it was: nothing is left out
  /// for it.
  bool beyond = false;

private:
  clang::DiagnosticConsumer &to;
};

/// The functions that one compilation skips, and what it learns for the next one.
struct Bodies {
  std::vector<Skipped> skipped;

  /// Functions of the host for all errors; false where an error is in none.
  bool learn(const Errors &errors, const std::vector<Skipped> &found);
  bool skips(const Place &name) const;
};

/// Skips the bodies of `bodies`, and finds the functions of the host around `errors`.
std::unique_ptr<clang::ASTConsumer> bodySkipper(const Bodies &bodies, const Errors &errors,
                                                std::vector<Skipped> &found);

} // namespace heddle
