//! Symbols that assembly names: uses of functions and variables that LLVM does not list.
//!
//! **Promises**: each function and variable whose name is a word of the text has its address in a
//! variable that others may read, so that who follows addresses finds it. **Does not**: read the
//! text otherwise, or know names that an operand makes (`$0`).

use std::collections::HashSet;

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{Module, Opcode, borrowed_text};

/// The variable of the addresses.
const NAMED: &std::ffi::CStr = c"heddle.named";

impl Module {
    /// Takes the address of all that assembly names, in functions or beside them.
    pub fn take_named_addresses(&mut self) {
        let words = self.words_of_assembly();
        if words.is_empty() {
            return;
        }
        // As NVPTX prints them: what PTX has no letter for is `_$_`.
        let is_named = |name: &str| words.contains(&name.replace(['.', '@'], "_$_"));
        let functions = self.functions().filter(|it| is_named(&it.name())).map(|it| it.raw);
        let variables = self.globals().filter(|it| is_named(&it.name())).map(|it| it.raw);
        let mut named: Vec<LLVMValueRef> = functions.chain(variables).collect();
        if named.is_empty() {
            return;
        }
        // SAFETY: functions and variables of this module, which is borrowed mutably; the structure
        // is of constants of its context.
        unsafe {
            let count = named.len() as u32;
            let all = LLVMConstStructInContext(self.context(), named.as_mut_ptr(), count, 0);
            let global = LLVMAddGlobal(self.raw(), LLVMTypeOf(all), NAMED.as_ptr());
            LLVMSetInitializer(global, all);
        }
    }

    fn words_of_assembly(&self) -> HashSet<String> {
        let mut length = 0;
        // SAFETY: the module is alive, and keeps the bytes.
        let beside = unsafe {
            let text = LLVMGetModuleInlineAsm(self.raw(), &mut length);
            borrowed_text(text, length)
        };
        let calls = self.functions().flat_map(|it| it.instructions());
        let calls = calls.filter(|it| it.opcode() == Opcode::Call);
        let texts = calls.filter_map(|it| Some(it.callee()?.as_inline_asm()?.text));
        let mut words = HashSet::new();
        for text in texts.chain([beside]) {
            let is_letter = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '$' | '%');
            let text = text.replace("$$", "$");
            words.extend(text.split(|it| !is_letter(it)).map(str::to_owned));
        }
        words.remove("");
        words
    }
}
