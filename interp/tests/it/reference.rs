//! The interpreter against a naive one: thread by thread, each expression from its leaves, nothing
//! remembered.
//!
//! Kernels are random: nested loops with different trip counts per thread, values that leave loops,
//! predicates, and memory of the thread alone, so that the order of threads does not matter.

use std::collections::HashMap;

use heddle_interp::{Contents, Ignore, Launch, Session};
use heddle_ir::{
    Access, AccessKind, Address, BinOp, CmpOp, ExprId, ExprKind, Family, Item, Kernel,
    KernelBuilder, LoopId, Object, ObjectId, ObjectKind, OpId, OpKind, Origin, OriginId, Region,
    Shape, Space, Special, Target, VarId, fold_binary, fold_cast, fold_cmp, fold_unary, verify,
};

const THREADS: u32 = 37;
/// Bytes of the output that belong to one thread.
const SLOT: u64 = 1024;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound
    }
}

struct Make {
    builder: KernelBuilder,
    random: Random,
    origin: OriginId,
    out: ObjectId,
    local: ObjectId,
    values: Vec<ExprId>,
    stores: u64,
}

impl Make {
    fn value(&mut self) -> ExprId {
        match self.random.below(5) {
            0 => {
                let value = self.random.below(9) as u128;
                self.builder.exprs().constant(value, 32)
            }
            _ => self.values[self.random.below(self.values.len())],
        }
    }

    fn expression(&mut self) -> ExprId {
        let (a, b) = (self.value(), self.value());
        let op = BinOp::ALL[self.random.below(BinOp::ALL.len())];
        match self.random.below(4) {
            0 => {
                let c = self.condition();
                self.builder.exprs().select(c, a, b)
            }
            _ => {
                let b = match op {
                    BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => self.divisor(b),
                    _ => b,
                };
                self.builder.exprs().binary(op, a, b)
            }
        }
    }

    /// From 1 to 15: by what any number can be divided.
    fn divisor(&mut self, value: ExprId) -> ExprId {
        let exprs = self.builder.exprs();
        let (low, one) = (exprs.constant(14, 32), exprs.constant(1, 32));
        let even = exprs.and(value, low);
        exprs.or(even, one)
    }

    fn condition(&mut self) -> ExprId {
        let (a, b) = (self.value(), self.value());
        let op = CmpOp::ALL[self.random.below(CmpOp::ALL.len())];
        self.builder.exprs().cmp(op, a, b)
    }

    fn access(
        &mut self,
        kind: AccessKind,
        object: ObjectId,
        offset: ExprId,
        results: &[u8],
    ) -> OpId {
        let size = self.builder.exprs().constant(4, 64);
        let address = Address { object, offset };
        let access =
            Access { address, size, kind, order: None, volatile: false, align: 1, by_warp: false };
        let pred = match self.random.below(3) {
            0 if results.is_empty() => self.condition(),
            _ => self.builder.exprs().truth(),
        };
        self.builder.op(pred, OpKind::Access(access), results, self.origin)
    }

    /// One of eight words of the thread's own memory.
    fn local_offset(&mut self) -> ExprId {
        let value = self.value();
        let exprs = self.builder.exprs();
        let (seven, four) = (exprs.constant(7, 32), exprs.constant(4, 64));
        let word = exprs.and(value, seven);
        let word = exprs.resize(word, 64);
        exprs.mul(word, four)
    }

    fn region(&mut self, depth: u32) {
        for _ in 0..2 + self.random.below(4) {
            match self.random.below(6) {
                0 | 1 if depth < 3 => self.inner_loop(depth),
                2 => {
                    let (offset, value) = (self.local_offset(), self.value());
                    self.access(
                        AccessKind::Store([value].into_iter().collect()),
                        self.local,
                        offset,
                        &[],
                    );
                }
                3 => {
                    let offset = self.local_offset();
                    let op = self.access(AccessKind::Load, self.local, offset, &[32]);
                    let value = self.builder.result(op, 0);
                    self.values.push(value);
                }
                4 => self.output(),
                _ => {
                    let made = self.expression();
                    self.values.push(made);
                }
            }
        }
    }

