//! The memory objects and parameters of a kernel.

use heddle_ir::{
    ExprId, Family, Initial, LaunchBounds, Object, ObjectId, ObjectKind, Param, ParamKind, Shape,
    Sign, Space, Target,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lifter;
use super::only_read::only_read;
use super::pointer::Pointer;
use super::shape::{shape_behind, shape_of};
use super::value::{Val, elements, scalar_width};
use crate::prepare::kernels;
use crate::symbol::demangled;
use heddle_llvm::{
    Argument, Function, Global, Inst, Member, Module, Opcode, Type, TypeKind, Value, ValueKind,
};

/// Bytes from one line of an image to the next, as lifting numbers them: more than any image has in
/// a line.
pub(super) const LINE: u64 = 1 << 24;

/// The same from one plane, or layer, to the next.
pub(super) const PLANE: u64 = 1 << 42;

/// What the lifter knows of objects beside the kernel's own table.
pub(super) struct Objects<'m> {
    /// SPIR-V numbers address spaces in its own way.
    spirv: bool,
    by_value: FxHashMap<Value<'m>, ObjectId>,
    dynamic_shared: Option<ObjectId>,
    unknown: Vec<(Space, ObjectId)>,
    names: FxHashSet<String>,
    /// Structures passed by value and only read: the position of the parameter.
    pub(super) structures: FxHashMap<ObjectId, u32>,
    fields: FxHashMap<(u32, u64, u8), ExprId>,
    members: FxHashMap<(u32, u64), ObjectId>,
    /// By the name of its handle: an image or a surface.
    texels: FxHashMap<String, ObjectId>,
    /// Those whose initialiser has addresses of variables that can be written.
    pub(super) leading: FxHashSet<ObjectId>,
    /// Constant objects with their initial value.
    pub(super) initial: FxHashMap<ObjectId, Value<'m>>,
}

/// What a module and a function say about their target.
pub(super) fn target_of(module: &Module, function: Function<'_>) -> Target {
    let spirv = is_spirv(&module.triple());
    let cpu = function.attribute("target-cpu").and_then(|a| a.string_value()).unwrap_or_default();
    let digits: String =
        cpu.trim_start_matches("sm_").chars().take_while(char::is_ascii_digit).collect();
    Target {
        family: if spirv { Family::Spirv } else { Family::Nvptx },
        sm: digits.parse().unwrap_or(0),
        warp_size: if spirv { 0 } else { 32 },
        opencl: spirv || !module.named_metadata("opencl.ocl.version").is_empty(),
        flushes: function
            .attribute("denormal-fp-math-f32")
            .or_else(|| function.attribute("denormal-fp-math"))
            .and_then(|it| it.string_value())
            .is_some_and(|it| it != "ieee" && it != "ieee,ieee"),
    }
}

fn is_spirv(triple: &str) -> bool {
    triple.starts_with("spir")
}

impl<'m> Objects<'m> {
    pub(super) fn new(triple: &str) -> Self {
        Objects {
            spirv: is_spirv(triple),
            by_value: FxHashMap::default(),
            dynamic_shared: None,
            unknown: Vec::new(),
            names: FxHashSet::default(),
            structures: FxHashMap::default(),
            fields: FxHashMap::default(),
            members: FxHashMap::default(),
            texels: FxHashMap::default(),
            leading: FxHashSet::default(),
            initial: FxHashMap::default(),
        }
    }

    /// Whether the module is SPIR-V.
    pub(super) fn is_spirv(&self) -> bool {
        self.spirv
    }

    /// What an address space of LLVM is here (NVPTX and SPIR-V user guides).
    pub(super) fn space(&self, address_space: u32) -> Space {
        match (self.spirv, address_space) {
            (true, 0) => Space::Local,
            (true, 4) => Space::Generic,
            (true, 1 | 5 | 6) | (false, 1) => Space::Global,
            (true, 2) | (false, 4 | 101) => Space::Constant,
            (_, 3) => Space::Shared,
            (false, 5) => Space::Local,
            // Among them 7, the shared memory of any block of the cluster.
            (true | false, _) => Space::Generic,
        }
    }

    /// A name that no object has yet.
    fn unique(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "unnamed" } else { wanted };
        let mut name = wanted.to_owned();
        let mut n = 1;
        while !self.names.insert(name.clone()) {
            n += 1;
            name = format!("{wanted}.{n}");
        }
        name
    }
}

impl<'m> Lifter<'m> {
    fn object(
        &mut self,
        name: &str,
        space: Space,
        kind: ObjectKind,
        size: Option<u64>,
        shape: Shape,
        read_only: bool,
    ) -> ObjectId {
        let name = self.objects.unique(name);
        let initial = Initial::Any;
        self.out.object(Object { name, space, kind, size, shape, read_only, initial })
    }

