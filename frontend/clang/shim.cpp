// clang as one function: arguments and files in, bitcode or messages out.
//
// Arguments are those of the compiler proper, or those of a command line, which clang's driver then
// translates here.
//
// A crash or a fatal error inside clang comes back as a failure, as it does in clang's own driver:
// the work runs on a thread of its own under a `CrashRecoveryContext`. In a process that compiles
// one source after the other (`heddle_clang_alone`) the thread has a large stack, for clang
// recurses as deep as the source nests, and a second one on which the handlers of signals run when
// the first is full. Threads that clang starts for itself have no second stack. Calls may overlap:
// what is one per process (LLVM's handlers of signals and of fatal errors) is there as long as one
// of them runs, and tells them apart by their threads.

#include "bodies.h"
#include "launches.h"
#include "reads.h"
#include "returns.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <sys/resource.h>
#include <vector>

// Debian builds clang with Polly in it; this pipeline runs no pass, and Polly is a package of its
// own.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder &) {}};
}

namespace {

/// Where the compilation of this thread says things; null on threads that compile nothing.
thread_local llvm::raw_ostream *said = nullptr;

void onFatalError(void *, const char *reason, bool) {
  (said ? *said : llvm::errs()) << "fatal error: " << reason << '\n';
  // Within a recovery context this returns to it.
  llvm::sys::Process::Exit(70);
}

/// Whether no two compilations of this process overlap. Where they do, what a crash leaves behind
/// on a large stack, which is unmapped at once, takes others down.
std::atomic<bool> alone{false};

/// The handlers, while at least one of these lives.
class Handlers {
  static std::mutex lock;
  static unsigned alive;

public:
  Handlers() {
    std::lock_guard<std::mutex> guard(lock);
    if (alive++ == 0) {
      llvm::CrashRecoveryContext::Enable();
      if (alone)
        useSecondStack();
      llvm::install_fatal_error_handler(onFatalError);
    }
  }
  ~Handlers() {
    std::lock_guard<std::mutex> guard(lock);
    if (--alive == 0) {
      llvm::remove_fatal_error_handler();
      llvm::CrashRecoveryContext::Disable();
    }
  }
  Handlers(const Handlers &) = delete;
  /// Makes the handlers of crashes run on the thread's second stack: the first may be full.
  static void useSecondStack() {
    for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) {
      struct sigaction action;
      if (sigaction(signal, nullptr, &action) == 0) {
        action.sa_flags |= SA_ONSTACK;
        sigaction(signal, &action, nullptr);
      }
    }
  }
  Handlers &operator=(const Handlers &) = delete;
};

std::mutex Handlers::lock;
unsigned Handlers::alive = 0;

/// Every file that is read, system headers too.
struct Files : clang::DependencyCollector {
  bool needSystemDependencies() override { return true; }
};

/// Folders; nothing is said of them if there is no list.
using Folders = std::optional<std::vector<std::string>>;

/// Emits the module, and reads what a CUDA source says of its kernels. Bodies of the host may be
/// left out.
struct EmitAndRead : clang::EmitLLVMOnlyAction {
  EmitAndRead(llvm::LLVMContext *context, heddle::Recorder &recorder, const Folders &embeds, heddle::Bodies &bodies,
              const heddle::Errors &errors)
      : EmitLLVMOnlyAction(context), recorder(recorder), embeds(embeds), bodies(bodies), errors(errors) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef file) override {
    instance.getPreprocessor().addPPCallbacks(std::make_unique<heddle::Clock>(recorder));
    if (embeds) {
      std::vector<std::string> folders = *embeds;
      // No project may give clang such a folder.
      for (const std::string &folder : instance.getPreprocessorOpts().EmbedEntries) {
        llvm::SmallString<256> path(folder), real;
        if (!recorder.makeAbsolute(path) && !llvm::sys::fs::real_path(path, real))
          folders.push_back(real.str().str());
      }
      instance.getPreprocessor().addPPCallbacks(
          std::make_unique<heddle::Embeds>(instance.getDiagnostics(), recorder, std::move(folders)));
    }
    std::unique_ptr<clang::ASTConsumer> emitter = EmitLLVMOnlyAction::CreateASTConsumer(instance, file);
    if (!emitter || !instance.getLangOpts().CUDA)
      return emitter;
    // Bodies are skipped, or those of templates read only once they are instantiated.
    bool isPassedOver = !bodies.skipped.empty() || instance.getLangOpts().DelayedTemplateParsing;
    unseen.watch(instance.getPreprocessor(), /*tokens=*/isPassedOver);
    std::vector<std::unique_ptr<clang::ASTConsumer>> all;
    all.push_back(heddle::bodySkipper(bodies, errors, around));
    all.push_back(heddle::sourceReader(source, unseen));
    if (instance.getLangOpts().CUDAIsDevice)
      all.push_back(heddle::returnMarker());
    all.push_back(std::move(emitter));
    return std::make_unique<clang::MultiplexConsumer>(std::move(all));
  }

  heddle::Source source;
  heddle::Unseen unseen;
  /// The functions of the host with errors in them.
  std::vector<heddle::Skipped> around;
  heddle::Recorder &recorder;
  const Folders &embeds;
  heddle::Bodies &bodies;
  const heddle::Errors &errors;
};

