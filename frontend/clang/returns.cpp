// Which returns of a kernel are written as `return`: returns.h says what is promised.

#include "returns.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace {

/// Whether an instruction is part of a `return` of its own function.
bool isOf(const Instruction &inst, const std::set<heddle::Spot> &returns) {
  const DebugLoc &at = inst.getDebugLoc();
  if (!at || at->getInlinedAt())
    return false;
  std::string file = sys::path::filename(at->getFilename()).str();
  return returns.count({file, at->getLine(), at->getColumn()}) != 0;
}

/// Whether a variable says where to go on after lives have ended: it has a name that no source can
/// give (`CodeGenFunction::getNormalCleanupDestSlot`), constants are stored there, and only switches
/// look.
bool isSlot(const Value *variable) {
  if (!isa<AllocaInst>(variable) || !variable->getName().starts_with("cleanup.dest"))
    return false;
  return all_of(variable->users(), [&](const User *user) {
    if (const auto *store = dyn_cast<StoreInst>(user))
      return store->getPointerOperand() == variable && isa<ConstantInt>(store->getValueOperand());
    const auto *load = dyn_cast<LoadInst>(user);
    return load && all_of(load->users(), [](const User *it) { return isa<SwitchInst>(it); });
  });
}

/// Whether control leaves a block by an early `return`: its end is part of one, or it says that it
/// goes on at the return, and is not part of a last one. That is the first place that clang numbers
/// in a function (`CodeGenFunction::StartFunction`).
bool leaves(const BasicBlock &block, const heddle::Returns &returns) {
  const Instruction *last = block.getTerminator();
  if (!last || last->getNumSuccessors() > 1)
    return false;
  if (isOf(*last, returns.early))
    return true;
  if (isOf(*last, returns.last))
    return false;
  const ConstantInt *to = nullptr;
  for (const Instruction &inst : block)
    if (const auto *store = dyn_cast<StoreInst>(&inst); store && isSlot(store->getPointerOperand()))
      to = dyn_cast<ConstantInt>(store->getValueOperand());
  return to && to->isOne();
}

} // namespace

void heddle::markReturns(Function &kernel, const Returns &returns, bool endsAfterItsText) {
  if (kernel.isDeclaration() || !kernel.getSubprogram())
    return;
  MDNode *mark = MDNode::get(kernel.getContext(), {});
  kernel.addFnAttr("heddle-written-returns");
  for (BasicBlock &block : kernel) {
    Instruction *last = block.getTerminator();
    const auto *choice = dyn_cast_or_null<SwitchInst>(last);
    const auto *load = choice ? dyn_cast<LoadInst>(choice->getCondition()) : nullptr;
    if (load && isSlot(load->getPointerOperand()))
      last->setMetadata("heddle.cleanup", mark);
    else if (leaves(block, returns) || (isa_and_nonnull<ReturnInst>(last) && !endsAfterItsText))
      last->setMetadata("heddle.return", mark);
  }
}
