// `heddle-check`, a pass for `mlir-opt`: the GPU modules of a module, as they are at this place of a
// pipeline, go to `heddle check`, and its findings come back through MLIR's own diagnostics, each at
// the location of the operation that it is about.
//
//   mlir-opt-22 --load-pass-plugin=libheddle-mlir.so
//     --pass-pipeline='builtin.module(heddle-check{grid=1 block=64})' kernel.mlir
//
// Method: the module is printed to a file, and the printer says on which line each operation begins.
// A finding has a line of that file, hence an operation, whatever locations the module has.
//
// Promises: the module is not changed. The pass fails where a finding is an error, and where there
// is no report; what is unknown is a warning. Does not: link MLIR or LLVM (the program that loads it
// has them), or check anything itself.

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace mlir;

namespace {

// A file of this process, removed at the end.
struct Scratch {
  llvm::SmallString<128> path;
  llvm::FileRemover remover;

  std::error_code make(llvm::StringRef suffix) {
    auto error = llvm::sys::fs::createTemporaryFile("heddle", suffix, path);
    if (!error)
      remover.setFile(path);
    return error;
  }
};

// Operations by the line on which they begin; of several, the innermost.
using Lines = std::map<int64_t, Operation *>;

struct HeddleCheck : PassWrapper<HeddleCheck, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HeddleCheck)

  HeddleCheck() = default;
  HeddleCheck(const HeddleCheck &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "heddle-check"; }
  StringRef getDescription() const final { return "Checks GPU kernels with `heddle check`"; }

  Option<std::string> program{*this, "program",
                              llvm::cl::desc("heddle; else HEDDLE names it, else the path has it")};
  Option<std::string> grid{*this, "grid", llvm::cl::desc("blocks of the grid, as X or X,Y,Z")};
  Option<std::string> block{*this, "block", llvm::cl::desc("threads of a block, as X or X,Y,Z")};
  ListOption<std::string> arg{*this, "arg", llvm::cl::desc("values of arguments, as arg0=5")};
  ListOption<std::string> assume{*this, "assume", llvm::cl::desc("conditions on arguments")};
  ListOption<std::string> options{*this, "options", llvm::cl::desc("more words for heddle check")};

  void runOnOperation() final {
    markAllAnalysesPreserved();
    Operation *all = getOperation();
    if (failed(check(all)))
      signalPassFailure();
  }

  LogicalResult check(Operation *all) {
    Scratch input, output, messages;
    if (input.make("mlir") || output.make("json") || messages.make("txt"))
      return all->emitError("heddle-check: no temporary file can be made");
    Lines lines;
    if (failed(print(all, input.path, lines)))
      return all->emitError("heddle-check: the module cannot be written to ") << input.path;
    std::string path = named();
    auto found = llvm::sys::findProgramByName(path);
    if (!found || !llvm::sys::fs::can_execute(*found))
      return all->emitError("heddle-check: `")
             << path << "` is not there; `program=` or HEDDLE names the binary of Heddle";
    std::vector<std::string> words = command(*found, input.path.str().str());
    llvm::SmallVector<llvm::StringRef> arguments(words.begin(), words.end());
    std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), output.path.str(),
                                                  messages.path.str()};
    std::string why;
    llvm::sys::ExecuteAndWait(*found, arguments, std::nullopt, redirects, 0, 0, &why);
    auto text = llvm::MemoryBuffer::getFile(output.path);
    auto report = llvm::json::parse(text ? (*text)->getBuffer() : llvm::StringRef());
    const llvm::json::Object *root = report ? report->getAsObject() : nullptr;
    if (!report || !root || !root->getArray("kernels") || !root->getArray("findings")) {
      if (!report)
        llvm::consumeError(report.takeError());
      auto said = llvm::MemoryBuffer::getFile(messages.path);
      auto first = said ? (*said)->getBuffer().trim() : llvm::StringRef();
      return all->emitError("heddle-check: `heddle` gave no report: ")
             << (first.empty() ? llvm::StringRef(why) : first);
    }
    bool isFine = true;
    auto tell = [&](const llvm::json::Array &findings) {
      for (const auto &it : findings)
        if (const auto *finding = it.getAsObject())
          isFine &= diagnose(*finding, all, lines, input.path);
    };
    tell(*root->getArray("findings"));
    for (const auto &kernel : *root->getArray("kernels"))
      if (const auto *it = kernel.getAsObject())
        if (const auto *findings = it->getArray("findings"))
          tell(*findings);
    return success(isFine);
  }

  // Writes the module, and notes where each operation begins.
  LogicalResult print(Operation *all, llvm::StringRef path, Lines &lines) {
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    if (error)
      return failure();
    AsmState::LocationMap places;
    // Names that the locations have for values are what arguments are called.
    AsmState state(all, OpPrintingFlags().printNameLocAsPrefix(), &places);
    all->print(out, state);
    out << '\n';
    all->walk<WalkOrder::PreOrder>([&](Operation *it) {
      auto place = places.find(it);
      if (place != places.end())
        lines[place->second.first] = it;
    });
    out.flush();
    return failure(out.has_error());
  }

  std::string named() {
    if (!program.empty())
      return program;
    const char *set = std::getenv("HEDDLE");
    return set && *set ? set : "heddle";
  }

  std::vector<std::string> command(llvm::StringRef heddle, std::string input) {
    std::vector<std::string> words = {heddle.str(), "check", "--format", "json"};
    auto add = [&](const char *word, const std::string &value) {
      words.push_back(word);
      words.push_back(value);
    };
    if (!grid.empty())
      add("--grid", grid);
    if (!block.empty())
      add("--block", block);
    for (const auto &it : arg)
      add("--arg", it);
    for (const auto &it : assume)
      add("--assume", it);
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(std::move(input));
    return words;
  }

  // The operation that begins on this line, or on the last one before it that has one.
  static Operation *on(int64_t line, const Lines &lines) {
    auto it = lines.upper_bound(line);
    return it == lines.begin() ? nullptr : std::prev(it)->second;
  }

  static Operation *at(const llvm::json::Object *place, const Lines &lines) {
    auto line = place ? place->getInteger("line") : std::nullopt;
    return line ? on(*line, lines) : nullptr;
  }

  // `PATH: line 3, column 2: message` becomes the message, and the line that it names.
  static llvm::StringRef message(llvm::StringRef text, llvm::StringRef path, int64_t &line) {
    if (!text.consume_front(path) || !text.consume_front(": "))
      return text;
    llvm::StringRef rest = text;
    int64_t column;
    if (rest.consume_front("line ") && !rest.consumeInteger(10, line) &&
        rest.consume_front(", column ") && !rest.consumeInteger(10, column) &&
        rest.consume_front(": "))
      return rest;
    line = 0;
    return text;
  }

  // Whether a finding leaves the pass a success.
  bool diagnose(const llvm::json::Object &finding, Operation *all, const Lines &lines,
                llvm::StringRef path) {
    auto word = [&](const char *name) { return finding.getString(name).value_or(""); };
    int64_t line = 0;
    llvm::StringRef text = message(word("message"), path, line);
    Operation *of = line ? on(line, lines) : at(finding.getObject("place"), lines);
    Location where = of ? of->getLoc() : all->getLoc();
    bool isError = word("severity") == "error";
    auto severity = isError                    ? DiagnosticSeverity::Error
                    : word("severity") == "warning" ? DiagnosticSeverity::Warning
                                               : DiagnosticSeverity::Remark;
    auto &engine = all->getContext()->getDiagEngine();
    InFlightDiagnostic told = engine.emit(where, severity);
    told << text << " [" << word("code") << "]";
    if (const auto *labels = finding.getArray("labels"))
      for (const auto &it : *labels)
        if (const auto *label = it.getAsObject()) {
          Operation *other = at(label->getObject("place"), lines);
          told.attachNote(other ? other->getLoc() : where)
              << "(" << label->getInteger("number").value_or(0) << ") "
              << label->getString("text").value_or("");
        }
    for (const char *list : {"notes", "helps"})
      if (const auto *texts = finding.getArray(list))
        for (const auto &it : *texts)
          told.attachNote(where) << it.getAsString().value_or("");
    return !isError;
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "heddle", "0.1", [] { PassRegistration<HeddleCheck>(); }};
}