    fn output(&mut self) {
        let value = self.value();
        let exprs = self.builder.exprs();
        let tid = exprs.special(Special::Tid(0));
        let (tid, slot) = (exprs.resize(tid, 64), exprs.constant(u128::from(SLOT), 64));
        let row = exprs.mul(tid, slot);
        let column = exprs.constant(u128::from(4 * self.stores % SLOT), 64);
        let offset = exprs.add(row, column);
        self.stores += 1;
        self.access(AccessKind::Store([value].into_iter().collect()), self.out, offset, &[]);
    }

    fn inner_loop(&mut self, depth: u32) {
        let outer = self.values.len();
        let pred = match self.random.below(2) {
            0 => self.condition(),
            _ => self.builder.exprs().truth(),
        };
        let (start, bound) = (self.value(), self.value());
        let zero = self.builder.exprs().constant(0, 32);
        let of = self.builder.begin_loop(pred, self.origin);
        let (count, i) = self.builder.loop_var(of, zero, None);
        let (sum, s) = self.builder.loop_var(of, start, None);
        self.values.extend([i, s]);
        self.region(depth + 1);
        let next = self.expression();
        let one = self.builder.exprs().constant(1, 32);
        let more = self.builder.exprs().add(i, one);
        self.builder.set_next(count, more);
        self.builder.set_next(sum, next);
        // At most six iterations, a number of its own per thread.
        let five = self.builder.exprs().constant(5, 32);
        let bound = self.builder.exprs().and(bound, five);
        let cont = self.builder.exprs().ult(i, bound);
        self.builder.end_loop(cont);
        let inside = self.values.split_off(outer);
        for _ in 0..2 {
            let value = inside[self.random.below(inside.len())];
            let left = self.builder.exprs().exit(of, value);
            let kept = self.value();
            let kept = self.builder.exprs().select(pred, left, kept);
            self.values.push(kept);
        }
    }
}

fn random_kernel(seed: u64) -> (Kernel, ObjectId, ObjectId) {
    let target =
        Target { family: Family::Nvptx, sm: 80, warp_size: 32, opencl: false, flushes: false };
    let mut builder = KernelBuilder::new("k", target);
    let mut object = |name: &str, space, kind| {
        let (name, shape) = (name.to_owned(), Shape::Bytes);
        builder.object(Object {
            name,
            space,
            kind,
            size: None,
            shape,
            read_only: false,
            initial: heddle_ir::Initial::Any,
        })
    };
    let out = object("out", Space::Global, ObjectKind::Variable);
    let local = object("t", Space::Local, ObjectKind::Alloca);
    let origin = builder.origin(Origin {
        function: "k".into(),
        source_function: None,
        ordinal: None,
        span: None,
        inlined_at: None,
    });
    let exprs = builder.exprs();
    let tid = exprs.special(Special::Tid(0));
    let three = exprs.constant(3, 32);
    let values = vec![tid, exprs.and(tid, three), exprs.special(Special::Ntid(0))];
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut make = Make { builder, random, origin, out, local, values, stores: 0 };
    make.region(0);
    make.output();
    let kernel = make.builder.finish();
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    (kernel, out, local)
}

/// One thread, naively.
struct Naive<'k> {
    kernel: &'k Kernel,
    thread: u32,
    vars: HashMap<VarId, u128>,
    results: HashMap<OpId, u128>,
    exits: HashMap<(LoopId, ExprId), u128>,
    memory: HashMap<(ObjectId, u64), u128>,
}

