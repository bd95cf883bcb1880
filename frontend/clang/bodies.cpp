// Skips function bodies of the host that do not compile. See `bodies.h`.

#include "bodies.h"
#include "unseen.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using heddle::Place;
using heddle::Skipped;

namespace {

Place placeOf(const SourceManager &sources, SourceLocation at) {
  auto [file, offset] = sources.getDecomposedExpansionLoc(at);
  OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  return {entry ? entry->getName().str() : std::string(), offset};
}

bool isOfHost(const FunctionDecl *function) {
  return !function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAGlobalAttr>();
}

/// Whether LLVM may take a function without a body for one of a library, whose effects it knows: by
/// a name of C, or as an operator that allocates.
bool mayStandForLibrary(const FunctionDecl *function) {
  switch (function->getOverloadedOperator()) {
  case OO_New:
  case OO_Array_New:
  case OO_Delete:
  case OO_Array_Delete:
    return true;
  default:
    return function->isExternC() && !function->isMain();
  }
}

class Skipper : public ASTConsumer, public RecursiveASTVisitor<Skipper> {
public:
  Skipper(const heddle::Bodies &bodies, const heddle::Errors &errors, std::vector<Skipped> &found)
      : bodies(bodies), errors(errors), found(found) {}

  void Initialize(ASTContext &context) override { this->context = &context; }

  bool shouldSkipFunctionBody(Decl *decl) override {
    const FunctionDecl *function = decl->getAsFunction();
    return function && isOfHost(function) && bodies.skips(placeOf(context->getSourceManager(), function->getLocation()));
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    decls.insert(decls.end(), group.begin(), group.end());
    return true;
  }

  void HandleTranslationUnit(ASTContext &) override {
    if (!errors.all.empty() && !errors.beyond)
      for (Decl *decl : decls)
        TraverseDecl(decl);
  }

  /// Not into a function: the outermost one is left out as a whole.
  bool TraverseFunctionDecl(FunctionDecl *it) { return noted(it); }
  bool TraverseCXXMethodDecl(CXXMethodDecl *it) { return noted(it); }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *it) { return noted(it); }
  bool TraverseCXXDestructorDecl(CXXDestructorDecl *it) { return noted(it); }
  bool TraverseCXXConversionDecl(CXXConversionDecl *it) { return noted(it); }

private:
  const heddle::Bodies &bodies;
  const heddle::Errors &errors;
  std::vector<Skipped> &found;
  ASTContext *context = nullptr;
  std::vector<Decl *> decls;

  bool noted(FunctionDecl *function) {
    if (!function->doesThisDeclarationHaveABody() || !isOfHost(function))
      return true;
    const SourceManager &sources = context->getSourceManager();
    // What a header of the system names is looked for nowhere (`unseen.h`).
    if (heddle::isOfSystem(sources, function->getLocation()))
      return true;
    if (!context->getLangOpts().CUDAIsDevice && mayStandForLibrary(function))
      return true;
    Place from = placeOf(sources, function->getBeginLoc()), to = placeOf(sources, function->getEndLoc());
    Skipped it = {placeOf(sources, function->getLocation()), from.offset, to.offset, function->getQualifiedNameAsString(), ""};
    if (from.file != to.file || from.file != it.name.file)
      return true;
    auto first = llvm::find_if(errors.all, [&](const heddle::Errors::Error &error) { return it.covers(error.place); });
    if (first != errors.all.end()) {
      it.why = first->text;
      found.push_back(it);
    }
    return true;
  }
};

} // namespace

void heddle::Errors::BeginSourceFile(const LangOptions &options, const Preprocessor *lexer) {
  to.BeginSourceFile(options, lexer);
}

void heddle::Errors::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &said) {
  DiagnosticConsumer::HandleDiagnostic(level, said);
  to.HandleDiagnostic(level, said);
  // Where errors are too many, those that were not said are found by the next compilation.
  if (level < DiagnosticsEngine::Error || said.getID() == diag::fatal_too_many_errors)
    return;
  if (level > DiagnosticsEngine::Error || !said.hasSourceManager() || said.getLocation().isInvalid()) {
    beyond = true;
    return;
  }
  const SourceManager &sources = said.getSourceManager();
  llvm::SmallString<128> text;
  said.FormatDiagnostic(text);
  PresumedLoc at = sources.getPresumedLoc(said.getLocation());
  std::string where = at.isValid() ? std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ":" +
                                         std::to_string(at.getColumn()) + ": "
                                   : std::string();
  all.push_back({placeOf(sources, said.getLocation()), where + text.str().str()});
}

bool heddle::Bodies::skips(const Place &name) const {
  return llvm::any_of(skipped, [&](const Skipped &it) { return it.name == name; });
}

bool heddle::Bodies::learn(const Errors &errors, const std::vector<Skipped> &found) {
  if (errors.beyond || errors.all.empty())
    return false;
  for (const Errors::Error &error : errors.all) {
    if (llvm::none_of(found, [&](const Skipped &it) { return it.covers(error.place); }))
      return false;
  }
  // A body that was to be skipped and was not cannot be.
  for (const Skipped &it : found) {
    if (skips(it.name))
      return false;
    skipped.push_back(it);
  }
  return true;
}

std::unique_ptr<ASTConsumer> heddle::bodySkipper(const Bodies &bodies, const Errors &errors,
                                                 std::vector<Skipped> &found) {
  return std::make_unique<Skipper>(bodies, errors, found);
}
