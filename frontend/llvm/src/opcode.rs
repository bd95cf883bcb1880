//! Names for what LLVM numbers: opcodes, predicates, atomic operations, orderings, scopes.
//!
//! They are our own enums, so that an exhaustive `match` in the lifter breaks when LLVM grows a
//! case, and so that no other file needs to name `llvm_sys`.

use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate,
};

macro_rules! mirrored {
    ($(#[$meta:meta])* $name:ident from $raw:ident { $($variant:ident = $source:ident => $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $(#[doc = concat!("`", $text, "`")] $variant,)* }

        impl $name {
            pub(super) fn from_raw(raw: $raw) -> Self {
                match raw { $($raw::$source => Self::$variant,)* }
            }

            /// The word LLVM's textual IR uses.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

mirrored! {
    /// Instruction opcodes (LLVM 22), which are also the opcodes of constant expressions.
    Opcode from LLVMOpcode {
        Ret = LLVMRet => "ret",
        Br = LLVMBr => "br",
        Switch = LLVMSwitch => "switch",
        IndirectBr = LLVMIndirectBr => "indirectbr",
        Invoke = LLVMInvoke => "invoke",
        Unreachable = LLVMUnreachable => "unreachable",
        CallBr = LLVMCallBr => "callbr",
        FNeg = LLVMFNeg => "fneg",
        Add = LLVMAdd => "add",
        FAdd = LLVMFAdd => "fadd",
        Sub = LLVMSub => "sub",
        FSub = LLVMFSub => "fsub",
        Mul = LLVMMul => "mul",
        FMul = LLVMFMul => "fmul",
        UDiv = LLVMUDiv => "udiv",
        SDiv = LLVMSDiv => "sdiv",
        FDiv = LLVMFDiv => "fdiv",
        URem = LLVMURem => "urem",
        SRem = LLVMSRem => "srem",
        FRem = LLVMFRem => "frem",
        Shl = LLVMShl => "shl",
        LShr = LLVMLShr => "lshr",
        AShr = LLVMAShr => "ashr",
        And = LLVMAnd => "and",
        Or = LLVMOr => "or",
        Xor = LLVMXor => "xor",
        Alloca = LLVMAlloca => "alloca",
        Load = LLVMLoad => "load",
        Store = LLVMStore => "store",
        GetElementPtr = LLVMGetElementPtr => "getelementptr",
        Trunc = LLVMTrunc => "trunc",
        ZExt = LLVMZExt => "zext",
        SExt = LLVMSExt => "sext",
        FPToUI = LLVMFPToUI => "fptoui",
        FPToSI = LLVMFPToSI => "fptosi",
        UIToFP = LLVMUIToFP => "uitofp",
        SIToFP = LLVMSIToFP => "sitofp",
        FPTrunc = LLVMFPTrunc => "fptrunc",
        FPExt = LLVMFPExt => "fpext",
        PtrToInt = LLVMPtrToInt => "ptrtoint",
        PtrToAddr = LLVMPtrToAddr => "ptrtoaddr",
        IntToPtr = LLVMIntToPtr => "inttoptr",
        BitCast = LLVMBitCast => "bitcast",
        AddrSpaceCast = LLVMAddrSpaceCast => "addrspacecast",
        ICmp = LLVMICmp => "icmp",
        FCmp = LLVMFCmp => "fcmp",
        Phi = LLVMPHI => "phi",
        Call = LLVMCall => "call",
        Select = LLVMSelect => "select",
        UserOp1 = LLVMUserOp1 => "userop1",
        UserOp2 = LLVMUserOp2 => "userop2",
        VAArg = LLVMVAArg => "va_arg",
        ExtractElement = LLVMExtractElement => "extractelement",
        InsertElement = LLVMInsertElement => "insertelement",
        ShuffleVector = LLVMShuffleVector => "shufflevector",
        ExtractValue = LLVMExtractValue => "extractvalue",
        InsertValue = LLVMInsertValue => "insertvalue",
        Freeze = LLVMFreeze => "freeze",
        Fence = LLVMFence => "fence",
        CmpXchg = LLVMAtomicCmpXchg => "cmpxchg",
        AtomicRmw = LLVMAtomicRMW => "atomicrmw",
        Resume = LLVMResume => "resume",
        LandingPad = LLVMLandingPad => "landingpad",
        CleanupRet = LLVMCleanupRet => "cleanupret",
        CatchRet = LLVMCatchRet => "catchret",
        CatchPad = LLVMCatchPad => "catchpad",
        CleanupPad = LLVMCleanupPad => "cleanuppad",
        CatchSwitch = LLVMCatchSwitch => "catchswitch",
    }
}

impl Opcode {
    /// Whether it makes a value of values, touches nothing, and goes nowhere.
    pub fn computes(self) -> bool {
        match self {
            Opcode::FNeg
            | Opcode::Add
            | Opcode::FAdd
            | Opcode::Sub
            | Opcode::FSub
            | Opcode::Mul
            | Opcode::FMul
            | Opcode::UDiv
            | Opcode::SDiv
            | Opcode::FDiv
            | Opcode::URem
            | Opcode::SRem
            | Opcode::FRem
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::GetElementPtr
            | Opcode::Trunc
            | Opcode::ZExt
            | Opcode::SExt
            | Opcode::FPToUI
            | Opcode::FPToSI
            | Opcode::UIToFP
            | Opcode::SIToFP
            | Opcode::FPTrunc
            | Opcode::FPExt
            | Opcode::PtrToInt
            | Opcode::PtrToAddr
            | Opcode::IntToPtr
            | Opcode::BitCast
            | Opcode::AddrSpaceCast
            | Opcode::ICmp
            | Opcode::FCmp
            | Opcode::Phi
            | Opcode::Select
            | Opcode::ExtractElement
            | Opcode::InsertElement
            | Opcode::ShuffleVector
            | Opcode::ExtractValue
            | Opcode::InsertValue
            | Opcode::Freeze => true,
            Opcode::Ret
            | Opcode::Br
            | Opcode::Switch
            | Opcode::IndirectBr
            | Opcode::Invoke
            | Opcode::Unreachable
            | Opcode::CallBr
            | Opcode::Alloca
            | Opcode::Load
            | Opcode::Store
            | Opcode::Call
            | Opcode::UserOp1
            | Opcode::UserOp2
            | Opcode::VAArg
            | Opcode::Fence
            | Opcode::CmpXchg
            | Opcode::AtomicRmw
            | Opcode::Resume
            | Opcode::LandingPad
            | Opcode::CleanupRet
            | Opcode::CatchRet
            | Opcode::CatchPad
            | Opcode::CleanupPad
            | Opcode::CatchSwitch => false,
        }
    }
}

mirrored! {
    /// Predicates of `icmp`.
    IntPredicate from LLVMIntPredicate {
        Eq = LLVMIntEQ => "eq",
        Ne = LLVMIntNE => "ne",
        Ugt = LLVMIntUGT => "ugt",
        Uge = LLVMIntUGE => "uge",
        Ult = LLVMIntULT => "ult",
        Ule = LLVMIntULE => "ule",
        Sgt = LLVMIntSGT => "sgt",
        Sge = LLVMIntSGE => "sge",
        Slt = LLVMIntSLT => "slt",
        Sle = LLVMIntSLE => "sle",
    }
}

mirrored! {
    /// Predicates of `fcmp`.
    FloatPredicate from LLVMRealPredicate {
        False = LLVMRealPredicateFalse => "false",
        Oeq = LLVMRealOEQ => "oeq",
        Ogt = LLVMRealOGT => "ogt",
        Oge = LLVMRealOGE => "oge",
        Olt = LLVMRealOLT => "olt",
        Ole = LLVMRealOLE => "ole",
        One = LLVMRealONE => "one",
        Ord = LLVMRealORD => "ord",
        Uno = LLVMRealUNO => "uno",
        Ueq = LLVMRealUEQ => "ueq",
        Ugt = LLVMRealUGT => "ugt",
        Uge = LLVMRealUGE => "uge",
        Ult = LLVMRealULT => "ult",
        Ule = LLVMRealULE => "ule",
        Une = LLVMRealUNE => "une",
        True = LLVMRealPredicateTrue => "true",
    }
}

mirrored! {
    /// Operations of `atomicrmw`.
    AtomicOp from LLVMAtomicRMWBinOp {
        Xchg = LLVMAtomicRMWBinOpXchg => "xchg",
        Add = LLVMAtomicRMWBinOpAdd => "add",
        Sub = LLVMAtomicRMWBinOpSub => "sub",
        And = LLVMAtomicRMWBinOpAnd => "and",
        Nand = LLVMAtomicRMWBinOpNand => "nand",
        Or = LLVMAtomicRMWBinOpOr => "or",
        Xor = LLVMAtomicRMWBinOpXor => "xor",
        Max = LLVMAtomicRMWBinOpMax => "max",
        Min = LLVMAtomicRMWBinOpMin => "min",
        UMax = LLVMAtomicRMWBinOpUMax => "umax",
        UMin = LLVMAtomicRMWBinOpUMin => "umin",
        FAdd = LLVMAtomicRMWBinOpFAdd => "fadd",
        FSub = LLVMAtomicRMWBinOpFSub => "fsub",
        FMax = LLVMAtomicRMWBinOpFMax => "fmax",
        FMin = LLVMAtomicRMWBinOpFMin => "fmin",
        UIncWrap = LLVMAtomicRMWBinOpUIncWrap => "uinc_wrap",
        UDecWrap = LLVMAtomicRMWBinOpUDecWrap => "udec_wrap",
        USubCond = LLVMAtomicRMWBinOpUSubCond => "usub_cond",
        USubSat = LLVMAtomicRMWBinOpUSubSat => "usub_sat",
        FMaximum = LLVMAtomicRMWBinOpFMaximum => "fmaximum",
        FMinimum = LLVMAtomicRMWBinOpFMinimum => "fminimum",
    }
}

mirrored! {
    /// Orderings of atomic operations; [`Ordering::NotAtomic`] on plain loads and stores.
    Ordering from LLVMAtomicOrdering {
        NotAtomic = LLVMAtomicOrderingNotAtomic => "not_atomic",
        Unordered = LLVMAtomicOrderingUnordered => "unordered",
        Monotonic = LLVMAtomicOrderingMonotonic => "monotonic",
        Acquire = LLVMAtomicOrderingAcquire => "acquire",
        Release = LLVMAtomicOrderingRelease => "release",
        AcqRel = LLVMAtomicOrderingAcquireRelease => "acq_rel",
        SeqCst = LLVMAtomicOrderingSequentiallyConsistent => "seq_cst",
    }
}

/// The synchronization scope of an atomic operation or fence, by the name that `syncscope("…")`
/// gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncScope {
    /// No `syncscope`: all threads of all devices.
    System,
    /// `singlethread`: only signal handlers of the same thread.
    SingleThread,
    /// `block` or `workgroup`.
    Block,
    /// `cluster` (NVPTX).
    Cluster,
    /// `device` or `agent`.
    Device,
    /// `subgroup` or `wavefront`.
    Warp,
    /// Another name, which no target that is read here defines.
    Other,
}
