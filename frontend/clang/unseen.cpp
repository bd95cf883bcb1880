// Names in text that the device's compilation does not look at. See `unseen.h`.

#include "unseen.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace clang;

namespace heddle {

bool isOfSystem(const SourceManager &sources, SourceLocation at) {
  at = sources.getExpansionLoc(at);
  return sources.isInSystemHeader(at) || sources.getFilename(at).starts_with(HEDDLE_HEADERS "/");
}

/// Hears what the preprocessor skips.
class Skips : public PPCallbacks {
public:
  Skips(Unseen &to, const Preprocessor &lexer) : to(to), lexer(lexer), sources(lexer.getSourceManager()) {}

  void If(SourceLocation at, SourceRange condition, ConditionValueKind) override { begins(at, condition.getEnd()); }
  void Ifdef(SourceLocation at, const Token &, const MacroDefinition &) override { begins(at, at); }
  void Ifndef(SourceLocation at, const Token &, const MacroDefinition &) override { begins(at, at); }
  void Elif(SourceLocation at, SourceRange condition, ConditionValueKind, SourceLocation) override {
    goesOn(at, condition.getEnd());
  }
  void Elifdef(SourceLocation at, const Token &, const MacroDefinition &) override { goesOn(at, at); }
  void Elifndef(SourceLocation at, const Token &, const MacroDefinition &) override { goesOn(at, at); }
  // After a branch that was taken, nobody looks at the condition.
  void Elifdef(SourceLocation at, SourceRange condition, SourceLocation) override { goesOn(at, condition.getEnd()); }
  void Elifndef(SourceLocation at, SourceRange condition, SourceLocation) override { goesOn(at, condition.getEnd()); }
  void Else(SourceLocation at, SourceLocation) override { goesOn(at, at); }
  void Endif(SourceLocation, SourceLocation) override {
    if (!around.empty())
      around.pop_back();
  }

  /// A macro that is defined for one of the two compilations, or by what decides, decides in its turn.
  void MacroDefined(const Token &name, const MacroDirective *macro) override {
    if (isOfSystem(sources, name.getLocation()))
      return;
    auto decides = [this](const Token &token) {
      return token.getIdentifierInfo() && isDeciding(token.getIdentifierInfo()->getName());
    };
    if (llvm::is_contained(around, true) || llvm::any_of(macro->getMacroInfo()->tokens(), decides))
      deciding.insert(name.getIdentifierInfo()->getName().str());
  }

  /// What a macro is given, it may give to nobody, or as a text alone.
  void MacroExpands(const Token &, const MacroDefinition &macro, SourceRange range,
                    const MacroArgs *arguments) override {
    const MacroInfo *info = macro.getMacroInfo();
    if (!arguments || !info || isOfSystem(sources, range.getBegin()))
      return;
    for (unsigned n = 0; n < info->getNumParams(); n++) {
      if (givesOn(*info, info->params()[n]))
        continue;
      for (const Token *token = arguments->getUnexpArgument(n); token->isNot(tok::eof); token++)
        if (const IdentifierInfo *name = token->getIdentifierInfo())
          for (Unseen::Names *of : {&to.used, &to.skipped})
            of->names.insert(name->getName().str());
    }
  }

  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    if (range.isInvalid())
      return;
    auto [file, from] = sources.getDecomposedLoc(range.getBegin());
    auto [last, to] = sources.getDecomposedLoc(range.getEnd());
    bool fails = false;
    StringRef text = sources.getBufferData(file, &fails);
    if (fails || file != last || to > text.size()) {
      this->to.used.everything = this->to.skipped.everything = true;
      return;
    }
    if (isOfSystem(sources, range.getBegin())) {
      this->to.skippedOfSystem.push_back(text.slice(from, to));
      return;
    }
    // What is skipped may go over several branches.
    auto first = byArchitecture.lower_bound(line(range.getBegin()));
    bool decides = first != byArchitecture.end() && *first <= line(range.getEnd());
    // A lexer goes to the end of the whole file, which a zero byte is after.
    Lexer raw(sources.getLocForStartOfFile(file), lexer.getLangOpts(), text.begin(), text.begin() + from, text.end());
    Token token, before;
    before.startToken();
    // `#error` and `#warning` are followed by words, and not by names.
    bool isMessage = false, isDefined = false;
    for (bool more = true; more; before = token) {
      more = !raw.LexFromRawLexer(token) && sources.getFileOffset(token.getLocation()) < to;
      isMessage &= !token.isAtStartOfLine();
      if (token.isOneOf(tok::hashhash, tok::hashat))
        all(decides);
      if (!token.is(tok::raw_identifier) || isMessage)
        continue;
      // What is written with a universal character name is some other text.
      if (token.hasUCN())
        all(decides);
      std::string name = Lexer::getSpelling(token, sources, lexer.getLangOpts());
      if (before.is(tok::hash) && before.isAtStartOfLine()) {
        isMessage = name == "error" || name == "warning";
        isDefined = name == "define" || name == "undef";
        if (name == "include" || name == "include_next" || name == "import")
          all(decides);
        continue;
      }
      this->to.skipped.names.insert(name);
      if (decides) {
        this->to.used.names.insert(name);
        if (isDefined)
          deciding.insert(name);
      }
      isDefined = false;
    }
  }

private:
  Unseen &to;
  const Preprocessor &lexer;
  const SourceManager &sources;
  /// How names begin that make a difference between the two compilations, where conditions have them.
  static constexpr std::array<StringRef, 3> prefixes = {"__CUDA_ARCH", "__NVPTX__", "__CUDA_LIBDEVICE__"};
  /// Macros that such conditions define, or that are made of such names.
  std::set<std::string> deciding;
  /// Which of the conditions around, the outermost first, such a name is in, in it or before it.
  std::vector<bool> around;
  /// Lines of conditions that such a name is in, or in one before them.
  std::set<std::pair<unsigned, unsigned>> byArchitecture;

