//! Which returns of a function are written as `return`.
//!
//! **What**: `if (c) return; rest` and `if (!c) { rest }` are one control flow, but only in the
//! first do threads return early; in the second they pass `rest` by and come to the end like all
//! others. Clang's code tells the two apart until some pass changes its blocks. A mark on the
//! branches by which a `return` leaves keeps what it tells.
//! **Method**: clang ends a `return` with a block's own branch to the block that returns, or, where
//! variables end their lives on the way, with a store of 1 to the slot that says where to go on
//! after that (its index of the return; `CodeGenFunction::EmitReturnStmt`). The end of the function
//! is the branch of the block that is laid out before the one that returns.
//! **Promises**: only functions that look as clang writes them, a variable on the stack for each
//! parameter, are marked at all ([`Function::tells_returns`]).
//! **Does not**: tell the two apart where the last statement of a function is a `return` on one
//! side of an `if`; that one counts as the end.

use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{Block, Function, Inst, Module, Opcode, Value};

/// The attribute of functions whose returns are marked.
const TELLS: &str = "heddle-written-returns";
/// The metadata of a branch by which a `return` leaves.
const LEAVES: &str = "heddle.return";
/// The metadata of a switch that goes on after lives have ended.
const GOES_ON: &str = "heddle.cleanup";
/// Clang's index of the return among the places to go on at.
pub const RETURN: u128 = 1;

impl Module {
    /// Marks the written returns of some functions. To be called before any pass.
    pub fn mark_written_returns(&mut self, wanted: &dyn Fn(Function<'_>) -> bool) {
        let mut functions: Vec<LLVMValueRef> = Vec::new();
        let mut marks: Vec<(LLVMValueRef, &str)> = Vec::new();
        for function in self.functions().filter(|it| !it.is_declaration() && wanted(*it)) {
            if !is_as_written(function) {
                continue;
            }
            functions.push(function.raw);
            let slots = slots(function);
            let ends = ends(function);
            for block in function.blocks() {
                let Some(last) = block.terminator() else { continue };
                if last.opcode() == Opcode::Switch && reads_slot(last, &slots) {
                    marks.push((last.raw, GOES_ON));
                } else if stores_return(block, &slots) || ends.contains(&block) {
                    marks.push((last.raw, LEAVES));
                }
            }
        }
        let context = self.context();
        // SAFETY: functions and instructions of this module, which is borrowed mutably; names are
        // given with their lengths, and nodes may be empty.
        unsafe {
            for function in functions {
                let (name, none) = (TELLS, "");
                let attribute = LLVMCreateStringAttribute(
                    context,
                    name.as_ptr().cast(),
                    name.len() as u32,
                    none.as_ptr().cast(),
                    0,
                );
                LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
            }
            for (inst, name) in marks {
                let kind =
                    LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32);
                let node = LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0);
                LLVMSetMetadata(inst, kind, LLVMMetadataAsValue(context, node));
            }
        }
    }
}

impl Function<'_> {
    /// Whether its written returns are marked.
    pub fn tells_returns(self) -> bool {
        self.attribute(TELLS).is_some()
    }
}

impl<'m> Inst<'m> {
    /// Whether it is the branch by which a written `return` leaves.
    pub fn leaves_by_return(self, module: &'m Module) -> bool {
        self.metadata(module, LEAVES).is_some()
    }

    /// Whether it is a switch that goes on after lives have ended: at the return, where its value
    /// is [`RETURN`].
    pub fn goes_on_after_lives(self, module: &'m Module) -> bool {
        self.metadata(module, GOES_ON).is_some()
    }
}

/// Whether a function looks as clang writes it: parameters are stored to variables of their own.
fn is_as_written(function: Function<'_>) -> bool {
    function.arguments().into_iter().all(|it| {
        let users = it.as_value().users();
        it.attribute("byval").is_some()
            || users.into_iter().filter_map(Value::as_inst).all(is_spill)
    })
}

fn is_spill(user: Inst<'_>) -> bool {
    match user.opcode() {
        Opcode::Store => user
            .pointer_operand()
            .and_then(Value::as_inst)
            .is_some_and(|to| matches!(to.opcode(), Opcode::Alloca | Opcode::GetElementPtr)),
        // A truth value is widened, and a small vector changes its type.
        Opcode::ZExt | Opcode::BitCast => true,
        _ => false,
    }
}

/// Variables that say where to go on after lives have ended: constants are stored there, and only
/// switches look.
fn slots(function: Function<'_>) -> Vec<Value<'_>> {
    let is_slot = |inst: &Inst<'_>| {
        let users: Vec<Inst<'_>> =
            inst.as_value().users().into_iter().filter_map(Value::as_inst).collect();
        let stores_constant = |it: &Inst<'_>| {
            it.opcode() == Opcode::Store
                && it.operand(0).is_some_and(|stored| stored.const_int().is_some())
        };
        let chooses = |it: &Inst<'_>| {
            let mut users = it.as_value().users().into_iter().filter_map(Value::as_inst);
            it.opcode() == Opcode::Load && users.all(|user| user.opcode() == Opcode::Switch)
        };
        inst.opcode() == Opcode::Alloca
            && users.iter().any(|it| it.opcode() == Opcode::Load)
            && users.iter().all(|it| stores_constant(it) || chooses(it))
    };
    function.instructions().filter(is_slot).map(Inst::as_value).collect()
}

/// Whether a switch looks at one of these variables.
fn reads_slot(switch: Inst<'_>, slots: &[Value<'_>]) -> bool {
    let load = switch.condition().and_then(Value::as_inst);
    let load = load.filter(|it| it.opcode() == Opcode::Load);
    load.and_then(Inst::pointer_operand).is_some_and(|at| slots.contains(&at))
}

/// Whether the last that a block says of where it goes on is that it does at the return.
fn stores_return(block: Block<'_>, slots: &[Value<'_>]) -> bool {
    let says = |it: &Inst<'_>| {
        it.opcode() == Opcode::Store && it.pointer_operand().is_some_and(|at| slots.contains(&at))
    };
    let said = block.instructions().filter(says).last();
    block.successors().len() == 1
        && said.and_then(|it| it.operand(0)).and_then(Value::const_int) == Some(RETURN)
}

/// Blocks that branch to the one that returns, and to nothing else, but for the one that is laid
/// out before it.
fn ends(function: Function<'_>) -> Vec<Block<'_>> {
    let blocks: Vec<Block<'_>> = function.blocks().collect();
    let returns = |block: &Block<'_>| {
        let mut all = block.instructions();
        all.next().is_some_and(|it| it.opcode() == Opcode::Ret) && all.next().is_none()
    };
    let Some(at) = blocks.iter().position(returns) else { return Vec::new() };
    let is_end = |(index, block): &(usize, &Block<'_>)| {
        index + 1 != at && block.successors() == [blocks[at]]
    };
    blocks.iter().enumerate().filter(is_end).map(|(_, block)| *block).collect()
}