    /// What may be any object of a space.
    pub(super) fn unknown(&mut self, space: Space) -> ObjectId {
        if let Some(&(_, known)) = self.objects.unknown.iter().find(|(s, _)| *s == space) {
            return known;
        }
        let id = self.object(
            &format!("unknown.{space}"),
            space,
            ObjectKind::Unknown,
            None,
            Shape::Bytes,
            false,
        );
        self.objects.unknown.push((space, id));
        id
    }

    /// The image or surface that a handle stands for: the n-th parameter, or the field at an offset
    /// of a structure. No pointer reaches it.
    pub(super) fn texels(&mut self, name: &str, of: u32, offset: u64) -> ObjectId {
        if let Some(&known) = self.objects.texels.get(name) {
            return known;
        }
        let line = Shape::Array { stride: LINE, length: None, element: Box::new(Shape::Bytes) };
        let shape = Shape::Array { stride: PLANE, length: None, element: Box::new(line) };
        let kind = ObjectKind::ParamField(of, offset);
        let id = self.object(&format!("{name}.texels"), Space::Global, kind, None, shape, false);
        self.objects.texels.insert(name.to_owned(), id);
        id
    }

    /// The kernel's own names and launch bounds.
    pub(super) fn describe_kernel(&mut self) {
        let name = self.function.name();
        let found = kernels::of(self.module, self.function);
        let kernel = self.out.kernel_mut();
        match found {
            Some(found) => {
                kernel.display_name = found.display;
                kernel.launch = LaunchBounds {
                    required_block: found.required_block,
                    max_threads: found.max_threads.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
                    cluster: found.cluster,
                    stated_grid: found.stated_grid,
                    stated_block: found.stated_block,
                    launches: found.launches,
                    uneven_blocks: false,
                    assumptions: found.assumptions,
                };
            }
            None => kernel.display_name = demangled(&name),
        }
    }

    /// Makes parameters and their objects.
    pub(super) fn lift_parameters(&mut self) {
        let signs = self.function.parameter_signs(self.module);
        for (argument, sign) in self.function.arguments().into_iter().zip(signs) {
            let value = self.parameter(argument, sign.map(with_sign));
            self.values.insert(argument.as_value(), (value, None));
        }
    }

    fn parameter(&mut self, argument: Argument<'m>, sign: Option<Sign>) -> Val {
        let name = self.parameter_name(argument);
        let ty = argument.ty();
        if let Some(inner) = argument.byval_type() {
            return self.structure(argument, inner, &name);
        }
        if let TypeKind::Pointer(address_space) = ty.kind() {
            return self.pointer_parameter(argument, address_space, name);
        }
        if let Some(width) = scalar_width(ty) {
            let kind = ParamKind::Scalar { width };
            let sign = match ty.kind() {
                TypeKind::Float(_) | TypeKind::BFloat => Some(Sign::Float),
                _ => sign,
            };
            let index = self.out.param(Param { name: name.clone(), kind, sign });
            let value = self.out.exprs().param(index, width);
            self.out.kernel_mut().names.insert(value, name);
            return Val::Scalar(value);
        }
        self.member_values(argument.index(), 0, ty, &name)
    }

    pub(super) fn parameter_name(&self, argument: Argument<'m>) -> String {
        super::origin::source_name(&argument.name())
            .or_else(|| self.origins.name_of(argument.as_value()))
            .unwrap_or_else(|| format!("arg{}", argument.index()))
    }

    fn pointer_parameter(
        &mut self,
        argument: Argument<'m>,
        address_space: u32,
        name: String,
    ) -> Val {
        let space = match self.objects.space(address_space) {
            // The host has no other pointers to give.
            Space::Generic => Space::Global,
            space => space,
        };
        let value = argument.as_value();
        let shape = shape_behind(self.module, value, self.origins.variable(value));
        let read_only = space == Space::Constant
            || (argument.attribute("noalias").is_some()
                && argument.attribute("readonly").is_some());
        let index = self.out.kernel().params.len() as u32;
        let object = self.object(&name, space, ObjectKind::Param(index), None, shape, read_only);
        self.out.param(Param::new(name, ParamKind::Pointer(object)));
        Val::Pointer(self.point_to(object))
    }

    /// A structure passed by value: its members are parameters where it is only read, else it is a
    /// local copy.
    fn structure(&mut self, argument: Argument<'m>, inner: Type<'m>, name: &str) -> Val {
        let members = self
            .origins
            .variable(argument.as_value())
            .map(|v| v.members.clone())
            .unwrap_or_default();
        let shape = shape_of(self.module, inner, &members);
        let size = inner.alloc_size(self.module);
        let object = if only_read(argument.as_value()) {
            let id = self.object(name, Space::Constant, ObjectKind::Variable, size, shape, true);
            self.objects.structures.insert(id, argument.index());
            self.out.kernel_mut().objects[id].initial = Initial::Argument(argument.index());
            id
        } else {
            self.object(name, Space::Local, ObjectKind::Alloca, size, shape, false)
        };
        Val::Pointer(self.point_to(object))
    }

