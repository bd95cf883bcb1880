// Reads `kernel<<<grid, block>>>(…)` in the host's part of a CUDA source, which clang parses for
// the device too.
//
// A size counts where it is the same whenever the launch runs: a constant, or a variable that is
// set where it is declared and is only ever read. All else is `?`. A kernel that is named elsewhere
// than in a launch may be started by anybody.

#include "launches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include <array>
#include <optional>
#include <vector>

using namespace clang;

namespace {

/// The names of all functions that a body mentions, also where which one is meant is open.
class Mentioned : public RecursiveASTVisitor<Mentioned> {
public:
  explicit Mentioned(std::set<std::string> &names) : names(names) {}
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr *use) { return noted(use->getDecl()->getDeclName()); }
  bool VisitOverloadExpr(OverloadExpr *use) { return noted(use->getName()); }

private:
  std::set<std::string> &names;

  bool noted(DeclarationName name) {
    if (const IdentifierInfo *identifier = name.getAsIdentifierInfo())
      names.insert(identifier->getName().str());
    return true;
  }
};

using Size = std::optional<uint64_t>;

class Reader : public ASTConsumer, public RecursiveASTVisitor<Reader> {
public:
  Reader(heddle::Source &source, const std::set<std::string> &named)
      : source(source), launches(source.launches), named(named) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *decl : group)
      decls.push_back(decl);
    return true;
  }

  void HandleTranslationUnit(ASTContext &context) override {
    this->context = &context;
    SourceManager &sources = context.getSourceManager();
    for (Decl *decl : decls)
      if (!sources.isInSystemHeader(sources.getExpansionLoc(decl->getLocation())))
        TraverseDecl(decl);
    // An instance of a template that only a body which was left out asks for is not there: what
    // templates mention is used in instances that nobody sees.
    if (!named.empty())
      for (FunctionDecl *function : templated)
        Mentioned(inTemplates).TraverseStmt(function->getBody());
    for (FunctionDecl *kernel : kernels)
      if (isNamed(kernel))
        mentions[kernel->getCanonicalDecl()] += 0;
    std::unique_ptr<MangleContext> names(ItaniumMangleContext::create(context, context.getDiagnostics()));
    for (const Start &start : starts)
      launches[name(*names, start.kernel)] += launch(start);
    for (auto &[kernel, uses] : mentions)
      if (uses != 0 || isNamed(kernel))
        launches[name(*names, kernel)] += "?\n";
    for (const FunctionDecl *kernel : written)
      source.kernels.push_back(described(*names, kernel));
  }

  /// A kernel that is written in the main file; of a template, the template.
  bool VisitFunctionDecl(FunctionDecl *function) {
    bool isTemplated = function->isDependentContext() || function->isTemplateInstantiation();
    if (isTemplated && function->doesThisDeclarationHaveABody())
      templated.push_back(function);
    if (function->hasAttr<CUDAGlobalAttr>() && !function->isDependentContext())
      kernels.push_back(function);
    SourceManager &sources = context->getSourceManager();
    bool isWritten = function->hasAttr<CUDAGlobalAttr>() && function->doesThisDeclarationHaveABody() &&
                     !function->isTemplateInstantiation() && !function->isInvalidDecl() &&
                     sources.isInMainFile(sources.getExpansionLoc(function->getLocation()));
    if (isWritten)
      written.push_back(function);
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
    const CallExpr *config = call->getConfig();
    if (const FunctionDecl *kernel = call->getDirectCallee(); kernel && config && config->getNumArgs() >= 2)
      started(kernel, call, config->getArg(0), config->getArg(1));
    return true;
  }

  /// `cudaFuncSetAttribute(kernel, …)` and its like ask about a kernel, and start none.
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || isa<CUDAKernelCallExpr>(call) || !callee->getIdentifier())
      return true;
    if (callee->getName().starts_with("cudaLaunch") && call->getNumArgs() >= 3) {
      if (const FunctionDecl *kernel = kernelIn(call->getArg(0)))
        started(kernel, call, call->getArg(1), call->getArg(2));
      return true;
    }
    if (!callee->getName().starts_with("cudaFunc") && !callee->getName().starts_with("cudaOccupancy"))
      return true;
    for (const Expr *argument : call->arguments())
      if (const FunctionDecl *kernel = kernelIn(argument))
        mentions[kernel->getCanonicalDecl()] -= 1;
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *use) {
    if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
      otherUses[variable->getCanonicalDecl()] += 1;
    if (const auto *function = dyn_cast<FunctionDecl>(use->getDecl()))
      if (function->hasAttr<CUDAGlobalAttr>())
        mentions[function->getCanonicalDecl()] += 1;
    return true;
  }

  /// A variable, or a member of one, is read.
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      read(cast->getSubExpr());
    return true;
  }

  /// A structure is copied.
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    if (made->getConstructor()->isCopyConstructor() && made->getNumArgs() > 0)
      read(made->getArg(0));
    return true;
  }

