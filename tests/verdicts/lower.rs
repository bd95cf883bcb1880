//! From the tree to instructions: names, types, layout, control flow. Statements here, expressions
//! in [`super::lower_expr`].
//!
//! **Promises**: what is not C (or is C that the evaluator does not run) is an error, never another
//! meaning.
//! **Does not**: optimise. Each call is inlined, so that a barrier in a function called twice is
//! two barriers.

use std::collections::{HashMap, HashSet};

use crate::code::{
    BarrierSite, Code, DEVICE, DeviceObject, Kind, Leaf, LeafKind, Op, Place, SHARED, Value,
    address,
};
use crate::layout::{field, size_and_align};
use crate::syntax::{
    Decl, Expr, Function, Init, Language, Program, Stmt, Storage, Ty, UnOp, visit_stmts,
};

/// Bytes of `extern __shared__`, and of one of OpenCL's local arguments.
pub(crate) const OPEN_SHARED: u64 = 16384;
const LOCAL_ARGUMENT: u64 = 4096;

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    Slot(u16),
    Private(u64),
    /// At a fixed address.
    At(u64),
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) ty: Ty,
    pub(crate) home: Home,
}

pub(crate) struct Lower<'a> {
    pub(crate) program: &'a Program,
    pub(crate) ops: Vec<Op>,
    pub(crate) barriers: Vec<BarrierSite>,
    pub(crate) scopes: Vec<HashMap<String, Variable>>,
    pub(crate) slots: u16,
    private: u64,
    shared: u64,
    /// Where dynamic shared memory starts, once a variable of it was seen: all of them start there.
    open_shared: Option<u64>,
    /// Shared variables and tables of functions, which exist once however often they are called.
    pub(crate) fixed: HashMap<(String, String, usize), Variable>,
    pub(crate) seen_in_function: HashMap<(String, String), usize>,
    device: Vec<DeviceObject>,
    /// Names whose address is taken in the function at hand.
    pub(crate) in_memory: HashSet<String>,
    pub(crate) loops: Vec<u16>,
    pub(crate) exits: Vec<Jumps>,
    pub(crate) returns: Vec<Return>,
    pub(crate) has_fence: bool,
    pub(crate) has_atomics: bool,
}

#[derive(Default)]
pub(crate) struct Jumps {
    pub(crate) breaks: Vec<usize>,
    pub(crate) continues: Vec<usize>,
    pub(crate) is_loop: bool,
}

pub(crate) struct Return {
    pub(crate) function: String,
    pub(crate) result: Option<(Ty, u16)>,
    pub(crate) jumps: Vec<usize>,
}

/// The instructions of a program.
pub(crate) fn lower(program: &Program) -> Result<Code, String> {
    let mut it = Lower {
        program,
        ops: Vec::new(),
        barriers: Vec::new(),
        scopes: vec![HashMap::new()],
        slots: 0,
        private: 16,
        shared: 0,
        open_shared: None,
        fixed: HashMap::new(),
        seen_in_function: HashMap::new(),
        device: Vec::new(),
        in_memory: HashSet::new(),
        loops: Vec::new(),
        exits: Vec::new(),
        returns: Vec::new(),
        has_fence: false,
        has_atomics: false,
    };
    for global in &program.globals {
        let variable = it.fixed_variable(global)?;
        it.declare(&global.name, variable)?;
    }
    it.scopes.push(HashMap::new());
    let leaves = it.parameters(&program.kernel)?;
    it.in_memory = names_in_memory(&program.kernel.body);
    for leaf in &leaves {
        if it.in_memory.contains(&leaf.name) {
            return Err("the address of a parameter".to_owned());
        }
    }
    it.returns.push(Return {
        function: program.kernel.name.clone(),
        result: None,
        jumps: Vec::new(),
    });
    it.body(&program.kernel.body)?;
    it.returns.pop();
    it.ops.push(Op::Exit(None));
    Ok(Code {
        ops: it.ops,
        barriers: it.barriers,
        slots: it.slots,
        private: it.private,
        shared: it.shared,
        leaves,
        device: it.device,
        opencl: program.language == Language::OpenCl,
        has_fence: it.has_fence,
        has_atomics: it.has_atomics,
        masks_shifts: program.language == Language::OpenCl,
    })
}

/// Names of scalars whose address is taken.
pub(crate) fn names_in_memory(body: &[Stmt]) -> HashSet<String> {
    let mut names = HashSet::new();
    visit_stmts(&mut body.to_vec(), &mut |expr| {
        if let Expr::Unary(UnOp::Address, of) = expr
            && let Expr::Name(name) = &**of
        {
            names.insert(name.clone());
        }
    });
    names
}

/// How a scalar type lies in memory; `None` for what is no scalar.
pub(crate) fn kind_of(ty: &Ty) -> Option<Kind> {
    match ty {
        Ty::Int(ty) => Some(Kind::Int(*ty)),
        Ty::Float => Some(Kind::Float),
        Ty::Double => Some(Kind::Double),
        Ty::Ptr(_) => Some(Kind::Pointer),
        Ty::Void | Ty::Array(..) | Ty::Aggregate(_) => None,
    }
}