/// How often a file is compiled until all bodies that do not compile are known.
constexpr unsigned rounds = 4;

/// The stack of a compilation: what is reserved, and used only where a source nests deeply.
constexpr unsigned aloneStack = 256u << 20, sharedStack = 8u << 20;
/// The stack of the handlers of signals.
constexpr size_t handlerStack = 64 << 10;

/// What clang's driver makes of a command line: the arguments of the one compilation that it asks
/// for.
bool translate(llvm::ArrayRef<const char *> given, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
               llvm::raw_ostream &messages, std::vector<std::string> &proper) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 64> arguments(given);
  if (llvm::Error error = clang::driver::expandResponseFiles(arguments, /*ClangCLMode=*/false, allocator, files.get())) {
    messages << given[0] << ": error: " << llvm::toString(std::move(error)) << '\n';
    return false;
  }
  std::unique_ptr<clang::DiagnosticOptions> options = clang::CreateAndPopulateDiagOpts(arguments);
  clang::TextDiagnosticPrinter printer(messages, *options);
  printer.setPrefix(arguments[0]);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, *options, &printer, /*ShouldOwnClient=*/false);
  clang::driver::Driver driver(arguments[0], llvm::sys::getDefaultTargetTriple(), *diagnostics, "clang LLVM compiler",
                               files);
  std::unique_ptr<clang::driver::Compilation> made(driver.BuildCompilation(arguments));
  if (!made || made->containsError() || diagnostics->hasErrorOccurred())
    return false;
  unsigned compilations = 0;
  for (const clang::driver::Command &job : made->getJobs()) {
    if (llvm::StringRef(job.getCreator().getName()) != "clang")
      continue;
    compilations++;
    proper.assign(job.getArguments().begin(), job.getArguments().end());
  }
  if (compilations != 1)
    messages << arguments[0] << ": error: these arguments ask for " << compilations << " compilations instead of one\n";
  return compilations == 1;
}

/// A kernel of the module. The symbol of one that is local to its file has a suffix where device
/// code is linked later.
llvm::Function *kernelOf(llvm::Module &module, llvm::StringRef symbol) {
  if (llvm::Function *function = module.getFunction(symbol))
    return function;
  for (llvm::Function &function : module) {
    llvm::StringRef rest = function.getName();
    if (rest.consume_front(symbol) && (rest.starts_with("__intern__") || rest.starts_with("__static__")))
      return &function;
  }
  return nullptr;
}

/// Leaves the names of kernels that are in the source and not in the module, as those of templates
/// that nothing instantiates.
void nameMissing(llvm::Module &module, const std::vector<heddle::Kernel> &kernels) {
  auto isThere = [&](const std::string &symbol) {
    const llvm::Function *function = kernelOf(module, symbol);
    return function && !function->isDeclaration();
  };
  for (const heddle::Kernel &kernel : kernels) {
    if (llvm::any_of(kernel.symbols, isThere))
      continue;
    llvm::LLVMContext &context = module.getContext();
    llvm::Metadata *text = llvm::MDString::get(context, kernel.shown);
    module.getOrInsertNamedMetadata("heddle.missing")->addOperand(llvm::MDNode::get(context, text));
  }
}

/// Leaves the names that nobody saw used, of which some are functions that launch kernels by name.
void nameUnseen(llvm::Module &module, const std::set<std::string> &names) {
  llvm::LLVMContext &context = module.getContext();
  for (const std::string &name : names)
    if (llvm::StringRef(name).starts_with("cu") || name == "dlsym" || name == heddle::ALIAS)
      module.getOrInsertNamedMetadata("heddle.unseen")->addOperand(llvm::MDNode::get(context, llvm::MDString::get(context, name)));
}