private:
  /// One launch.
  struct Start {
    const FunctionDecl *kernel;
    const Expr *grid, *block;
  };

  heddle::Source &source;
  heddle::Launches &launches;
  const std::set<std::string> &named;
  ASTContext *context = nullptr;
  std::vector<Decl *> decls;
  std::vector<Start> starts;
  /// How often each variable is used other than by reading it.
  std::map<const VarDecl *, int> otherUses;
  /// How often each kernel is named other than in a launch.
  std::map<const FunctionDecl *, int> mentions;
  /// Kernels of the main file, in text order.
  std::vector<const FunctionDecl *> written;
  /// All kernels that may be launched, and templates with their instances.
  std::vector<FunctionDecl *> kernels, templated;
  /// What the latter mention, where a body was left out.
  std::set<std::string> inTemplates;

  bool isNamed(const NamedDecl *decl) const {
    std::string name = decl->getIdentifier() ? decl->getName().str() : std::string();
    return named.count(name) != 0 || inTemplates.count(name) != 0;
  }

  heddle::Kernel described(MangleContext &names, const FunctionDecl *kernel) {
    heddle::Kernel result;
    result.shown = kernel->getQualifiedNameAsString();
    if (const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate()) {
      for (const FunctionDecl *instance : pattern->specializations())
        result.symbols.push_back(name(names, instance));
    } else if (!kernel->isDependentContext()) {
      result.symbols.push_back(name(names, kernel));
    }
    return result;
  }

  void started(const FunctionDecl *kernel, const CallExpr *call, const Expr *grid, const Expr *block) {
    mentions[kernel->getCanonicalDecl()] -= 1;
    if (!call->isInstantiationDependent())
      starts.push_back({kernel, grid, block});
  }

  void read(const Expr *place) {
    place = place->IgnoreParenImpCasts();
    while (const auto *member = dyn_cast<MemberExpr>(place)) {
      if (member->isArrow())
        return;
      place = member->getBase()->IgnoreParenImpCasts();
    }
    if (const auto *use = dyn_cast<DeclRefExpr>(place))
      if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
        otherUses[variable->getCanonicalDecl()] -= 1;
  }

  const FunctionDecl *kernelIn(const Expr *argument) {
    argument = argument->IgnoreParenCasts();
    if (const auto *address = dyn_cast<UnaryOperator>(argument))
      argument = address->getSubExpr()->IgnoreParenCasts();
    const auto *use = dyn_cast<DeclRefExpr>(argument);
    const auto *function = use ? dyn_cast<FunctionDecl>(use->getDecl()) : nullptr;
    return function && function->hasAttr<CUDAGlobalAttr>() ? function : nullptr;
  }

  std::string name(MangleContext &names, const FunctionDecl *kernel) {
    if (!names.shouldMangleDeclName(kernel))
      return kernel->getNameAsString();
    std::string text;
    llvm::raw_string_ostream out(text);
    names.mangleName(GlobalDecl(kernel, KernelReferenceKind::Kernel), out);
    return out.str();
  }

  std::string launch(const Start &start) {
    std::string text;
    llvm::raw_string_ostream out(text);
    const char *separator = "";
    for (const Expr *sizes : {start.grid, start.block}) {
      for (Size size : threeSizes(sizes)) {
        out << separator;
        separator = ",";
        if (size)
          out << *size;
        else
          out << '?';
      }
      separator = " ";
    }
    out << '\n';
    return out.str();
  }

  /// A `dim3`: one that is made here, or a variable of that type.
  std::array<Size, 3> threeSizes(const Expr *expr, unsigned depth = 0) {
    std::array<Size, 3> sizes;
    if (depth > 8)
      return sizes;
    expr = bare(expr);
    if (const auto *made = dyn_cast<CXXConstructExpr>(expr)) {
      if (made->getConstructor()->isCopyOrMoveConstructor() && made->getNumArgs() > 0)
        return threeSizes(made->getArg(0), depth + 1);
      if (made->getNumArgs() == 3 && made->getConstructor()->getParent()->getName() == "dim3")
        for (unsigned d = 0; d < 3; d++)
          sizes[d] = number(made->getArg(d), depth + 1);
      return sizes;
    }
    if (const Expr *initial = settled(expr))
      return threeSizes(initial, depth + 1);
    return sizes;
  }

  Size number(const Expr *expr, unsigned depth) {
    if (depth > 16 || expr->isInstantiationDependent())
      return std::nullopt;
    if (const auto *given = dyn_cast<CXXDefaultArgExpr>(expr))
      return number(given->getExpr(), depth + 1);
    Expr::EvalResult result;
    if (expr->getType()->isIntegralOrEnumerationType() && expr->EvaluateAsInt(result, *context)) {
      const llvm::APSInt &value = result.Val.getInt();
      return value.isNegative() || value.getActiveBits() > 32 ? Size() : Size(value.getZExtValue());
    }
    expr = bare(expr);
    if (const auto *cast = dyn_cast<CastExpr>(expr))
      if (cast->getType()->isIntegralOrEnumerationType() &&
          cast->getSubExpr()->getType()->isIntegralOrEnumerationType() &&
          context->getTypeSize(cast->getType()) >= 32)
        return number(cast->getSubExpr(), depth + 1);
    if (const auto *operation = dyn_cast<BinaryOperator>(expr))
      return combined(operation, depth);
    if (const auto *member = dyn_cast<MemberExpr>(expr))
      return member->isArrow() ? Size() : coordinate(member, depth);
    if (const Expr *initial = settled(expr))
      return number(initial, depth + 1);
    return std::nullopt;
  }

  /// `threads.x`.
  Size coordinate(const MemberExpr *member, unsigned depth) {
    StringRef field = member->getMemberDecl()->getIdentifier() ? member->getMemberDecl()->getName() : "";
    if (field.size() != 1 || field[0] < 'x' || field[0] > 'z')
      return std::nullopt;
    return threeSizes(member->getBase(), depth + 1)[field[0] - 'x'];
  }

  Size combined(const BinaryOperator *operation, unsigned depth) {
    Size left = number(operation->getLHS(), depth + 1), right = number(operation->getRHS(), depth + 1);
    if (!left || !right)
      return std::nullopt;
    uint64_t value;
    switch (operation->getOpcode()) {
    case BO_Add: value = *left + *right; break;
    case BO_Mul: value = *left * *right; break;
    case BO_Sub:
      if (*left < *right)
        return std::nullopt;
      value = *left - *right;
      break;
    case BO_Div:
      if (*right == 0)
        return std::nullopt;
      value = *left / *right;
      break;
    default: return std::nullopt;
    }
    // What leaves 31 bits may wrap in the type of the source.
    return value >> 31 ? Size() : Size(value);
  }

  /// Without what makes a temporary of it, or takes no notice of it.
  static const Expr *bare(const Expr *expr) {
    for (;;) {
      const Expr *before = expr;
      expr = expr->IgnoreParens();
      if (const auto *it = dyn_cast<ExprWithCleanups>(expr))
        expr = it->getSubExpr();
      else if (const auto *it = dyn_cast<MaterializeTemporaryExpr>(expr))
        expr = it->getSubExpr();
      else if (const auto *it = dyn_cast<CXXBindTemporaryExpr>(expr))
        expr = it->getSubExpr();
      else if (const auto *it = dyn_cast<CXXDefaultArgExpr>(expr))
        expr = it->getExpr();
      else if (const auto *it = dyn_cast<CastExpr>(expr);
               it && (it->getCastKind() == CK_ConstructorConversion || it->getCastKind() == CK_NoOp ||
                      it->getCastKind() == CK_LValueToRValue))
        expr = it->getSubExpr();
      if (expr == before)
        return expr;
    }
  }

  /// What a local variable holds, where it is set once and only read.
  const Expr *settled(const Expr *expr) {
    const auto *use = dyn_cast<DeclRefExpr>(expr);
    const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || isa<ParmVarDecl>(variable) || variable->getType()->isReferenceType())
      return nullptr;
    // A variable of the program can be set in another source, unless nothing can set it.
    bool isOwn = variable->isLocalVarDecl() || variable->getType().isConstQualified() ||
                 variable->getStorageClass() == SC_Static;
    auto uses = otherUses.find(variable->getCanonicalDecl());
    bool isOnlyRead = uses == otherUses.end() || uses->second == 0;
    isOnlyRead &= variable->isLocalVarDecl() || !isNamed(variable);
    return isOwn && isOnlyRead ? variable->getInit() : nullptr;
  }
};

} // namespace

std::unique_ptr<ASTConsumer> heddle::sourceReader(Source &source, const std::set<std::string> &named) {
  return std::make_unique<Reader>(source, named);
}