    /// The members of a parameter from a byte on, as a value of a type.
    fn member_values(&mut self, of: u32, offset: u64, ty: Type<'m>, name: &str) -> Val {
        if let Some(width) = scalar_width(ty) {
            return Val::Scalar(self.field(of, offset, width, name));
        }
        if matches!(ty.kind(), TypeKind::Pointer(_)) {
            let object = self.member_object(of, offset, ty);
            return Val::Pointer(self.point_to(object));
        }
        let Some(types) = elements(ty) else { return Val::Nothing };
        let stride = types.first().and_then(|t| t.alloc_size(self.module)).unwrap_or(0);
        let is_struct = matches!(ty.kind(), TypeKind::Struct { .. });
        let parts = types.into_iter().enumerate().map(|(n, t)| {
            let at = if is_struct {
                ty.field_offset(self.module, n as u32).unwrap_or(0)
            } else {
                n as u64 * stride
            };
            self.member_values(of, offset + at, t, name)
        });
        Val::Aggregate(parts.collect())
    }

    /// A number inside a structure parameter, which becomes a parameter of its own.
    pub(super) fn field(&mut self, of: u32, offset: u64, width: u8, name: &str) -> ExprId {
        if let Some(&known) = self.objects.fields.get(&(of, offset, width)) {
            return known;
        }
        let name = self.objects.unique(name);
        let kind = ParamKind::Field { of, offset, width };
        let sign = self.member_sign(of, offset, width);
        let index = self.out.param(Param { name: name.clone(), kind, sign });
        let value = self.out.exprs().param(index, width);
        self.out.kernel_mut().names.insert(value, name);
        self.objects.fields.insert((of, offset, width), value);
        value
    }

    /// Whether the member of a structure parameter that is these bits has a sign.
    fn member_sign(&self, of: u32, offset: u64, width: u8) -> Option<Sign> {
        let argument = self.function.arguments().into_iter().nth(of as usize)?;
        let members = &self.origins.variable(argument.as_value())?.members;
        let is_it = |it: &&Member| it.offset == offset && it.size * 8 == u64::from(width);
        members.iter().find(is_it)?.sign.map(with_sign)
    }

    /// What a pointer inside a structure parameter points to.
    pub(super) fn member_object(&mut self, of: u32, offset: u64, pointer: Type<'m>) -> ObjectId {
        if let Some(&known) = self.objects.members.get(&(of, offset)) {
            return known;
        }
        let space = match pointer.kind() {
            TypeKind::Pointer(address_space) => self.objects.space(address_space),
            _ => Space::Generic,
        };
        let space = if space == Space::Generic { Space::Global } else { space };
        let name = self.member_name(of, offset);
        let id = self.object(
            &name,
            space,
            ObjectKind::ParamField(of, offset),
            None,
            Shape::Bytes,
            false,
        );
        self.objects.members.insert((of, offset), id);
        id
    }

    /// `p.x` for the member of parameter `of` at a byte.
    pub(super) fn member_name(&self, of: u32, offset: u64) -> String {
        let argument = self.function.arguments().into_iter().nth(of as usize);
        let Some(argument) = argument else { return format!("arg{of}+{offset}") };
        let whole = self.parameter_name(argument);
        let known = self
            .objects
            .structures
            .iter()
            .find(|(_, position)| **position == of)
            .map(|(id, _)| *id);
        let path = match known {
            Some(id) => self.out.kernel().objects[id].shape.path(offset),
            None => format!("+{offset}"),
        };
        format!("{whole}{path}")
    }

    /// The object behind a pointer that is read out of a structure parameter.
    pub(super) fn parameter_member(&mut self, source: Value<'m>) -> Option<ObjectId> {
        let Val::Pointer(Pointer { alternatives }) = self.constant_address(source)? else {
            return None;
        };
        let [only] = alternatives[..] else { return None };
        let super::pointer::Place::Object(object) = only.place else { return None };
        let of = *self.objects.structures.get(&object)?;
        let offset = u64::try_from(self.out.exprs().as_const(only.offset)?).ok()?;
        let pointer = source
            .users()
            .into_iter()
            .find(|u| matches!(u.ty().kind(), TypeKind::Pointer(_)))?
            .ty();
        Some(self.member_object(of, offset, pointer))
    }

