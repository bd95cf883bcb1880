// Names in text that the device's compilation does not look at. See `unseen.h`.

#include "unseen.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace {

constexpr llvm::StringLiteral architecture = "__CUDA_ARCH__";

} // namespace

namespace heddle {

/// Hears what the preprocessor skips.
class Skips : public PPCallbacks {
public:
  Skips(Unseen &to, const Preprocessor &lexer) : to(to), lexer(lexer), sources(lexer.getSourceManager()) {}

  void If(SourceLocation at, SourceRange, ConditionValueKind) override { decides(at); }
  void Ifdef(SourceLocation at, const Token &, const MacroDefinition &) override { decides(at); }
  void Ifndef(SourceLocation at, const Token &, const MacroDefinition &) override { decides(at); }
  void Elif(SourceLocation at, SourceRange, ConditionValueKind, SourceLocation from) override {
    decides(at);
    follows(at, from);
  }
  void Elifdef(SourceLocation at, const Token &, const MacroDefinition &) override { decides(at); }
  void Elifndef(SourceLocation at, const Token &, const MacroDefinition &) override { decides(at); }
  // After a branch that was taken, nobody looks at the condition.
  void Elifdef(SourceLocation at, SourceRange, SourceLocation from) override {
    decides(at);
    follows(at, from);
  }
  void Elifndef(SourceLocation at, SourceRange, SourceLocation from) override {
    decides(at);
    follows(at, from);
  }
  void Else(SourceLocation at, SourceLocation from) override { follows(at, from); }

  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    if (range.isInvalid() || sources.isInSystemHeader(range.getBegin()))
      return;
    auto [file, from] = sources.getDecomposedLoc(range.getBegin());
    auto [last, to] = sources.getDecomposedLoc(range.getEnd());
    bool fails = false;
    StringRef text = sources.getBufferData(file, &fails);
    if (fails || file != last || to > text.size())
      return;
    bool decides = byArchitecture.count(line(range.getBegin())) != 0;
    // A lexer goes to the end of the whole file, which a zero byte is after.
    Lexer raw(sources.getLocForStartOfFile(file), lexer.getLangOpts(), text.begin(), text.begin() + from, text.end());
    Token token, before;
    before.startToken();
    for (bool more = true; more;) {
      more = !raw.LexFromRawLexer(token) && sources.getFileOffset(token.getLocation()) < to;
      if (token.is(tok::raw_identifier)) {
        StringRef name = token.getRawIdentifier();
        if (before.is(tok::hash) && before.isAtStartOfLine() && decides &&
            (name == "include" || name == "include_next" || name == "import"))
          this->to.everything = true;
        noted(name.str(), decides);
      }
      before = token;
    }
  }

private:
  Unseen &to;
  const Preprocessor &lexer;
  const SourceManager &sources;
  /// Lines of conditions that look at the architecture, or follow one that does.
  std::set<std::pair<unsigned, unsigned>> byArchitecture;

  std::pair<unsigned, unsigned> line(SourceLocation at) const {
    auto [file, offset] = sources.getDecomposedExpansionLoc(at);
    return {file.getHashValue(), sources.getLineNumber(file, offset)};
  }

  /// Notes a directive whose line names the architecture.
  void decides(SourceLocation at) {
    auto [file, offset] = sources.getDecomposedExpansionLoc(at);
    bool fails = false;
    StringRef text = sources.getBufferData(file, &fails);
    if (fails || offset > text.size())
      return;
    size_t end = text.find('\n', offset);
    while (end != StringRef::npos && end > offset && text.substr(offset, end - offset).rtrim('\r').ends_with("\\"))
      end = text.find('\n', end + 1);
    if (text.slice(offset, end).contains(architecture))
      byArchitecture.insert(line(at));
  }

  void follows(SourceLocation at, SourceLocation from) {
    if (byArchitecture.count(line(from)))
      byArchitecture.insert(line(at));
  }

  void noted(const std::string &name, bool decides) {
    to.skipped.insert(name);
    if (decides)
      to.used.insert(name);
  }
};

void Unseen::watch(Preprocessor &lexer, bool tokens) {
  this->lexer = &lexer;
  lexer.addPPCallbacks(std::make_unique<Skips>(*this, lexer));
  if (!tokens)
    return;
  lexer.setTokenWatcher([this, &sources = lexer.getSourceManager()](const Token &token) {
    const IdentifierInfo *name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    if (name && !sources.isInSystemHeader(sources.getExpansionLoc(token.getLocation())))
      read.push_back({token.getLocation().getRawEncoding(), name});
  });
}

void Unseen::finish() {
  for (const auto &[at, name] : read)
    if (known.count(at) == 0)
      used.insert(name->getName().str());
  // Skipped text names what the macros in it stand for.
  for (std::set<std::string> *names : {&skipped, &used}) {
    std::vector<std::string> work(names->begin(), names->end());
    while (!work.empty()) {
      const IdentifierInfo *name = lexer ? lexer->getIdentifierInfo(work.back()) : nullptr;
      work.pop_back();
      const MacroInfo *macro = name && name->hadMacroDefinition() ? lexer->getMacroInfo(name) : nullptr;
      if (!macro || lexer->getSourceManager().isInSystemHeader(macro->getDefinitionLoc()))
        continue;
      for (const Token &token : macro->tokens())
        if (const IdentifierInfo *part = token.getIdentifierInfo(); part && names->insert(part->getName().str()).second)
          work.push_back(part->getName().str());
    }
  }
}

} // namespace heddle
