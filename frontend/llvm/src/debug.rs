//! What debug info says: source positions with their inlining, and the names of variables and
//! members.
//!
//! The C API names few parts of debug info nodes; the rest is read by operand position, which is
//! the layout that LLVM 22 writes (`llvm/IR/DebugInfoMetadata.h`): a scope's file is operand 0, a
//! variable's and a type's name operand 1 or
//! 2. `frontend/tests/llvm.rs` holds these positions against a module that clang made.

use std::ffi::c_uint;
use std::path::Path;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMDbgRecordRef;

use super::metadata::Kind;
use super::{Argument, Function, Global, Inst, Metadata, Module, TypeKind, Value, borrowed_text};

unsafe extern "C" {
    // Read as a number: a kind that llvm-sys does not list must not become an enum.
    #[link_name = "LLVMDbgRecordGetKind"]
    fn record_kind(record: LLVMDbgRecordRef) -> c_uint;
}

/// `LLVMDbgRecordLabel`: the one record that names no variable.
const LABEL_RECORD: c_uint = 0;

/// A position in a source file, and the call that brought it here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file as the compiler was given it, `""` when unknown.
    pub file: String,
    /// The directory of the compilation, to which a relative `file` belongs.
    pub directory: String,
    /// From 1; 0 when the compiler made the instruction up.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
    /// The source function it stands in, `""` when unknown.
    pub function: String,
    /// That function's symbol, where it is another name than the source's; tells overloads and
    /// instances of templates apart.
    pub symbol: String,
    /// The call it was inlined at, innermost first.
    pub inlined_at: Option<Box<Location>>,
}

impl Location {
    /// The file as a reader here would name it: relative to the current folder where it was
    /// compiled there. clang splits an absolute path at what it shares with that folder (`/home/me`
    /// and `kernels/k.cu`, compiled in `/home/me/build`).
    pub fn path(&self) -> String {
        let (directory, file) = (Path::new(&self.directory), Path::new(&self.file));
        let here = std::env::current_dir().is_ok_and(|current| current == directory);
        if here
            || file.is_absolute()
            || self.file.starts_with('<')
            || directory.as_os_str().is_empty()
        {
            return self.file.clone();
        }
        directory.join(file).display().to_string()
    }
}

/// A variable or parameter of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugVariable {
    /// Its name.
    pub name: String,
    /// The file of its declaration.
    pub file: String,
    /// The line of its declaration, 0 when unknown.
    pub line: u32,
    /// For a parameter its position from 1, else 0. Of an inlined function it is that function's
    /// parameter.
    pub argument: u32,
    /// The struct members when it is a struct or a pointer to one, nested ones flattened: `a.b`.
    pub members: Vec<Member>,
}

/// Whether a number of the source has a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `int`, `long long`.
    Signed,
    /// `unsigned`, `size_t`, `bool`.
    Unsigned,
}

/// A member of a struct, with where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// `x`, or `a.x` for a member of a member.
    pub name: String,
    /// Its first byte in the struct.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it has a sign, where it is an integer.
    pub sign: Option<Sign>,
}

impl Location {
    pub(super) fn of_instruction(module: &Module, inst: Inst<'_>) -> Option<Location> {
        // SAFETY: an instruction; the answer is null or a `DILocation`.
        let raw = unsafe { Metadata::new(module.context(), LLVMInstructionGetDebugLoc(inst.raw)) }?;
        Location::read(module, raw)
    }

