//! Builds a [`Kernel`] top to bottom: operations go to the end of the innermost open loop.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::entity::{ExprId, LoopId, ObjectId, OpId, OriginId, VarId};
use crate::expr::ExprPool;
use crate::kernel::{Item, Kernel, LaunchBounds, Loop, Origin, Param, Region, Target, Var};
use crate::object::Object;
use crate::op::{Op, OpKind};

/// Builds one kernel.
#[derive(Debug)]
pub struct KernelBuilder {
    kernel: Kernel,
    open: Vec<LoopId>,
}

impl KernelBuilder {
    /// An empty kernel of this name.
    pub fn new(name: impl Into<String>, target: Target) -> KernelBuilder {
        let name = name.into();
        let kernel = Kernel {
            display_name: name.clone(),
            name,
            target,
            launch: LaunchBounds::default(),
            fetches: false,
            callees_assumed: false,
            shared_aligned: false,
            returns_written: false,
            params: Vec::new(),
            exprs: ExprPool::new(),
            objects: PrimaryMap::new(),
            ops: PrimaryMap::new(),
            loops: PrimaryMap::new(),
            vars: PrimaryMap::new(),
            origins: PrimaryMap::new(),
            files: Vec::new(),
            names: FxHashMap::default(),
            body: Region::default(),
        };
        KernelBuilder { kernel, open: Vec::new() }
    }

    /// The kernel as far as it is built.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The same, for names, launch bounds and the like.
    pub fn kernel_mut(&mut self) -> &mut Kernel {
        &mut self.kernel
    }

    /// The expressions.
    pub fn exprs(&mut self) -> &mut ExprPool {
        &mut self.kernel.exprs
    }

    /// A new parameter; its index.
    pub fn param(&mut self, param: Param) -> u32 {
        self.kernel.params.push(param);
        self.kernel.params.len() as u32 - 1
    }

    /// A new object. The caller keeps names unique.
    pub fn object(&mut self, object: Object) -> ObjectId {
        self.kernel.objects.push(object)
    }

    /// A new origin.
    pub fn origin(&mut self, origin: Origin) -> OriginId {
        self.kernel.origins.push(origin)
    }

    /// The index of a source file.
    pub fn file(&mut self, name: &str) -> u32 {
        let files = &mut self.kernel.files;
        let index = files.iter().position(|it| it == name).unwrap_or_else(|| {
            files.push(name.to_owned());
            files.len() - 1
        });
        index as u32
    }

    /// Appends an operation.
    pub fn op(&mut self, pred: ExprId, kind: OpKind, results: &[u8], origin: OriginId) -> OpId {
        let op = Op { pred, kind, results: SmallVec::from_slice(results), origin };
        let id = self.kernel.ops.push(op);
        self.region().items.push(Item::Op(id));
        id
    }

    /// The n-th result of an operation, as an expression.
    pub fn result(&mut self, op: OpId, index: u32) -> ExprId {
        let width = self.kernel.ops[op].results[index as usize];
        self.kernel.exprs.result(op, index, width)
    }

    /// Opens a loop that the threads of `pred` enter.
    pub fn begin_loop(&mut self, pred: ExprId, origin: OriginId) -> LoopId {
        let never = self.kernel.exprs.falsity();
        let id = self.kernel.loops.push(Loop {
            pred,
            vars: Vec::new(),
            body: Region::default(),
            cont: never,
            parent: self.open.last().copied(),
            origin,
        });
        self.region().items.push(Item::Loop(id));
        self.open.push(id);
        id
    }

    /// A variable of an open loop, and its value as an expression. It keeps its first value until
    /// [`Self::set_next`] says otherwise.
    pub fn loop_var(&mut self, of: LoopId, init: ExprId, name: Option<String>) -> (VarId, ExprId) {
        let width = self.kernel.exprs.width(init);
        let var = self.kernel.vars.push(Var { of, width, init, next: init, name });
        let value = self.kernel.exprs.var(var, width);
        self.kernel.vars[var].next = value;
        self.kernel.loops[of].vars.push(var);
        (var, value)
    }

    /// Says what a loop variable is in the next iteration.
    pub fn set_next(&mut self, var: VarId, next: ExprId) {
        self.kernel.vars[var].next = next;
    }

    /// Closes the innermost open loop.
    ///
    /// # Panics
    /// If none is open.
    pub fn end_loop(&mut self, cont: ExprId) {
        let id = self.open.pop().expect("a loop is open");
        self.kernel.loops[id].cont = cont;
    }

    /// The innermost open loop.
    pub fn current_loop(&self) -> Option<LoopId> {
        self.open.last().copied()
    }

    /// The kernel.
    ///
    /// # Panics
    /// If a loop is still open.
    pub fn finish(self) -> Kernel {
        assert!(self.open.is_empty(), "a loop is open");
        self.kernel
    }

    fn region(&mut self) -> &mut Region {
        match self.open.last() {
            Some(&id) => &mut self.kernel.loops[id].body,
            None => &mut self.kernel.body,
        }
    }
}