  bool isDeciding(StringRef name) const {
    auto begins = [name](StringRef it) { return name.starts_with(it); };
    return deciding.count(name.str()) != 0 || llvm::any_of(prefixes, begins);
  }

  /// Whether a macro's text has what it was given.
  static bool givesOn(const MacroInfo &macro, const IdentifierInfo *parameter) {
    bool isText = false;
    for (const Token &token : macro.tokens()) {
      if (token.getIdentifierInfo() == parameter && !isText)
        return true;
      isText = token.is(tok::hash);
    }
    return false;
  }

  /// Some text may name everything.
  void all(bool decides) {
    to.skipped.everything = true;
    to.used.everything |= decides;
  }

  std::pair<unsigned, unsigned> line(SourceLocation at) const {
    auto [file, offset] = sources.getDecomposedExpansionLoc(at);
    return {file.getHashValue(), sources.getLineNumber(file, offset)};
  }

  void begins(SourceLocation at, SourceLocation to) {
    around.push_back(false);
    goesOn(at, to);
  }

  void goesOn(SourceLocation at, SourceLocation to) {
    if (around.empty())
      return;
    around.back() = around.back() || decides(at, to);
    if (llvm::is_contained(around, true))
      byArchitecture.insert(line(at));
  }

  /// Whether a directive names what decides.
  bool decides(SourceLocation at, SourceLocation to) const {
    auto [file, from] = sources.getDecomposedExpansionLoc(at);
    auto [last, least] = sources.getDecomposedExpansionLoc(to);
    bool fails = false;
    StringRef text = sources.getBufferData(file, &fails);
    if (fails || from > text.size())
      return true;
    size_t end = text.find('\n', file == last ? std::max(from, least) : from);
    while (end != StringRef::npos && end > from && text.substr(from, end - from).rtrim('\r').ends_with("\\"))
      end = text.find('\n', end + 1);
    // Words in comments count as well.
    for (StringRef rest = text.slice(from, end); !rest.empty();) {
      auto isOfName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
      StringRef name = rest.take_while(isOfName);
      if (isDeciding(name))
        return true;
      rest = rest.drop_front(std::max<size_t>(name.size(), 1));
    }
    return false;
  }
};

void Unseen::watch(Preprocessor &lexer, bool tokens) {
  this->lexer = &lexer;
  lexer.addPPCallbacks(std::make_unique<Skips>(*this, lexer));
  if (!tokens)
    return;
  lexer.setTokenWatcher([this, &sources = lexer.getSourceManager()](const Token &token) {
    const IdentifierInfo *name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    if (name && !isOfSystem(sources, token.getLocation()))
      read.push_back({token.getLocation().getRawEncoding(), name});
  });
}

void Unseen::finish() {
  for (const auto &[at, name] : read)
    if (known.count(at) == 0)
      used.names.insert(name->getName().str());
  for (Names *of : {&used, &skipped}) {
    // Text names what the macros in it stand for, by any definition: at its place it may be another.
    std::vector<std::string> work(of->names.begin(), of->names.end());
    while (!work.empty()) {
      const IdentifierInfo *name = lexer ? lexer->getIdentifierInfo(work.back()) : nullptr;
      work.pop_back();
      if (!name || !name->hadMacroDefinition())
        continue;
      for (const MacroDirective *at = lexer->getLocalMacroDirectiveHistory(name); at; at = at->getPrevious()) {
        const auto *definition = dyn_cast<DefMacroDirective>(at);
        const MacroInfo *macro = definition ? definition->getInfo() : nullptr;
        if (!macro || isOfSystem(lexer->getSourceManager(), macro->getDefinitionLoc()))
          continue;
        for (const Token &token : macro->tokens()) {
          of->everything |= token.isOneOf(tok::hashhash, tok::hashat);
          const IdentifierInfo *part = token.getIdentifierInfo();
          if (part && of->names.insert(part->getName().str()).second)
            work.push_back(part->getName().str());
        }
      }
    }
  }
}

} // namespace heddle