    /// Line and column in the function that the instruction is in: where it was written, or the
    /// call it was inlined at. Asked for each instruction, so it builds no [`Location`] where it
    /// need not.
    pub(super) fn outermost(module: &Module, inst: Inst<'_>) -> Option<(u32, u32)> {
        // SAFETY: an instruction; the answer is null or a `DILocation`, whose call is one or null.
        let (line, column, is_own) = unsafe {
            let at = LLVMInstructionGetDebugLoc(inst.raw);
            if at.is_null() {
                return None;
            }
            let call = LLVMDILocationGetInlinedAt(at);
            (LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at), call.is_null())
        };
        let (line, column) = match is_own {
            true => (line, column),
            false => {
                let location = Location::of_instruction(module, inst)?;
                location.chain().last().map(|it| (it.line, it.column))?
            }
        };
        (line > 0).then_some((line, column))
    }

    fn read(module: &Module, location: Metadata<'_>) -> Option<Location> {
        if location.kind() != Kind::Location {
            return None;
        }
        // SAFETY: it is a `DILocation`, and its scope a local scope.
        unsafe {
            let scope = Metadata::new(module.context(), LLVMDILocationGetScope(location.raw));
            let (directory, file) = scope.map(|s| file_of(module, s)).unwrap_or_default();
            let function = scope.and_then(subprogram_of);
            let outer = Metadata::new(module.context(), LLVMDILocationGetInlinedAt(location.raw))
                .filter(|outer| !is_opencl_kernel_calling_its_body(module, function, *outer));
            Some(Location {
                file,
                directory,
                line: LLVMDILocationGetLine(location.raw),
                column: LLVMDILocationGetColumn(location.raw),
                function: function.and_then(name_at(2)).unwrap_or_default(),
                symbol: function.and_then(name_at(3)).unwrap_or_default(),
                inlined_at: outer.and_then(|o| Location::read(module, o)).map(Box::new),
            })
        }
    }

    /// The chain from here outwards: this location, the call it was inlined at, that one's call,
    /// and so on.
    pub fn chain(&self) -> impl Iterator<Item = &Location> {
        std::iter::successors(Some(self), |at| at.inlined_at.as_deref())
    }
}

/// clang makes two functions of an OpenCL kernel: the body, and an entry of the same name at the
/// same line, which only calls it. A reader sees one kernel, so this call is left out of the chain.
fn is_opencl_kernel_calling_its_body(
    module: &Module,
    body: Option<Metadata<'_>>,
    call: Metadata<'_>,
) -> bool {
    // SAFETY: `call` is a `DILocation`, and what it names is one or null, or a local scope.
    let (entry, outermost) = unsafe {
        let scope = Metadata::new(module.context(), LLVMDILocationGetScope(call.raw));
        (scope.and_then(subprogram_of), LLVMDILocationGetInlinedAt(call.raw).is_null())
    };
    let (Some(body), Some(entry)) = (body, entry) else { return false };
    let same_name = name_at(2)(body).is_some_and(|name| name_at(2)(entry) == Some(name));
    // SAFETY: both are subprograms.
    let same_line =
        unsafe { LLVMDISubprogramGetLine(body.raw) == LLVMDISubprogramGetLine(entry.raw) };
    outermost && same_name && same_line && body != entry
}

/// Directory and name of the file of a scope or of a variable's scope.
///
/// # Safety
/// `scope` is a `DIScope`.
unsafe fn file_of(module: &Module, scope: Metadata<'_>) -> (String, String) {
    // SAFETY: the caller's promise; the answer is null or a `DIFile`.
    unsafe {
        match Metadata::new(module.context(), LLVMDIScopeGetFile(scope.raw)) {
            Some(file) => file_parts(file),
            None => Default::default(),
        }
    }
}

fn file_parts(file: Metadata<'_>) -> (String, String) {
    if file.kind() != Kind::File {
        return Default::default();
    }
    let (mut directory_len, mut name_len) = (0, 0);
    // SAFETY: it is a `DIFile`; LLVM keeps the bytes.
    unsafe {
        (
            borrowed_text(
                LLVMDIFileGetDirectory(file.raw, &mut directory_len),
                directory_len as usize,
            ),
            borrowed_text(LLVMDIFileGetFilename(file.raw, &mut name_len), name_len as usize),
        )
    }
}

/// The function around a lexical block.
fn subprogram_of(scope: Metadata<'_>) -> Option<Metadata<'_>> {
    let mut at = scope;
    // Scopes nest as deep as braces do; a malformed cycle must not hang.
    for _ in 0..1000 {
        match at.kind() {
            Kind::Subprogram => return Some(at),
            Kind::LexicalBlock => at = at.operand(1)?,
            _ => return None,
        }
    }
    None
}

fn name_at<'m>(index: usize) -> impl Fn(Metadata<'m>) -> Option<String> {
    move |node| node.operand(index).and_then(Metadata::string)
}

