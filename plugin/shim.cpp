// What LLVM's C API lacks: registering passes and options, and handing a located diagnostic to the host.
//
// Everything that decides is in Rust and is called through `Calls`; this file only translates. It links no LLVM: the
// symbols come from the process that loaded the plugin. Built without RTTI and exceptions, as LLVM is.

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

using namespace llvm;

namespace {

using Write = void (*)(void *Sink, const char *Data, size_t Size);

} // namespace

extern "C" {

// The Rust side. Texts are UTF-8 with a length. None of these unwinds.
struct HeddleCalls {
  // Whether a list of parameters makes sense; what is wrong is written to the sink.
  bool (*Accepts)(const char *Data, size_t Size, void *Sink, Write To);
  // An option of the host's command line, as one parameter.
  void (*Given)(const char *Data, size_t Size);
  // Checks a module; before code generation only if that was not done at the start of the pipeline.
  void (*Check)(void *M, const char *Data, size_t Size, bool BeforeCodegen);
  // Instruments a module in place, always or if an option asks for it; says whether it changed.
  bool (*Instrument)(void *M, bool Always);
};

} // extern "C"

namespace {

const HeddleCalls *Calls;

void append(void *Sink, const char *Data, size_t Size) {
  static_cast<std::string *>(Sink)->append(Data, Size);
}

// Empty if the parameters make sense.
std::string wrongWith(StringRef Params) {
  std::string Why;
  if (Calls->Accepts(Params.data(), Params.size(), &Why, append))
    return "";
  return Why.empty() ? "these parameters make no sense" : Why;
}

// Parameters of one `heddle<…>`. LLVM cuts a pipeline at commas, also between `<` and `>`, so the text may come in pieces.
struct Params {
  std::string Text;
  bool Closed = true;

  void add(StringRef Piece) {
    if (!Text.empty() && !Piece.empty())
      Text += ';';
    Text += Piece.str();
  }
};

// What the callbacks of one pass builder share.
struct State {
  // A `heddle<…` whose `>` has not come yet.
  std::shared_ptr<Params> Open;
  // The pipeline names the pass: it is then not run once more by itself.
  bool Named = false;
};

struct HeddlePass : PassInfoMixin<HeddlePass> {
  std::shared_ptr<State> Shared;
  std::shared_ptr<Params> Given; // null where the pass was added by itself

  HeddlePass(std::shared_ptr<State> Shared, std::shared_ptr<Params> Given)
      : Shared(std::move(Shared)), Given(std::move(Given)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!Given && Shared->Named)
      return PreservedAnalyses::all();
    if (Given && !Given->Closed) {
      M.getContext().emitError("heddle<" + Given->Text + ": the closing `>` is missing");
      return PreservedAnalyses::all();
    }
    StringRef Text = Given ? StringRef(Given->Text) : StringRef();
    Calls->Check(&M, Text.data(), Text.size(), false);
    return PreservedAnalyses::all();
  }

  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) {
    OS << "heddle";
    if (Given && !Given->Text.empty())
      OS << '<' << Given->Text << '>';
  }

  // Also for `optnone` functions, and when a bisection skips passes.
  static bool isRequired() { return true; }
};

struct InstrumentPass : PassInfoMixin<InstrumentPass> {
  bool Always; // the pipeline names it

  explicit InstrumentPass(bool Always) : Always(Always) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return Calls->Instrument(&M, Always) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) { OS << (Always ? "heddle-instrument" : "heddle-instrument-if-asked"); }

  static bool isRequired() { return true; }
};

bool parsePass(StringRef Name, ModulePassManager &MPM, const std::shared_ptr<State> &Shared) {
  bool Opens = Name.consume_front("heddle<");
  if (!Opens && Shared->Open) {
    std::shared_ptr<Params> Open = Shared->Open;
    bool Last = Name.consume_back(">");
    Open->add(Name);
    if (Last) {
      Open->Closed = true;
      Shared->Open.reset();
    }
  } else if (Opens || Name == "heddle") {
    auto Given = std::make_shared<Params>();
    Given->Closed = !Opens || Name.consume_back(">");
    Given->add(Opens ? Name : StringRef());
    Shared->Open = Given->Closed ? nullptr : Given;
    Shared->Named = true;
    MPM.addPass(HeddlePass(Shared, Given));
    Name = Given->Text;
  } else if (Name == "heddle-instrument" || Name == "heddle-instrument-if-asked") {
    MPM.addPass(InstrumentPass(Name == "heddle-instrument"));
    return true;
  } else {
    return false;
  }
  std::string Why = wrongWith(Name);
  if (!Why.empty())
    errs() << "heddle: " << Why << '\n';
  return Why.empty();
}

// An option `-heddle-<name>` of the host's command line.
class HostOption final : public cl::Option {
  std::string Name, Help, Takes, Parameter;

  bool handleOccurrence(unsigned, StringRef, StringRef Value) override {
    std::string Item = Parameter;
    if (!Takes.empty())
      Item += "=" + Value.str();
    std::string Why = wrongWith(Item);
    if (!Why.empty())
      return error(Why);
    Calls->Given(Item.data(), Item.size());
    return false;
  }