impl Lower<'_> {
    pub(crate) fn variable(&self, name: &str) -> Result<Variable, String> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        found.cloned().ok_or_else(|| format!("name {name}"))
    }

    pub(crate) fn declare(&mut self, name: &str, variable: Variable) -> Result<(), String> {
        let scope = self.scopes.last_mut().ok_or("no scope")?;
        match scope.insert(name.to_owned(), variable) {
            None => Ok(()),
            Some(_) => Err(format!("{name} twice")),
        }
    }

    pub(crate) fn slot(&mut self) -> u16 {
        self.slots += 1;
        self.slots - 1
    }

    pub(crate) fn private_bytes(&mut self, ty: &Ty) -> Result<u64, String> {
        let (size, align) = size_and_align(self.program, ty)?;
        let at = self.private.next_multiple_of(align.max(8));
        self.private = at + size;
        if self.private > 4096 { Err("too many private bytes".to_owned()) } else { Ok(at) }
    }

    fn shared_bytes(&mut self, size: u64) -> Result<u64, String> {
        // Far apart, so that an access outside its object is seen to be.
        let at = self.shared.next_multiple_of(16);
        self.shared = at + size;
        if self.shared > 200_000 { Err("too much shared memory".to_owned()) } else { Ok(at) }
    }

    fn open_shared(&mut self) -> Result<u64, String> {
        if self.open_shared.is_none() {
            self.open_shared = Some(self.shared_bytes(OPEN_SHARED)?);
        }
        self.open_shared.ok_or_else(|| "no dynamic shared memory".to_owned())
    }

    /// The parameters of the kernel, flattened.
    fn parameters(&mut self, kernel: &Function) -> Result<Vec<Leaf>, String> {
        let mut leaves = Vec::new();
        for param in &kernel.params {
            let home = match &param.ty {
                Ty::Ptr(_) | Ty::Int(_) | Ty::Float | Ty::Double => {
                    let slot = self.slot();
                    let kind = self.leaf_kind(&param.ty, param.local)?;
                    let place = Place::Slot(slot);
                    leaves.push(Leaf { name: param.name.clone(), kind, place });
                    Home::Slot(slot)
                }
                Ty::Aggregate(_) => {
                    let at = self.private_bytes(&param.ty)?;
                    self.fields_of(&param.ty, &param.name, at, &mut leaves)?;
                    Home::Private(at)
                }
                Ty::Void | Ty::Array(..) => return Err("parameter type".to_owned()),
            };
            self.declare(&param.name, Variable { ty: param.ty.clone(), home })?;
        }
        Ok(leaves)
    }

    fn fields_of(
        &mut self,
        ty: &Ty,
        prefix: &str,
        at: u64,
        leaves: &mut Vec<Leaf>,
    ) -> Result<(), String> {
        let Ty::Aggregate(name) = ty else {
            let kind = self.leaf_kind(ty, false)?;
            leaves.push(Leaf { name: prefix.to_owned(), kind, place: Place::Private(at) });
            return Ok(());
        };
        let aggregate = self.program.aggregates.iter().find(|it| it.name == *name);
        let aggregate = aggregate.ok_or("a vector parameter")?.clone();
        if aggregate.is_union {
            return Err("a union parameter".to_owned());
        }
        for (field_name, _) in &aggregate.fields {
            let (offset, ty) = field(self.program, ty, field_name)?;
            self.fields_of(&ty, &format!("{prefix}.{field_name}"), at + offset, leaves)?;
        }
        Ok(())
    }

    fn leaf_kind(&mut self, ty: &Ty, local: bool) -> Result<LeafKind, String> {
        match ty {
            Ty::Ptr(_) if local => Ok(LeafKind::LocalPointer(self.shared_bytes(LOCAL_ARGUMENT)?)),
            Ty::Ptr(to) => match &**to {
                Ty::Ptr(_) => Err("a pointer to pointers".to_owned()),
                Ty::Void => Err("void *".to_owned()),
                to => Ok(LeafKind::Pointer(kind_of(to))),
            },
            ty => kind_of(ty).map(LeafKind::Scalar).ok_or_else(|| "parameter".to_owned()),
        }
    }

    /// A variable in shared memory, a `__device__` variable or a table.
    pub(crate) fn fixed_variable(&mut self, decl: &Decl) -> Result<Variable, String> {
        let (size, _) = size_and_align(self.program, &decl.ty)?;
        let home = match decl.storage {
            Storage::Shared if decl.init.is_none() => {
                Home::At(address(SHARED, self.shared_bytes(size)?))
            }
            Storage::OpenShared => Home::At(address(SHARED, self.open_shared()?)),
            Storage::Device | Storage::Table => {
                let constant = decl.storage == Storage::Table;
                let mut init = Vec::new();
                match &decl.init {
                    Some(values) => self.initial(&decl.ty, values, 0, &mut init)?,
                    None if constant => return Err("a table without values".to_owned()),
                    None => {}
                }
                let name = decl.name.clone();
                self.device.push(DeviceObject { name, size, init, constant });
                Home::At(address(DEVICE + self.device.len() as u64 - 1, 0))
            }
            Storage::Auto | Storage::Shared => return Err("storage".to_owned()),
        };
        Ok(Variable { ty: decl.ty.clone(), home })
    }

    fn initial(
        &self,
        ty: &Ty,
        init: &Init,
        at: u64,
        out: &mut Vec<(u64, Kind, Value)>,
    ) -> Result<(), String> {
        match (ty, init) {
            (Ty::Array(of, _), Init::List(parts)) => {
                let (size, _) = size_and_align(self.program, of)?;
                for (index, part) in parts.iter().enumerate() {
                    self.initial(of, part, at + index as u64 * size, out)?;
                }
                Ok(())
            }
            (Ty::Int(ty), Init::Expr(expr)) => {
                let value = match expr {
                    Expr::Int(value, _) => *value,
                    Expr::Unary(UnOp::Neg, inner) => match &**inner {
                        Expr::Int(value, _) => value.wrapping_neg(),
                        _ => return Err("an initialiser".to_owned()),
                    },
                    _ => return Err("an initialiser".to_owned()),
                };
                let value = crate::arith::extend(value, *ty);
                out.push((at, Kind::Int(*ty), Value::new(value)));
                Ok(())
            }
            _ => Err("an initialiser".to_owned()),
        }
    }
}