impl DebugVariable {
    pub(super) fn recorded_before<'m>(
        module: &'m Module,
        inst: Inst<'m>,
    ) -> Vec<(DebugVariable, Value<'m>)> {
        let mut found = Vec::new();
        // SAFETY: the list of records of an instruction, which ends with null; a record that is not
        // a label is a variable record, whose first location is null or a value of this module.
        unsafe {
            let mut record = LLVMGetFirstDbgRecord(inst.raw);
            while !record.is_null() {
                if record_kind(record) != LABEL_RECORD {
                    let value = LLVMDbgVariableRecordGetValue(record, 0);
                    let variable =
                        Metadata::new(module.context(), LLVMDbgVariableRecordGetVariable(record));
                    if let Some(variable) =
                        variable.and_then(DebugVariable::read).filter(|_| !value.is_null())
                    {
                        found.push((variable, Value::new(value)));
                    }
                }
                record = LLVMGetNextDbgRecord(record);
            }
        }
        found
    }

    /// Reads a `DILocalVariable` or `DIGlobalVariable`.
    fn read(variable: Metadata<'_>) -> Option<DebugVariable> {
        let local = variable.kind() == Kind::LocalVariable;
        if !local && variable.kind() != Kind::GlobalVariable {
            return None;
        }
        let name = name_at(1)(variable)?;
        let file = variable.operand(2).map(|f| file_parts(f).1).unwrap_or_default();
        // SAFETY: it is a `DIVariable`.
        let line = unsafe { LLVMDIVariableGetLine(variable.raw) };
        let members = variable.operand(3).map(members_behind).unwrap_or_default();
        Some(DebugVariable { name, file, line, argument: 0, members })
    }

    /// The source variable a global stands for.
    pub fn of_global(module: &Module, global: Global<'_>) -> Option<DebugVariable> {
        let attached =
            Metadata::attached_to_global(module.context(), global.raw, "dbg").into_iter().next()?;
        if attached.kind() != Kind::GlobalVariableExpression {
            return None;
        }
        // SAFETY: it is a global variable expression.
        let variable = unsafe {
            Metadata::new(module.context(), LLVMDIGlobalVariableExpressionGetVariable(attached.raw))
        };
        variable.and_then(DebugVariable::read)
    }
}

/// The members of a struct type, seen through pointers, references, arrays, typedefs and
/// qualifiers.
fn members_behind(ty: Metadata<'_>) -> Vec<Member> {
    let mut members = Vec::new();
    if let Some(composite) = composite_behind(ty) {
        collect_members(composite, "", 0, 0, &mut members);
    }
    members
}