  size_t getOptionWidth() const override { return Name.size() + Takes.size() + 8; }

  void printOptionInfo(size_t Width) const override {
    outs() << "  --" << Name;
    if (!Takes.empty())
      outs() << "=<" << Takes << '>';
    printHelpStr(Help, Width, getOptionWidth());
  }

  void printOptionValue(size_t, bool) const override {}
  void setDefault() override {}

public:
  HostOption(StringRef Of, StringRef TheHelp, StringRef TheValue)
      : Option(cl::ZeroOrMore, cl::NotHidden), Name("heddle-" + Of.str()), Help(TheHelp.str()),
        Takes(TheValue.str()), Parameter(Of.str()) {
    setArgStr(Name);
    setDescription(Help);
    setValueStr(Takes);
    setValueExpectedFlag(Takes.empty() ? cl::ValueDisallowed : cl::ValueRequired);
    addArgument();
  }
};

// Any other option that begins with `-heddle-`. Without it the host takes a misspelt one for `-h`: it prints its help
// and ends well, with nothing compiled.
class OtherOption final : public cl::Option {
  bool handleOccurrence(unsigned, StringRef, StringRef Value) override {
    std::string Why = wrongWith(Value);
    if (!Why.empty())
      return error(Why);
    Calls->Given(Value.data(), Value.size());
    return false;
  }
  size_t getOptionWidth() const override { return 0; }
  void printOptionInfo(size_t) const override {}
  void printOptionValue(size_t, bool) const override {}
  void setDefault() override {}

public:
  OtherOption() : Option(cl::ZeroOrMore, cl::ReallyHidden) {
    setArgStr("heddle-");
    setFormattingFlag(cl::Prefix);
    setValueExpectedFlag(cl::ValueRequired);
    addArgument();
  }
};

} // namespace

extern "C" {

// Whether another copy of the plugin has registered its options in this process.
bool heddle_shim_is_taken(const char *Name, size_t Size) {
  return cl::getRegisteredOptions().count(StringRef(Name, Size)) != 0;
}

void heddle_shim_start(const HeddleCalls *With) {
  Calls = With;
  // The host's command line keeps a pointer to it until the process ends.
  new OtherOption();
}

void heddle_shim_option(const char *Name, size_t NameSize, const char *Help, size_t HelpSize,
                        const char *Takes, size_t TakesSize) {
  // The host's command line keeps a pointer to it until the process ends.
  new HostOption(StringRef(Name, NameSize), StringRef(Help, HelpSize), StringRef(Takes, TakesSize));
}

void heddle_shim_register(void *Builder) {
  PassBuilder &PB = *static_cast<PassBuilder *>(Builder);
  auto Shared = std::make_shared<State>();
  PB.registerPipelineParsingCallback(
      [Shared](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        return parsePass(Name, MPM, Shared);
      });
  PB.registerPipelineStartEPCallback([Shared](ModulePassManager &MPM, OptimizationLevel) {
    MPM.addPass(HeddlePass(Shared, nullptr));
  });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(InstrumentPass(false));
      });
}

// Before code generation: for hosts without a pipeline of passes (llc).
bool heddle_shim_before_codegen(Module &M, TargetMachine &, CodeGenFileType, raw_pwrite_stream &) {
  Calls->Check(&M, nullptr, 0, true);
  return false;
}

// Hands a message to the host, as its own diagnostic. `At` may be null: the place is then the function.
void heddle_shim_report(void *In, void *At, unsigned Level, const char *Code, const char *Text, size_t Size) {
  Function &F = *unwrap<Function>(static_cast<LLVMValueRef>(In));
  LLVMContext &Context = F.getContext();
  DiagnosticLocation Where;
  if (At)
    Where = DiagnosticLocation(cast<Instruction>(unwrap(static_cast<LLVMValueRef>(At)))->getDebugLoc());
  else if (DISubprogram *SP = F.getSubprogram())
    Where = DiagnosticLocation(SP);
  const BasicBlock *Body = F.empty() ? nullptr : &F.front();
  StringRef Message(Text, Size);
  switch (Level) {
  case 0: {
    OptimizationRemarkAnalysis Remark("heddle", Code, Where, Body);
    Remark << Message;
    Context.diagnose(Remark);
    return;
  }
  case 1: {
    OptimizationRemark Remark("heddle", Code, Where, Body);
    Remark << Message;
    Context.diagnose(Remark);
    return;
  }
  case 2: {
    DiagnosticInfoOptimizationFailure Warning("heddle", Code, Where, Body);
    Warning << Message;
    Context.diagnose(Warning);
    return;
  }
  default: {
    // An error is no remark; the record (-fsave-optimization-record) has it all the same.
    if (LLVMRemarkStreamer *Record = Context.getLLVMRemarkStreamer()) {
      DiagnosticInfoOptimizationFailure Entry("heddle", Code, Where, Body);
      Entry << Message;
      Record->emit(Entry);
    }
    Context.diagnose(DiagnosticInfoUnsupported(F, Message, Where, DS_Error));
    return;
  }
  }
}

} // extern "C"
