// What a compilation asks of the file system, written down.
//
// A `Recorder` stands between clang and the files. It notes each name that clang opens, looks up or
// lists, found or not, so that whoever keeps answers can ask the same again. Files in memory are
// part of the program and are not noted.
//
// Misses: what clang reads past its file system layer (plugins, module caches) and the clock.
// `heddle::pastTheFiles` and `heddle::Clock` find these, and the record says that it does not cover
// the compilation. Options of LLVM itself (`-mllvm`) are not applied to a compilation here.

#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Token.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <string>
#include <vector>

namespace heddle {

/// How a name was asked for, and what was there: bits, and their letters in the record.
enum Asked : unsigned {
  Opened = 1,     // R
  IsFile = 2,     // F
  IsFolder = 4,   // D
  IsAbsent = 8,   // M
  Listed = 16,    // L
};

class Recorder : public llvm::vfs::ProxyFileSystem {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> memory;
  std::map<std::string, unsigned> names;
  std::string past;

  void note(const llvm::Twine &path, unsigned how);

public:
  Recorder(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> all, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> memory)
      : ProxyFileSystem(std::move(all)), memory(std::move(memory)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  bool exists(const llvm::Twine &path) override { return bool(status(path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &folder, std::error_code &error) override;

  /// The compilation depends on more than files; `what` says on what. The first one is kept.
  void notCovered(llvm::StringRef what) {
    if (past.empty())
      past = what.str();
  }

  /// Whether a file is part of the program.
  bool isInMemory(llvm::StringRef path) { return memory->exists(path); }

  /// All that was noted: a letter and a name each, ended by a NUL byte.
  void write(std::string &out) const;
};

/// What the arguments make clang read past its file system layer; empty if nothing.
llvm::StringRef pastTheFiles(const clang::CompilerInvocation &invocation);

/// Refuses to embed files that are in none of these folders, links followed: their bytes would be
/// numbers of the program, which messages show. The error is fatal, so that none follows it.
struct Embeds : clang::PPCallbacks {
  Embeds(clang::DiagnosticsEngine &diagnostics, Recorder &recorder, std::vector<std::string> folders)
      : diagnostics(diagnostics), recorder(recorder), folders(std::move(folders)) {}
  void EmbedDirective(clang::SourceLocation at, llvm::StringRef name, bool angled, clang::OptionalFileEntryRef file,
                      const clang::LexEmbedParametersResult &parameters) override;
  clang::DiagnosticsEngine &diagnostics;
  Recorder &recorder;
  std::vector<std::string> folders;
};

/// Notices a source that asks for the time.
struct Clock : clang::PPCallbacks {
  explicit Clock(Recorder &recorder) : recorder(recorder) {}
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override;
  Recorder &recorder;
};

} // namespace heddle
