// Which returns of a kernel are written as `return`: returns.h says what is promised.

#include "returns.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <set>
#include <vector>

namespace {

/// Marks, in place of instructions: no PTX looks like that.
constexpr char STARTS[] = "heddle: starts";
constexpr char RETURNS[] = "heddle: returns";

class Marker : public clang::ASTConsumer, public clang::RecursiveASTVisitor<Marker> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }

  void Initialize(clang::ASTContext &of) override { context = &of; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *decl : group)
      TraverseDecl(decl);
    return true;
  }

  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override { VisitFunctionDecl(function); }

  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (!function->hasAttr<clang::CUDAGlobalAttr>() || !function->doesThisDeclarationHaveABody() ||
        function->isDependentContext())
      return true;
    auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody());
    if (!body || !marked.insert(function).second)
      return true;
    markIn(body, lastOf(body));
    std::vector<clang::Stmt *> statements{mark(STARTS, body->getLBracLoc())};
    statements.insert(statements.end(), body->body_begin(), body->body_end());
    clang::FPOptionsOverride floats;
    if (body->hasStoredFPFeatures())
      floats = body->getStoredFPFeatures();
    function->setBody(
        clang::CompoundStmt::Create(*context, statements, floats, body->getLBracLoc(), body->getRBracLoc()));
    return true;
  }

private:
  clang::ASTContext *context = nullptr;
  std::set<const clang::FunctionDecl *> marked;

  /// `asm volatile`, which stays where it is.
  clang::Stmt *mark(llvm::StringRef text, clang::SourceLocation at) {
    clang::QualType type = context->getStringLiteralArrayType(context->CharTy, text.size());
    clang::Expr *literal = clang::StringLiteral::Create(*context, text, clang::StringLiteralKind::Ordinary,
                                                        /*Pascal=*/false, type, at);
    return new (*context) clang::GCCAsmStmt(*context, at, /*issimple=*/true, /*isvolatile=*/true, 0, 0, nullptr, nullptr,
                                            nullptr, literal, 0, nullptr, 0, at);
  }

  bool isNever(const clang::Expr *condition) const {
    bool value = true;
    return !condition->isInstantiationDependent() && condition->EvaluateAsBooleanCondition(value, *context) && !value;
  }

  /// The last statement, that of a compound if it is one.
  const clang::Stmt *lastOf(const clang::Stmt *statement) const {
    for (;;) {
      if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
        const clang::Stmt *last = nullptr;
        for (const clang::Stmt *inner : compound->body())
          if (!llvm::isa<clang::NullStmt>(inner))
            last = inner;
        if (!last)
          return statement;
        statement = last;
      } else if (const auto *once = llvm::dyn_cast<clang::DoStmt>(statement);
                 once && isNever(once->getCond())) {
        statement = once->getBody();
      } else if (const auto *labelled = llvm::dyn_cast<clang::LabelStmt>(statement)) {
        statement = labelled->getSubStmt();
      } else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
        statement = attributed->getSubStmt();
      } else {
        return statement;
      }
    }
  }

  /// Marks what returns inside of a statement, but for the last statement of the kernel.
  void markIn(clang::Stmt *statement, const clang::Stmt *last) {
    if (llvm::isa<clang::LambdaExpr, clang::BlockExpr>(statement))
      return;
    for (clang::Stmt *&inner : statement->children()) {
      if (!inner)
        continue;
      markIn(inner, last);
      if (!llvm::isa<clang::ReturnStmt>(inner) || inner == last)
        continue;
      clang::SourceLocation from = inner->getBeginLoc(), to = inner->getEndLoc();
      inner = clang::CompoundStmt::Create(*context, {mark(RETURNS, from), inner}, clang::FPOptionsOverride(), from, to);
    }
  }
};

bool isMark(const llvm::Instruction &inst, llvm::StringRef text) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
  const auto *code = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return code && code->getAsmString() == text;
}

} // namespace

std::unique_ptr<clang::ASTConsumer> heddle::returnMarker() { return std::make_unique<Marker>(); }

void heddle::tellReturns(llvm::Module &module) {
  for (llvm::Function &function : module) {
    std::vector<llvm::Instruction *> starts, returns, ends;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &inst : block) {
        if (isMark(inst, STARTS))
          starts.push_back(&inst);
        else if (isMark(inst, RETURNS))
          returns.push_back(&inst);
        else if (llvm::isa<llvm::ReturnInst>(inst))
          ends.push_back(&inst);
      }
    if (starts.empty())
      continue;
    function.addFnAttr("heddle-written-returns");
    llvm::BasicBlock &entry = function.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    llvm::Type *bit = builder.getInt1Ty();
    llvm::AllocaInst *variable = builder.CreateAlloca(bit, nullptr, "heddle.returned");
    builder.SetInsertPoint(&entry, std::next(variable->getIterator()));
    builder.CreateStore(builder.getFalse(), variable);
    for (llvm::Instruction *inst : returns) {
      builder.SetInsertPoint(inst);
      builder.CreateStore(builder.getTrue(), variable);
    }
    for (llvm::Instruction *inst : ends) {
      builder.SetInsertPoint(inst);
      builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::fake_use, {builder.CreateLoad(bit, variable)});
    }
    for (llvm::Instruction *inst : starts)
      inst->eraseFromParent();
    for (llvm::Instruction *inst : returns)
      inst->eraseFromParent();
  }
}
