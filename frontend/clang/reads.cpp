#include "reads.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/FrontendOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

namespace heddle {

void Recorder::note(const llvm::Twine &path, unsigned how) {
  llvm::SmallString<256> name;
  path.toVector(name);
  // An empty name is no file, and one in memory is part of the program.
  if (name.empty() || memory->exists(name) || makeAbsolute(name))
    return;
  unsigned &known = names[name.str().str()];
  known |= how;
  if ((known & IsAbsent) && (known & ~IsAbsent))
    notCovered("a file came or went while it was compiled");
}

llvm::ErrorOr<llvm::vfs::Status> Recorder::status(const llvm::Twine &path) {
  llvm::ErrorOr<llvm::vfs::Status> found = ProxyFileSystem::status(path);
  // That a file is empty is all of its content, and `__has_embed` tells it.
  bool isEmpty = found && found->isRegularFile() && found->getSize() == 0;
  note(path, !found ? IsAbsent : found->isDirectory() ? IsFolder : isEmpty ? Opened : IsFile);
  return found;
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> Recorder::openFileForRead(const llvm::Twine &path) {
  // Opening a pipe waits for its other end, and a device may have no end.
  llvm::ErrorOr<llvm::vfs::Status> found = ProxyFileSystem::status(path);
  if (found && !found->isRegularFile() && !found->isDirectory()) {
    notCovered("a pipe or a device");
    return std::make_error_code(std::errc::permission_denied);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> opened = ProxyFileSystem::openFileForRead(path);
  if (opened)
    note(path, Opened);
  else if (found)
    notCovered("a file that cannot be read");
  else
    note(path, IsAbsent);
  return opened;
}

llvm::vfs::directory_iterator Recorder::dir_begin(const llvm::Twine &folder, std::error_code &error) {
  llvm::vfs::directory_iterator entries = ProxyFileSystem::dir_begin(folder, error);
  note(folder, error ? IsAbsent : Listed);
  return entries;
}

void Recorder::write(std::string &out) const {
  const std::pair<unsigned, char> letters[] = {
      {Opened, 'R'}, {IsFile, 'F'}, {IsFolder, 'D'}, {IsAbsent, 'M'}, {Listed, 'L'}};
  for (const auto &[name, how] : names) {
    for (const auto &[bit, letter] : letters) {
      // What was opened is a file.
      bool said = bit == IsFile && (how & Opened);
      if ((how & bit) && !said)
        (out += letter).append(name).push_back('\0');
    }
  }
  if (!past.empty())
    (out += 'X').append(past).push_back('\0');
}

llvm::StringRef pastTheFiles(const clang::CompilerInvocation &invocation) {
  const clang::FrontendOptions &frontend = invocation.getFrontendOpts();
  if (!frontend.Plugins.empty() || !frontend.AddPluginActions.empty() || !invocation.getCodeGenOpts().PassPlugins.empty())
    return "a plugin of clang";
  if (invocation.getLangOpts().Modules || !frontend.ModuleFiles.empty())
    return "modules of clang";
  return "";
}

void Embeds::EmbedDirective(clang::SourceLocation at, llvm::StringRef name, bool, clang::OptionalFileEntryRef file,
                            const clang::LexEmbedParametersResult &) {
  if (!file || recorder.isInMemory(file->getName()))
    return;
  llvm::SmallString<256> path(file->getName()), real;
  bool known = !recorder.makeAbsolute(path) && !llvm::sys::fs::real_path(path, real);
  auto holds = [&](llvm::StringRef folder) {
    llvm::StringRef rest = real;
    return rest.consume_front(folder) && (folder.ends_with("/") || rest.starts_with("/"));
  };
  if (known && llvm::any_of(folders, holds))
    return;
  unsigned message = diagnostics.getCustomDiagID(
      clang::DiagnosticsEngine::Fatal,
      "'%0' is not embedded: it is not in the project; name its folder on the command line: `-- --embed-dir=<folder>`");
  diagnostics.Report(at, message) << name;
}

void Clock::MacroExpands(const clang::Token &name, const clang::MacroDefinition &macro, clang::SourceRange,
                         const clang::MacroArgs *) {
  const clang::MacroInfo *info = macro.getMacroInfo();
  if (!info || !info->isBuiltinMacro() || !name.getIdentifierInfo())
    return;
  llvm::StringRef called = name.getIdentifierInfo()->getName();
  if (called == "__DATE__" || called == "__TIME__" || called == "__TIMESTAMP__")
    recorder.notCovered("the time of day (`__DATE__`, `__TIME__` or `__TIMESTAMP__`)");
}

} // namespace heddle