impl Naive<'_> {
    /// `None` where a leaf has no value for this thread.
    fn value(&self, id: ExprId) -> Option<u128> {
        let expr = &self.kernel[id];
        let width = |id: ExprId| self.kernel.exprs.width(id);
        Some(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Special(Special::Tid(0)) => u128::from(self.thread),
            ExprKind::Special(Special::Ntid(0)) => u128::from(THREADS),
            ExprKind::Var(var) => *self.vars.get(var)?,
            ExprKind::Result(op, 0) => *self.results.get(op)?,
            ExprKind::Exit(of, inner) => *self.exits.get(&(*of, *inner))?,
            ExprKind::Unary(op, a) => fold_unary(*op, self.value(*a)?, width(*a)),
            ExprKind::Binary(op, _, a, b) => {
                fold_binary(*op, self.value(*a)?, self.value(*b)?, width(*a))
            }
            ExprKind::Cmp(op, a, b) => {
                u128::from(fold_cmp(*op, self.value(*a)?, self.value(*b)?, width(*a)))
            }
            ExprKind::Select(c, a, b) => self.value(if self.value(*c)? != 0 { *a } else { *b })?,
            ExprKind::Cast(op, a) => fold_cast(*op, self.value(*a)?, width(*a), expr.width),
            other => panic!("{other:?} is not generated"),
        })
    }

    fn holds(&self, id: ExprId) -> bool {
        self.value(id).expect("predicates are known") != 0
    }

    fn region(&mut self, region: &Region) {
        for item in &region.items {
            match *item {
                Item::Op(op) => self.operation(op),
                Item::Loop(of) => self.enter(of),
            }
        }
    }

    fn operation(&mut self, id: OpId) {
        let op = &self.kernel[id];
        let OpKind::Access(access) = &op.kind else { panic!("only accesses are generated") };
        if !self.holds(op.pred) {
            return;
        }
        let place = (access.address.object, self.value(access.address.offset).unwrap() as u64);
        match &access.kind {
            AccessKind::Load => {
                let value = self.memory.get(&place).copied().unwrap_or(0);
                self.results.insert(id, value);
            }
            AccessKind::Store(values) => {
                let value = self.value(values[0]).expect("values are known");
                self.memory.insert(place, value);
            }
            AccessKind::Atomic(..) => panic!("no atomics are generated"),
        }
    }

    fn enter(&mut self, id: LoopId) {
        let inner = &self.kernel[id];
        if !self.holds(inner.pred) {
            return;
        }
        let start = |var: &VarId| (*var, self.value(self.kernel[*var].init).unwrap());
        let start: Vec<(VarId, u128)> = inner.vars.iter().map(start).collect();
        self.vars.extend(start);
        loop {
            self.region(&inner.body);
            for (_, expr) in self.kernel.exprs.iter() {
                if let ExprKind::Exit(of, value) = expr.kind
                    && of == id
                {
                    let now = self.value(value).expect("what leaves a loop is known at its end");
                    self.exits.insert((id, value), now);
                }
            }
            if !self.holds(inner.cont) {
                return;
            }
            let next = |var: &VarId| (*var, self.value(self.kernel[*var].next).unwrap());
            let next: Vec<(VarId, u128)> = inner.vars.iter().map(next).collect();
            self.vars.extend(next);
        }
    }
}

#[test]
fn random_kernels_compute_what_a_naive_interpreter_computes() {
    let mut compared = 0;
    for seed in 1..120 {
        let (kernel, out, local) = random_kernel(seed);
        let mut launch = Launch::new(&kernel, [1; 3], [THREADS, 1, 1]);
        launch.buffers.insert(local, Contents::of_words([0; 8]));
        let mut session = Session::new(&kernel, &launch).unwrap();
        let mut budget = 100_000_000;
        session.run_block([0; 3], &mut Ignore, &mut budget).unwrap();
        for thread in 0..THREADS {
            let mut naive = Naive {
                kernel: &kernel,
                thread,
                vars: HashMap::new(),
                results: HashMap::new(),
                exits: HashMap::new(),
                memory: HashMap::new(),
            };
            naive.region(&kernel.body);
            for (&(object, offset), &value) in naive.memory.iter().filter(|((it, _), _)| *it == out)
            {
                let found = session.global(object, offset, 4);
                assert_eq!(
                    found,
                    Some(value),
                    "seed {seed}, thread {thread}, byte {offset}\n{kernel}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000, "{compared} values compared");
}