/// Gives variables that the host may set the linkage of those that clang itself saw used there.
/// Those that are gone, as no kernel uses them, may have led to functions that nothing else names.
void giveToHost(llvm::Module &module, const std::vector<std::string> &variables) {
  for (const std::string &name : variables) {
    llvm::GlobalVariable *variable = module.getGlobalVariable(name, /*AllowInternal=*/true);
    if (!variable)
      module.getOrInsertNamedMetadata("heddle.dropped")
          ->addOperand(llvm::MDNode::get(module.getContext(), llvm::MDString::get(module.getContext(), name)));
    if (!variable || variable->isDeclaration() || !variable->hasLocalLinkage())
      continue;
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->setExternallyInitialized(true);
  }
}

/// Takes variables from the host that it does not set: a program's own, none of those that it may.
void keepFromHost(llvm::Module &module, const std::vector<std::string> &own, const std::vector<std::string> &ofHost) {
  for (const std::string &name : own) {
    llvm::GlobalVariable *variable = module.getGlobalVariable(name);
    bool isSet = std::find(ofHost.begin(), ofHost.end(), name) != ofHost.end();
    if (!variable || isSet || variable->isDeclaration() || !variable->isExternallyInitialized())
      continue;
    variable->setLinkage(llvm::GlobalValue::InternalLinkage);
    variable->setExternallyInitialized(false);
  }
}

/// What a compilation ended with.
enum class Ended { Done, Failed, AgainWithoutBodies };

Ended compileOnce(llvm::ArrayRef<const char *> arguments, llvm::IntrusiveRefCntPtr<heddle::Recorder> recorder,
                  const Folders &embeds, heddle::Bodies &bodies, llvm::raw_ostream &messages, llvm::SmallVectorImpl<char> &bitcode,
                  std::string &read) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = recorder;
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions parsing;
  clang::TextDiagnosticPrinter early(messages, parsing);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, parsing, &early, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, *diagnostics))
    return Ended::Failed;
  // What `-ivfsoverlay` lays over the files stands on those that are recorded.
  files = clang::createVFSFromCompilerInvocation(*invocation, *diagnostics, files);
  if (!files || diagnostics->hasErrorOccurred())
    return Ended::Failed;
  if (llvm::StringRef past = heddle::pastTheFiles(*invocation); !past.empty())
    recorder->notCovered(past);
  if (!bodies.skipped.empty()) {
    invocation->getFrontendOpts().SkipFunctionBodies = true;
    invocation->getDiagnosticOpts().ErrorLimit = 0;
  }
  clang::CompilerInstance instance(invocation);
  instance.setVirtualFileSystem(files);
  clang::TextDiagnosticPrinter printer(messages, instance.getDiagnosticOpts());
  heddle::Errors errors(printer);
  instance.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  instance.setVerboseOutputStream(messages);
  auto collector = std::make_shared<Files>();
  instance.addDependencyCollector(collector);
  llvm::LLVMContext context;
  EmitAndRead action(&context, *recorder, embeds, bodies, errors);
  bool done = instance.ExecuteAction(action) && !instance.getDiagnostics().hasErrorOccurred();
  for (const std::string &file : collector->getDependencies())
    (read += 'S').append(file).push_back('\0');
  if (!done)
    return bodies.learn(errors, action.around) ? Ended::AgainWithoutBodies : Ended::Failed;
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!module)
    return Ended::Failed;
  for (const auto &[kernel, launches] : action.source.launches)
    if (llvm::Function *function = kernelOf(*module, kernel))
      function->addFnAttr("heddle.launches", launches);
  nameMissing(*module, action.source.kernels);
  nameUnseen(*module, action.source.unseen);
  heddle::tellReturns(*module);
  giveToHost(*module, action.source.variables);
  keepFromHost(*module, action.source.own, action.source.variables);
  llvm::raw_svector_ostream out(bitcode);
  llvm::WriteBitcodeToFile(*module, out);
  return Ended::Done;
}

/// Compiles. With `leaveOut`, a function of the host that does not compile is left out (`bodies.h`),
/// with a warning; if there are other errors, the messages are those of the whole file.
bool compile(llvm::ArrayRef<const char *> arguments, llvm::IntrusiveRefCntPtr<heddle::Recorder> recorder, const Folders &embeds, bool leaveOut,
             llvm::raw_ostream &messages, llvm::SmallVectorImpl<char> &bitcode, std::string &read) {
  heddle::Bodies bodies;
  if (!leaveOut)
    return compileOnce(arguments, recorder, embeds, bodies, messages, bitcode, read) == Ended::Done;
  std::string first;
  for (unsigned round = 0; round < rounds; round++) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream.enable_colors(messages.colors_enabled());
    Ended ended = compileOnce(arguments, recorder, embeds, bodies, stream, bitcode, read);
    if (round == 0)
      first = text;
    if (ended == Ended::Done) {
      for (const heddle::Skipped &it : bodies.skipped)
        messages << "warning: `" << it.shown << "` does not compile, so that it, its launches and kernels that only it instantiates are left out: " << it.why
                 << '\n';
      messages << text;
      return true;
    }
    if (ended == Ended::Failed)
      break;
  }
  messages << first;
  return false;
}

} // namespace

