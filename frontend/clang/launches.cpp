// Reads `kernel<<<grid, block>>>(…)` in the host's part of a CUDA source, which clang parses for
// the device too.
//
// A size counts where it is the same whenever the launch runs: a constant, or a variable that is
// set where it is declared and is only ever read. All else is `?`. A kernel that is named elsewhere
// than in a launch may be started by anybody, and so may one that is named where nobody looks.

#include "launches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <memory>
#include <optional>
#include <vector>

using namespace clang;

namespace {

using Size = std::optional<uint64_t>;

/// The kernels that something names, and the names of those that it launches by arguments of a
/// template.
class KernelsOfSystem : public RecursiveASTVisitor<KernelsOfSystem> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr *use) {
    if (const auto *function = dyn_cast<FunctionDecl>(use->getDecl()); function && function->hasAttr<CUDAGlobalAttr>())
      kernels.insert(function->getCanonicalDecl());
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
    const auto *named = dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (named && named->getName().isIdentifier())
      names.insert(named->getName().getAsString());
    return true;
  }

  std::set<const FunctionDecl *> kernels;
  std::set<std::string> names;
};

class Reader : public ASTConsumer, public RecursiveASTVisitor<Reader> {
public:
  Reader(heddle::Source &source, heddle::Unseen &unseen) : source(source), launches(source.launches), unseen(unseen) {}

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
      else
        ofSystem(decl);
    unseen.finish();
    for (FunctionDecl *kernel : kernels)
      if (isNamed(kernel))
        mentions[kernel->getCanonicalDecl()] += 0;
    std::unique_ptr<MangleContext> names(ItaniumMangleContext::create(context, context.getDiagnostics()));
    for (const Start &start : starts)
      launches[name(*names, start.kernel)] += launch(start);
    // Text that nobody sees may make instances of what is launched in templates, and call what a
    // header of the system has.
    if (!unseen.isAllSeen()) {
      KernelsOfSystem named;
      for (Decl *decl : decls)
        if (sources.isInSystemHeader(sources.getExpansionLoc(decl->getLocation())))
          named.TraverseDecl(decl);
      for (const FunctionDecl *kernel : named.kernels)
        mentions[kernel] += 1;
      namedByTemplates.insert(named.names.begin(), named.names.end());
      for (const FunctionDecl *kernel : launchedByTemplates)
        mentions[kernel->getCanonicalDecl()] += 1;
      for (const FunctionDecl *kernel : kernels)
        if (kernel->getIdentifier() && namedByTemplates.count(kernel->getName().str()))
          mentions[kernel->getCanonicalDecl()] += 1;
    }
    for (auto &[kernel, uses] : mentions)
      if (uses != 0 || isNamed(kernel))
        launches[name(*names, kernel)] += "?\n";
    for (const FunctionDecl *kernel : written)
      source.kernels.push_back(described(*names, kernel));
    for (const VarDecl *variable : variables)
      if (hasOtherNames || !variable->getIdentifier() || isInstance(variable) || isInstance(variable->getDeclContext()) ||
          unseen.mayBeSet(variable->getName().str()))
        source.variables.push_back(name(*names, variable));
    for (const VarDecl *variable : variablesOfSystem)
      if (!variable->getIdentifier() || unseen.mayBeSetInSystemHeader(variable->getName()))
        source.variables.push_back(name(*names, variable));
    for (const VarDecl *variable : usedByBoth)
      if (otherUses[variable->getCanonicalDecl()] > 0)
        usedByHost.insert(variable);
    for (const VarDecl *variable : usedByHost)
      source.variables.push_back(name(*names, variable));
    if (hasMain)
      for (const VarDecl *variable : variables)
        if (variable->hasExternalFormalLinkage() && variable->hasInit())
          source.own.push_back(name(*names, variable));
    source.unseen = unseen.names();
    if (hasAlias)
      source.unseen.insert(heddle::ALIAS);
  }

  /// What only an instance uses, nobody may have seen.
  bool TraverseDecl(Decl *decl) {
    bool isShared = decl && (decl->isTemplated() || isInstance(decl));
    const FunctionDecl *outer = around;
    if (const auto *function = dyn_cast_or_null<FunctionDecl>(decl))
      around = function;
    templates += isShared;
    bool goesOn = RecursiveASTVisitor::TraverseDecl(decl);
    templates -= isShared;
    around = outer;
    return goesOn;
  }

  bool VisitNamedDecl(NamedDecl *decl) {
    lookedAt(decl->getLocation());
    return true;
  }

  bool VisitMemberExpr(MemberExpr *use) {
    lookedAt(use->getMemberLoc());
    if (const auto *variable = dyn_cast<VarDecl>(use->getMemberDecl()))
      isUsed(variable);
    return true;
  }

  /// A variable of the device that the host cannot name but in this file.
  bool VisitVarDecl(VarDecl *variable) {
    if (isLocalToFile(variable))
      variables.push_back(variable);
    hasOtherNames |= variable->hasAttr<AsmLabelAttr>() || variable->hasAttr<AliasAttr>();
    return true;
  }

  /// A kernel that is written in the main file; of a template, the template.
  bool VisitFunctionDecl(FunctionDecl *function) {
    // Calls of an alias are calls of another function. Where that one is static in `extern "C"`, Clang does not find it
    // by its plain name, and drops both; other compilers find it.
    hasAlias |= function->hasAttr<AliasAttr>() || function->hasAttr<IFuncAttr>();
    hasMain |= function->isMain() && function->doesThisDeclarationHaveABody();
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
    // On the device the kernel and its arguments come first: `cudaLaunchDevice(kernel, arguments, grid, block, …)`.
    const FunctionDecl *byDevice = context->getcudaLaunchDeviceDecl();
    const FunctionDecl *by = config ? config->getDirectCallee() : nullptr;
    const unsigned first = byDevice && by && by->getCanonicalDecl() == byDevice->getCanonicalDecl() ? 2 : 0;
    if (const FunctionDecl *kernel = call->getDirectCallee(); kernel && config && config->getNumArgs() >= first + 2)
      started(kernel, call, config->getArg(first), config->getArg(first + 1));
    return true;
  }

  /// A kernel that is named where its arguments depend on parameters of a template.
  bool VisitOverloadExpr(OverloadExpr *named) {
    if (named->getName().isIdentifier())
      namedByTemplates.insert(named->getName().getAsString());
    return true;
  }

  /// `cudaFuncSetAttribute(kernel, …)` and its like ask about a kernel, and start none.
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || isa<CUDAKernelCallExpr>(call) || !callee->getIdentifier())
      return true;
    hasOtherNames |= callee->getName().contains("GetGlobal") || callee->getName().contains("GetManaged");
    if (!isOfRuntime(callee))
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
    lookedAt(use->getLocation());
    if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
      isUsed(variable);
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
  heddle::Unseen &unseen;
  ASTContext *context = nullptr;
  std::vector<Decl *> decls;
  std::vector<Start> starts;
  /// How often each variable is used other than by reading it.
  std::map<const VarDecl *, int> otherUses;
  /// How often each kernel is named other than in a launch.
  std::map<const FunctionDecl *, int> mentions;
  /// Kernels of the main file, in text order.
  std::vector<const FunctionDecl *> written;
  /// All kernels that may be launched.
  std::vector<FunctionDecl *> kernels;
  /// Variables of the device that are local to the file, and those that functions of the host use.
  std::vector<const VarDecl *> variables, variablesOfSystem;
  /// Whether something of this file has a name that its declaration does not show, or is looked for
  /// by a text.
  bool hasOtherNames = false;
  /// Whether a function is an alias of another one.
  bool hasAlias = false;
  /// Whether the file has the program's `main`.
  bool hasMain = false;
  /// Kernels that templates launch, and names of those that templates name.
  std::vector<const FunctionDecl *> launchedByTemplates;
  std::set<std::string> namedByTemplates;
  llvm::SetVector<const VarDecl *> usedByHost, usedByBoth;
  /// The function around.
  const FunctionDecl *around = nullptr;
  /// Templates, and instances of them, around.
  unsigned templates = 0;

  bool isNamed(const NamedDecl *decl) const {
    return decl->getIdentifier() && unseen.mayBeUsed(decl->getName().str());
  }

  /// Without relocatable device code, that goes for all that are not declared apart.
  bool isLocalToFile(const VarDecl *variable) const {
    bool isOfDevice = variable->hasAttr<CUDADeviceAttr>() || variable->hasAttr<CUDAConstantAttr>();
    bool isShared = context->getLangOpts().GPURelocatableDeviceCode || variable->getPreviousDecl() ||
                    variable->getMostRecentDecl() != variable || !variable->isFileVarDecl();
    return isOfDevice && variable->hasGlobalStorage() && !variable->isLocalVarDecl() &&
           !variable->getDeclContext()->isDependentContext() && !variable->getType().isConstQualified() &&
           !(variable->hasExternalFormalLinkage() && isShared);
  }

  /// Whether a declaration is made of a template, whose text other instances have, too.
  static bool isInstance(const DeclContext *around) {
    const auto *record = dyn_cast<CXXRecordDecl>(around);
    return record && isInstance(static_cast<const Decl *>(record));
  }

  static bool isInstance(const Decl *decl) {
    if (const auto *function = dyn_cast<FunctionDecl>(decl))
      return function->isTemplateInstantiation();
    if (const auto *variable = dyn_cast<VarDecl>(decl))
      return isTemplateInstantiation(variable->getTemplateSpecializationKind());
    const auto *record = dyn_cast<CXXRecordDecl>(decl);
    return record && isTemplateInstantiation(record->getTemplateSpecializationKind());
  }

  /// A name was looked at for what it means, in a place that is not used again in other ways.
  void lookedAt(SourceLocation at) {
    if (templates == 0)
      unseen.lookedAt(at);
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
    if (templates != 0 && !kernel->isDependentContext())
      launchedByTemplates.push_back(kernel);
  }

  /// A variable is named. Clang itself does not see that the host may use a member of an instance, or
  /// what a function for both gives the address of.
  void isUsed(const VarDecl *variable) {
    otherUses[variable->getCanonicalDecl()] += 1;
    if (!isLocalToFile(variable))
      return;
    bool isOfDevice = around && (around->hasAttr<CUDADeviceAttr>() || around->hasAttr<CUDAGlobalAttr>());
    if (!isOfDevice)
      usedByHost.insert(variable);
    else if (around->hasAttr<CUDAHostAttr>())
      usedByBoth.insert(variable);
  }

  /// Whether a function is of the runtime's headers, and not one of the program that is called alike.
  bool isOfRuntime(const FunctionDecl *function) const {
    return heddle::isOfSystem(context->getSourceManager(), function->getFirstDecl()->getLocation());
  }

  /// Variables of the device that are local to the file, in what a system header declares.
  void ofSystem(const Decl *decl) {
    if (const auto *variable = dyn_cast<VarDecl>(decl); variable && isLocalToFile(variable))
      variablesOfSystem.push_back(variable);
    if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(decl))
      for (const Decl *inner : cast<DeclContext>(decl)->decls())
        ofSystem(inner);
  }

  void read(const Expr *place) {
    place = place->IgnoreParenImpCasts();
    // `object.member` of a variable that all objects share.
    const VarDecl *ofClass = nullptr;
    while (const auto *member = dyn_cast<MemberExpr>(place)) {
      ofClass = dyn_cast<VarDecl>(member->getMemberDecl());
      if (ofClass || member->isArrow())
        break;
      place = member->getBase()->IgnoreParenImpCasts();
    }
    if (const auto *use = dyn_cast<DeclRefExpr>(place))
      if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
        otherUses[variable->getCanonicalDecl()] -= 1;
    if (ofClass)
      otherUses[ofClass->getCanonicalDecl()] -= 1;
  }

  const FunctionDecl *kernelIn(const Expr *argument) {
    argument = argument->IgnoreParenCasts();
    if (const auto *address = dyn_cast<UnaryOperator>(argument))
      argument = address->getSubExpr()->IgnoreParenCasts();
    const auto *use = dyn_cast<DeclRefExpr>(argument);
    const auto *function = use ? dyn_cast<FunctionDecl>(use->getDecl()) : nullptr;
    return function && function->hasAttr<CUDAGlobalAttr>() ? function : nullptr;
  }

  std::string name(MangleContext &names, const NamedDecl *decl) {
    if (!names.shouldMangleDeclName(decl))
      return decl->getNameAsString();
    std::string text;
    llvm::raw_string_ostream out(text);
    if (const auto *kernel = dyn_cast<FunctionDecl>(decl))
      names.mangleName(GlobalDecl(kernel, KernelReferenceKind::Kernel), out);
    else
      names.mangleName(GlobalDecl(cast<VarDecl>(decl)), out);
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

  /// The runtime's own `dim3`, and not another of this name.
  static bool isSizes(const CXXRecordDecl *record) {
    return record->getName() == "dim3" && record->getDeclContext()->getRedeclContext()->isTranslationUnit();
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
      if (made->getNumArgs() == 3 && isSizes(made->getConstructor()->getParent()))
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
    if (!unseen.isAllSeen() && differs(expr, 0))
      return std::nullopt;
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

  /// Whether a size is made of something that may be another number for the host: a macro, a
  /// constant that is named where nobody looks.
  bool differs(const Stmt *part, unsigned depth) {
    if (!part)
      return false;
    if (depth > 64)
      return true;
    const SourceManager &sources = context->getSourceManager();
    for (SourceLocation at = part->getBeginLoc(); at.isMacroID(); at = sources.getImmediateMacroCallerLoc(at))
      if (unseen.mayBeUsed(Lexer::getImmediateMacroName(at, sources, context->getLangOpts()).str()))
        return true;
    // What a function gives, and how large a type is, may be another number for the host.
    if (isa<CallExpr, UnaryExprOrTypeTraitExpr>(part))
      return true;
    if (const auto *use = dyn_cast<DeclRefExpr>(part)) {
      if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
        return !variable->isLocalVarDecl() && isNamed(variable) || differs(variable->getInit(), depth + 1);
      if (const auto *constant = dyn_cast<EnumConstantDecl>(use->getDecl()))
        return isNamed(constant) || differs(constant->getInitExpr(), depth + 1);
    }
    return llvm::any_of(part->children(), [&](const Stmt *child) { return differs(child, depth + 1); });
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
    bool isConstant = variable->getType().isConstQualified() && !variable->hasAttr<WeakAttr>();
    bool isOwn = variable->isLocalVarDecl() || isConstant || !variable->hasExternalFormalLinkage();
    auto uses = otherUses.find(variable->getCanonicalDecl());
    bool isOnlyRead = uses == otherUses.end() || uses->second == 0;
    isOnlyRead &= variable->isLocalVarDecl() || !isNamed(variable);
    return isOwn && isOnlyRead ? variable->getInit() : nullptr;
  }
};

} // namespace

std::unique_ptr<ASTConsumer> heddle::sourceReader(Source &source, Unseen &unseen) {
  return std::make_unique<Reader>(source, unseen);
}