    /// An address that does not depend on where it stands: constant steps from a parameter.
    fn constant_address(&mut self, value: Value<'m>) -> Option<Val> {
        match value.kind() {
            ValueKind::Argument => Some(self.value(value)),
            ValueKind::Instruction => {
                let inst = value.as_inst()?;
                let constant = |v: Value<'m>| v.kind() == ValueKind::ConstInt;
                match inst.opcode() {
                    Opcode::GetElementPtr if value.operands().skip(1).all(constant) => {
                        self.constant_address(value.operand(0)?)?;
                        Some(self.element_pointer(value))
                    }
                    Opcode::AddrSpaceCast | Opcode::BitCast | Opcode::Freeze => {
                        self.constant_address(value.operand(0)?)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A pointer to a variable of the module.
    pub(super) fn global_pointer(&mut self, global: Global<'m>) -> Val {
        let value = global.as_value();
        if let Some(&known) = self.objects.by_value.get(&value) {
            return Val::Pointer(self.point_to(known));
        }
        let ty = global.value_type();
        let space = match self.objects.space(global.address_space()) {
            // A generic address of a module's variable is one of global memory.
            Space::Generic => Space::Global,
            space => space,
        };
        let variable = DebugName::of(self.module, global, &self.function.name());
        let shape = shape_of(self.module, ty, &variable.members);
        let dynamic = space == Space::Shared && global.is_declaration();
        let object = match self.objects.dynamic_shared {
            Some(known) if dynamic => known,
            Some(_) | None => {
                let kind = if dynamic { ObjectKind::DynamicShared } else { ObjectKind::Variable };
                let size = if dynamic { None } else { ty.alloc_size(self.module) };
                let read_only = global.is_constant() || space == Space::Constant;
                self.object(&variable.name, space, kind, size, shape, read_only)
            }
        };
        if dynamic {
            self.objects.dynamic_shared = Some(object);
        }
        if !dynamic && matches!(space, Space::Global | Space::Constant) {
            let opencl = self.out.kernel().target.opencl;
            let initial = super::initial::initial(self.module, global, opencl);
            if global.initializer().is_some_and(super::initial::leads_to_variables) {
                self.objects.leading.insert(object);
            }
            // Only what no launch and no linker changes is known without a load.
            if let (Initial::Fixed(_), Some(value)) = (&initial, global.initializer())
                && !global.is_interposable()
            {
                self.objects.initial.insert(object, value);
            }
            self.out.kernel_mut().objects[object].initial = initial;
        }
        self.objects.by_value.insert(value, object);
        Val::Pointer(self.point_to(object))
    }

    /// The object of an `alloca`. One that is not in the first block may be executed several times,
    /// each time with memory of its own: it has no one object.
    pub(super) fn alloca(&mut self, inst: Inst<'m>) -> Option<ObjectId> {
        let value = inst.as_value();
        if let Some(&known) = self.objects.by_value.get(&value) {
            return Some(known);
        }
        let first = inst.block().function().blocks().next()?;
        let ty = inst.allocated_type().filter(|_| inst.block() == first)?;
        let count = inst.operand(0).and_then(Value::const_int);
        let each = ty.alloc_size(self.module);
        let size = each.zip(count).and_then(|(each, n)| each.checked_mul(u64::try_from(n).ok()?));
        let name = self.origins.name_of(value).unwrap_or_else(|| "local".to_owned());
        let members = self.origins.variable(value).map(|v| v.members.clone()).unwrap_or_default();
        let shape = shape_of(self.module, ty, &members);
        let object = self.object(&name, Space::Local, ObjectKind::Alloca, size, shape, false);
        self.objects.by_value.insert(value, object);
        Some(object)
    }
}

/// A sign that debug info says.
fn with_sign(sign: heddle_llvm::Sign) -> Sign {
    match sign {
        heddle_llvm::Sign::Signed => Sign::Signed,
        heddle_llvm::Sign::Unsigned => Sign::Unsigned,
    }
}

/// The name of a variable of the module, as the source has it where that is known.
pub(super) fn name_of(module: &Module, global: Global<'_>, function: &str) -> String {
    DebugName::of(module, global, function).name
}

/// What a variable of the module is called.
struct DebugName {
    name: String,
    members: Vec<heddle_llvm::Member>,
}

impl DebugName {
    fn of(module: &Module, global: Global<'_>, function: &str) -> DebugName {
        if let Some(variable) = heddle_llvm::DebugVariable::of_global(module, global)
            && !variable.name.is_empty()
        {
            return DebugName { name: variable.name, members: variable.members };
        }
        let symbol = global.name();
        // OpenCL's local variables are `kernel.variable`.
        if let Some(local) = symbol.strip_prefix(function).and_then(|rest| rest.strip_prefix('.')) {
            return DebugName { name: local.to_owned(), members: Vec::new() };
        }
        let readable = demangled(&symbol);
        let name = readable.rsplit("::").next().unwrap_or(&readable).to_owned();
        DebugName { name, members: Vec::new() }
    }
}