/// The base type is operand 3 of derived and composite types (5 before it moved); found by its kind
/// instead.
fn composite_behind(ty: Metadata<'_>) -> Option<Metadata<'_>> {
    let mut at = ty;
    for _ in 0..16 {
        match at.kind() {
            Kind::CompositeType => {
                if has_members(at) {
                    return Some(at);
                }
                at = base_type(at)?;
            }
            Kind::DerivedType => at = base_type(at)?,
            _ => return None,
        }
    }
    None
}

fn base_type(ty: Metadata<'_>) -> Option<Metadata<'_>> {
    // Operands before it are file, scope and name; a scope can be a type too, so it is skipped by
    // position.
    ty.operands()
        .into_iter()
        .skip(3)
        .flatten()
        .find(|o| matches!(o.kind(), Kind::CompositeType | Kind::DerivedType | Kind::BasicType))
}

const TAG_MEMBER: u16 = 0x0d;
const TAG_ARRAY: u16 = 0x01;

fn has_members(composite: Metadata<'_>) -> bool {
    // SAFETY: it is a `DINode`.
    unsafe { LLVMGetDINodeTag(composite.raw) != TAG_ARRAY }
}

fn collect_members(
    composite: Metadata<'_>,
    prefix: &str,
    base: u64,
    depth: u32,
    out: &mut Vec<Member>,
) {
    let Some(elements) =
        composite.operands().into_iter().skip(3).flatten().find(|o| o.kind() == Kind::Tuple)
    else {
        return;
    };
    for member in elements.operands().into_iter().flatten() {
        if member.kind() != Kind::DerivedType {
            continue;
        }
        // SAFETY: it is a derived type.
        let (tag, flags, offset, size) = unsafe {
            (
                LLVMGetDINodeTag(member.raw),
                LLVMDITypeGetFlags(member.raw),
                LLVMDITypeGetOffsetInBits(member.raw) / 8,
                LLVMDITypeGetSizeInBits(member.raw) / 8,
            )
        };
        // A static member is no part of the object.
        if tag != TAG_MEMBER || flags & LLVMDIFlagStaticMember != 0 {
            continue;
        }
        let own = name_at(2)(member).unwrap_or_default();
        let name = match (prefix.is_empty(), own.is_empty()) {
            (_, true) => prefix.to_owned(),
            (true, false) => own,
            (false, false) => format!("{prefix}.{own}"),
        };
        let inner = base_type(member).filter(|_| depth < 4).and_then(struct_itself);
        match inner {
            Some(inner) => collect_members(inner, &name, base + offset, depth + 1, out),
            None => {
                let sign = base_type(member).and_then(integer).map(|(_, sign)| sign);
                out.push(Member { name, offset: base + offset, size, sign });
            }
        }
    }
}

/// The struct that a type is, seen through typedefs and qualifiers but not through pointers and
/// arrays.
fn struct_itself(ty: Metadata<'_>) -> Option<Metadata<'_>> {
    let itself = unqualified(ty)?;
    (itself.kind() == Kind::CompositeType && has_members(itself)).then_some(itself)
}

/// The type itself, without typedefs, `const`, `volatile` and `restrict`.
fn unqualified(ty: Metadata<'_>) -> Option<Metadata<'_>> {
    const TAG_TYPEDEF: u16 = 0x16;
    const TAG_CONST: u16 = 0x26;
    const TAG_VOLATILE: u16 = 0x35;
    const TAG_RESTRICT: u16 = 0x37;
    let mut at = ty;
    for _ in 0..16 {
        if at.kind() != Kind::DerivedType {
            return Some(at);
        }
        // SAFETY: types are `DINode`s.
        let tag = unsafe { LLVMGetDINodeTag(at.raw) };
        if ![TAG_TYPEDEF, TAG_CONST, TAG_VOLATILE, TAG_RESTRICT].contains(&tag) {
            return None;
        }
        at = base_type(at)?;
    }
    None
}

/// The bits and the sign of a type that is an integer of the source. The C API does not give a
/// basic type's encoding, so its name decides: those of C, C++ and OpenCL as clang writes them, and
/// those of Rust. Any other name is no integer here.
fn integer(ty: Metadata<'_>) -> Option<(u64, Sign)> {
    let itself = unqualified(ty).filter(|it| it.kind() == Kind::BasicType)?;
    // SAFETY: it is a type.
    let bits = unsafe { LLVMDITypeGetSizeInBits(itself.raw) };
    let sign = match name_at(2)(itself)?.as_str() {
        "char" | "signed char" | "short" | "int" | "long" | "long long" | "__int128" | "i8"
        | "i16" | "i32" | "i64" | "i128" | "isize" => Sign::Signed,
        "unsigned char" | "unsigned short" | "unsigned int" | "unsigned long"
        | "unsigned long long" | "unsigned __int128" | "u8" | "u16" | "u32" | "u64" | "u128"
        | "usize" => Sign::Unsigned,
        _ => return None,
    };
    Some((bits, sign))
}

impl Function<'_> {
    /// Whether each parameter has a sign, where debug info says that it is an integer of as many
    /// bits as the argument has; all unknown where it lists other parameters than the function has.
    pub fn parameter_signs(self, module: &Module) -> Vec<Option<Sign>> {
        let arguments = self.arguments();
        let declared = self.declared_types(module).filter(|it| it.len() == arguments.len());
        let Some(declared) = declared else { return vec![None; arguments.len()] };
        let sign = |(ty, argument): (Option<Metadata<'_>>, &Argument<'_>)| {
            let (bits, sign) = integer(ty?)?;
            (argument.ty().kind() == TypeKind::Int(u32::try_from(bits).ok()?)).then_some(sign)
        };
        declared.into_iter().zip(&arguments).map(sign).collect()
    }

    /// The types of the parameters as the source declares them.
    fn declared_types(self, module: &Module) -> Option<Vec<Option<Metadata<'_>>>> {
        // SAFETY: a function; the answer is null or its `DISubprogram`.
        let subprogram = unsafe { Metadata::new(module.context(), LLVMGetSubprogram(self.raw)) }?;
        // A subprogram's type is operand 4; its one tuple lists the result, then the parameters.
        let operands = subprogram.operand(4)?.operands();
        let list = operands.into_iter().flatten().find(|it| it.kind() == Kind::Tuple)?;
        Some(list.operands().into_iter().skip(1).collect())
    }
}