extern "C" {

struct HeddleFile {
  const char *path;
  const char *data;
  size_t size;
  /// Not text: need not be followed by a NUL byte, so it is not copied.
  int binary;
};

struct HeddleText {
  char *data;
  size_t size;
};

static HeddleText copied(llvm::StringRef text) {
  char *data = static_cast<char *>(std::malloc(text.size() + 1));
  if (!data)
    return {nullptr, 0};
  std::memcpy(data, text.data(), text.size());
  data[text.size()] = 0;
  return {data, text.size()};
}

/// Compiles; 0 when it succeeds. With `command_line` the arguments are a command line, the
/// program's name first; else those of the compiler proper. With `leave_out` functions of the host
/// that do not compile are left out of a compilation for the device. Relative paths belong to `directory`,
/// to the current one if it is null. Files may be embedded from `embeds` alone, unless it is null. `read` is what was asked of the file system: a letter and a
/// name each, as `reads.h` has them, and `S` for what was read as source. The texts are the
/// caller's to free with `heddle_clang_free`.
int heddle_clang_compile(const char *const *arguments, size_t count, int command_line, int leave_out, const HeddleFile *files, size_t file_count,
                         const char *directory, const char *const *embeds, size_t embed_count, int color,
                         HeddleText *bitcode, HeddleText *messages, HeddleText *read) {
  Folders folders;
  if (embeds)
    folders.emplace(embeds, embeds + embed_count);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (color)
    stream.enable_colors(true);
  llvm::SmallVector<char, 0> code;
  std::string names;
  bool ok = false;

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  // A relative name means the same in memory as on disk.
  llvm::SmallString<128> here;
  if (directory)
    here = directory;
  if (directory || !llvm::sys::fs::current_path(here))
    memory->setCurrentWorkingDirectory(here);
  for (size_t i = 0; i < file_count; i++) {
    llvm::StringRef data(files[i].data, files[i].size);
    memory->addFile(files[i].path, 0,
                    files[i].binary ? llvm::MemoryBuffer::getMemBuffer(data, files[i].path, false)
                                    : llvm::MemoryBuffer::getMemBufferCopy(data, files[i].path));
  }
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all(
      // A file system of its own has a current directory of its own, unlike that of the process.
      directory ? new llvm::vfs::OverlayFileSystem(llvm::vfs::createPhysicalFileSystem().release())
                : new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  all->pushOverlay(memory);
  if (directory && all->setCurrentWorkingDirectory(here))
    stream << "warning: the folder '" << here << "' of this command cannot be entered\n";
  llvm::IntrusiveRefCntPtr<heddle::Recorder> recorder(new heddle::Recorder(all, memory));

  Handlers handlers;
  llvm::CrashRecoveryContext recovery;
  std::vector<char> second(handlerStack);
  bool survived = recovery.RunSafelyOnThread(
      [&] {
        said = &stream;
        if (alone) {
          stack_t handlers = {};
          handlers.ss_sp = second.data();
          handlers.ss_size = second.size();
          sigaltstack(&handlers, nullptr);
        }
        llvm::ArrayRef<const char *> given(arguments, count);
        if (!command_line) {
          ok = compile(given, recorder, folders, leave_out, stream, code, names);
          return;
        }
        std::vector<std::string> proper;
        if (!translate(given, recorder, stream, proper))
          return;
        std::vector<const char *> texts;
        for (const std::string &argument : proper)
          texts.push_back(argument.c_str());
        ok = compile(texts, recorder, folders, leave_out, stream, code, names);
      },
      alone ? aloneStack : sharedStack);
  if (!survived)
    stream << "error: clang crashed on this file\n";
  recorder->write(names);
  *messages = copied(stream.str());
  *read = copied(names);
  *bitcode = copied(llvm::StringRef(code.data(), code.size()));
  return survived && ok ? 0 : 1;
}

void heddle_clang_free(HeddleText text) { std::free(text.data); }

/// Says that from here on no two compilations of this process overlap.
void heddle_clang_alone() { alone = true; }

/// Limits the processor time and the address space of this process, and keeps its crashes from
/// leaving files.
void heddle_clang_limit(uint64_t seconds, uint64_t bytes) {
  // The hard limit is a second later: it kills where the soft one is not heard.
  rlimit time = {seconds, seconds + 1}, memory = {bytes, bytes}, core = {0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &core);
}
}
