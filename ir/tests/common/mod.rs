//! Random kernels for the tests: deterministic, verified by construction, with every kind of
//! operation.

mod lanes;

use heddle_ir::{
    Access, AccessKind, Address, AsyncCopy, AsyncMechanism, AtomicOp, Barrier, BarrierAction,
    BinOp, CastOp, Claim, ClaimKind, ClusterAction, CmpOp, Data, Ending, ExprId, ExprKind, Family,
    Initial, Kernel, KernelBuilder, LoopId, MbarrierAction, MemoryOrder, NoWrap, Object, ObjectId,
    ObjectKind, OpKind, Origin, OriginId, Param, ParamKind, Phase, Proxy, Reduction, RegisterMove,
    Scope, SeenLaunch, Shape, Space, Span, Special, Strided, Target, UnOp,
};

/// A small deterministic generator (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

pub(crate) fn nvptx() -> Target {
    Target { family: Family::Nvptx, sm: 80, warp_size: 32, opencl: false, flushes: false }
}

/// A kernel of some tens of operations in up to three nested loops.
pub(crate) fn random_kernel(seed: u64) -> Kernel {
    let mut random = Random::new(seed);
    let mut builder = KernelBuilder::new(format!("_Z6random{seed}"), nvptx());
    builder.kernel_mut().display_name = random.pick(&["k", "a<b>(int, \"c\")", "k\n2"]).to_owned();
    if random.below(2) == 0 {
        builder.kernel_mut().launch.required_block = Some([8, 4, 1]);
        builder.kernel_mut().launch.max_threads = Some(1024);
        builder.kernel_mut().launch.launches =
            vec![SeenLaunch { grid: [None, Some(2), Some(1)], block: [Some(8), None, Some(1)] }];
    }
    let n = Param {
        name: "n".into(),
        kind: ParamKind::Scalar { width: 32 },
        sign: Some(heddle_ir::Sign::Unsigned),
    };
    builder.param(n);
    let of = Param {
        name: random.pick(&["cfg.n", "n", "a b"]).into(),
        kind: ParamKind::Field { of: 1, offset: 8, width: 64 },
        sign: None,
    };
    builder.param(of);
    let mut make = Make { objects: objects(&mut builder), builder, random, values: vec![vec![]] };
    make.leaves();
    make.region(0);
    make.builder.finish()
}

fn objects(builder: &mut KernelBuilder) -> Vec<ObjectId> {
    let pair = Shape::Struct {
        members: vec![
            (0, "x".into(), Shape::Scalar { bytes: 4 }),
            (4, "a name".into(), Shape::Bytes),
        ],
    };
    let rows = Shape::Array { stride: 8, length: Some(16), element: Box::new(pair) };
    let table = [
        ("out", Space::Global, ObjectKind::Param(2), None, Shape::Bytes, false),
        ("s", Space::Shared, ObjectKind::Variable, Some(128), rows, false),
        ("space", Space::Shared, ObjectKind::DynamicShared, None, Shape::Bytes, false),
        ("a \"b\"", Space::Local, ObjectKind::Alloca, Some(4), Shape::Scalar { bytes: 4 }, false),
        ("in", Space::Global, ObjectKind::ParamField(1, 16), None, Shape::Bytes, true),
        (
            "*in",
            Space::Global,
            ObjectKind::Pointee(ObjectId::from_u32(4)),
            None,
            Shape::Bytes,
            false,
        ),
        ("?", Space::Generic, ObjectKind::Unknown, None, Shape::Bytes, false),
    ];
    let mut data = Data::default();
    data.push(0, &[3, 0, 0xff]);
    data.push_zeros(3, 9);
    data.push(16, &[1]);
    let starts = [
        ("fixed", Space::Constant, Initial::Fixed(data.clone()), true),
        ("none of it known", Space::Constant, Initial::Fixed(Data::default()), true),
        ("first", Space::Global, Initial::First(data.clone()), false),
        ("of the host", Space::Global, Initial::Host(data), false),
        ("passed", Space::Constant, Initial::Argument(1), true),
    ];
    for (name, space, initial, read_only) in starts {
        _ = builder.object(Object {
            name: name.into(),
            space,
            kind: ObjectKind::Variable,
            size: Some(17),
            shape: Shape::Bytes,
            read_only,
            initial,
        });
    }
    let made: Vec<ObjectId> = table
        .into_iter()
        .map(|(name, space, kind, size, shape, read_only)| {
            let initial = Initial::Any;
            let name = name.into();
            builder.object(Object { name, space, kind, size, shape, read_only, initial })
        })
        .collect();
    builder.param(Param::new("out", ParamKind::Pointer(made[0])));
    made
}

struct Make {
    builder: KernelBuilder,
    random: Random,
    objects: Vec<ObjectId>,
    /// What may be used, per open region.
    values: Vec<Vec<ExprId>>,
}

const WIDTHS: [u8; 7] = [1, 8, 16, 32, 32, 64, 128];

impl Make {
    fn leaves(&mut self) {
        let exprs = self.builder.exprs();
        let mut made = vec![exprs.param(0, 32), exprs.param(1, 64)];
        for special in [
            Special::Tid(0),
            Special::Ctaid(2),
            Special::Ntid(1),
            Special::Nctaid(0),
            Special::GlobalOffset(1),
            Special::LaneId,
            Special::WarpId,
            Special::ClusterCtaRank,
            Special::ClusterNctaRank,
            Special::DynamicSharedSize,
        ] {
            made.push(exprs.special(special));
        }
        made.push(exprs.base(self.objects[1]));
        made.push(exprs.intern(ExprKind::Undef(3), 16));
        self.values[0] = made;
    }

    fn origin(&mut self) -> OriginId {
        if self.random.below(3) > 0 && !self.builder.kernel().origins.is_empty() {
            let count = self.builder.kernel().origins.len();
            return OriginId::from_u32(self.random.below(count) as u32);
        }
        let file = self.builder.file(self.random.pick(&["k.cu", "dir/a b.h"]));
        let line = self.random.below(90) as u32 + 1;
        let outer = self.builder.kernel().origins.keys().next_back();
        self.builder.origin(Origin {
            function: "k".into(),
            source_function: (self.random.below(2) == 0).then(|| "f(int)".into()),
            ordinal: (self.random.below(2) == 0).then_some(line),
            span: (self.random.below(4) > 0).then_some(Span { file, line, column: 7 }),
            inlined_at: outer.filter(|_| self.random.below(2) == 0),
        })
    }

    fn any(&mut self) -> ExprId {
        let all = self.values.iter().map(Vec::len).sum::<usize>();
        let mut index = self.random.below(all);
        for region in &self.values {
            match region.get(index) {
                Some(value) => return *value,
                None => index -= region.len(),
            }
        }
        unreachable!("the index is below the sum")
    }

    fn of_width(&mut self, width: u8) -> ExprId {
        if self.random.below(4) == 0 {
            let value = match self.random.below(3) {
                0 => u128::from(self.random.next()) << 64 | u128::from(self.random.next()),
                1 => u128::from(self.random.next() % 9).wrapping_neg(),
                _ => u128::from(self.random.next() % 9),
            };
            return self.builder.exprs().constant(value, width);
        }
        let value = self.any();
        let from = self.builder.exprs().width(value);
        if from == width {
            return value;
        }
        if width == 1 {
            let zero = self.builder.exprs().constant(0, from);
            let op = self.random.pick(CmpOp::ALL);
            return self.builder.exprs().intern(ExprKind::Cmp(op, zero, value), 1);
        }
        let op = match from > width {
            true => CastOp::Trunc,
            false => self.random.pick(&[CastOp::Zext, CastOp::Sext]),
        };
        self.builder.exprs().intern(ExprKind::Cast(op, value), width)
    }

    fn expression(&mut self) {
        let width = self.random.pick(&WIDTHS);
        let (a, b) = (self.of_width(width), self.of_width(width));
        let flags =
            self.random.pick(&[NoWrap::NONE, NoWrap::SIGNED, NoWrap::UNSIGNED, NoWrap::BOTH]);
        let (kind, width) = match self.random.below(6) {
            0 => (ExprKind::Unary(self.random.pick(UnOp::ALL), a), width),
            1 | 2 => (ExprKind::Binary(self.random.pick(BinOp::ALL), flags, a, b), width),
            3 => (ExprKind::Cmp(self.random.pick(CmpOp::ALL), a, b), 1),
            4 => (ExprKind::Select(self.of_width(1), a, b), width),
            _ => {
                let name = self.random.pick(&["fadd", "fcmp.olt", "add", "odd name", "undef"]);
                let function = self.builder.exprs().function(name);
                (ExprKind::Pure(function, vec![a, b].into()), 32)
            }
        };
        let made = self.builder.exprs().intern(kind, width);
        self.keep(made);
    }

    fn keep(&mut self, made: ExprId) {
        if self.random.below(8) == 0 {
            let name = self.random.pick(&["row", "x.5", "7", "a b", "val", "%"]);
            self.builder.kernel_mut().names.insert(made, name.into());
        }
        self.values.last_mut().expect("a region is open").push(made);
    }

    fn region(&mut self, depth: usize) {
        for _ in 0..3 + self.random.below(6) {
            for _ in 0..self.random.below(4) {
                self.expression();
            }
            if depth < 3 && self.random.below(4) == 0 {
                self.inner_loop(depth);
            } else {
                self.operation();
            }
        }
    }

    fn inner_loop(&mut self, depth: usize) {
        let (pred, origin) = (self.of_width(1), self.origin());
        let of = self.builder.begin_loop(pred, origin);
        let mut vars = Vec::new();
        let mut inside = Vec::new();
        for _ in 0..self.random.below(3) {
            let width = self.random.pick(&WIDTHS);
            let init = self.of_width(width);
            let name = self.random.pick(&[None, Some("i"), Some("i.0"), Some("i j")]);
            let (var, value) = self.builder.loop_var(of, init, name.map(str::to_owned));
            vars.push(var);
            inside.push(value);
        }
        self.values.push(inside);
        self.region(depth + 1);
        for var in vars {
            if self.random.below(4) > 0 {
                let next = self.of_width(self.builder.kernel()[var].width);
                self.builder.set_next(var, next);
            }
        }
        let cont = self.of_width(1);
        self.builder.end_loop(cont);
        let inside = self.values.pop().expect("just pushed");
        for _ in 0..self.random.below(3).min(inside.len()) {
            self.leave(of, &inside);
        }
    }

    fn leave(&mut self, of: LoopId, inside: &[ExprId]) {
        let value = self.random.pick(inside);
        let made = self.builder.exprs().exit(of, value);
        self.keep(made);
    }

    fn address(&mut self, object: usize) -> Address {
        Address { object: self.objects[object], offset: self.of_width(64) }
    }

    fn operation(&mut self) {
        let pred = match self.random.below(3) {
            0 => self.of_width(1),
            _ => self.builder.exprs().truth(),
        };
        let (kind, results) = self.kind();
        let origin = self.origin();
        let op = self.builder.op(pred, kind, &results, origin);
        for index in 0..results.len() as u32 {
            let value = self.builder.result(op, index);
            self.keep(value);
        }
    }

    fn kind(&mut self) -> (OpKind, Vec<u8>) {
        let some = self.random.below(2) == 0;
        match self.random.below(13) {
            0..=3 => self.access(),
            4 | 5 => self.barrier(),
            6 => self.mbarrier(),
            7 => {
                let (order, scope) =
                    (self.random.pick(MemoryOrder::ALL), self.random.pick(Scope::ALL));
                let proxy = some.then(|| self.random.pick(Proxy::ALL));
                (OpKind::Fence { order, scope, proxy }, vec![])
            }
            8 => self.copy(),
            9 => {
                let mechanism = self.random.pick(AsyncMechanism::ALL);
                let pending = self.of_width(32);
                match some {
                    _ if self.random.below(3) == 0 => {
                        let events = (0..self.random.below(3)).map(|_| self.of_width(64));
                        (OpKind::EventWait(events.collect()), vec![])
                    }
                    true => (OpKind::AsyncCommit(mechanism), vec![]),
                    false => (OpKind::AsyncWait { mechanism, pending, read_only: some }, vec![]),
                }
            }
            10 => self.cross_lane(),
            11 => {
                let condition = self.of_width(1);
                let message = self.random.pick(&["i < n", "\"\\\n\u{1}é"]).to_owned();
                let ending = self.random.pick(Ending::ALL);
                let kind = match self.random.below(5) {
                    0 => OpKind::Assume(condition),
                    3 => {
                        let kind = self.random.pick(ClaimKind::ALL);
                        OpKind::Claim(Claim { kind, condition, text: message })
                    }
                    1 => OpKind::Registers(self.random.pick(RegisterMove::ALL)),
                    2 => OpKind::Assert { condition, message },
                    _ => OpKind::Exit(ending),
                };
                (kind, vec![])
            }
            _ => self.opaque(),
        }
    }

    fn access(&mut self) -> (OpKind, Vec<u8>) {
        let object = self.random.below(self.objects.len());
        let address = self.address(object);
        let width = self.random.pick(&WIDTHS);
        let count = 1 + self.random.below(2);
        let bytes = u128::from(width.div_ceil(8)) * count as u128;
        let mut size = self.builder.exprs().constant(bytes, 64);
        let order = Some((self.random.pick(MemoryOrder::ALL), self.random.pick(Scope::ALL)));
        let order = order.filter(|_| self.random.below(2) == 0);
        let volatile = self.random.below(4) == 0;
        let (kind, order, results) = match self.random.below(4) {
            0 => (AccessKind::Load, order, vec![width; count]),
            1 => {
                size = self.of_width(64);
                (AccessKind::Store(Default::default()), order, vec![])
            }
            2 => {
                let values = (0..count).map(|_| self.of_width(width)).collect();
                (AccessKind::Store(values), order, vec![])
            }
            _ => {
                size = self.builder.exprs().constant(u128::from(width.div_ceil(8)), 64);
                let op = self.random.pick(AtomicOp::ALL);
                let operands = if op.compares() { 2 } else { 1 };
                let values = (0..operands).map(|_| self.of_width(width)).collect();
                let order = order.or(Some((MemoryOrder::Relaxed, Scope::Device)));
                let mut results = vec![width; self.random.below(2)];
                if op == AtomicOp::CompareExchangeWeak && !results.is_empty() {
                    results.push(1);
                }
                (AccessKind::Atomic(op, values), order, results)
            }
        };
        let by_warp = self.random.below(8) == 0;
        let align = self.random.pick(&[1, 1, 4, 16]);
        (OpKind::Access(Access { address, size, kind, order, volatile, align, by_warp }), results)
    }

    fn barrier(&mut self) -> (OpKind, Vec<u8>) {
        let aligned = self.random.below(2) == 0;
        let (kind, predicate) = (self.random.pick(Reduction::ALL), self.of_width(1));
        let reduce = (self.random.below(3) == 0).then_some((kind, predicate));
        let reduced = match reduce {
            Some((Reduction::Popc, _)) => vec![32],
            Some((Reduction::And | Reduction::Or, _)) => vec![1],
            None => vec![],
        };
        let (a, b) = (self.of_width(32), self.of_width(32));
        let (barrier, results) = match self.random.below(5) {
            0 => (Barrier::Block { aligned, orders: a, reduce }, reduced),
            1 => {
                let action = self.random.pick(BarrierAction::ALL);
                let count = (self.random.below(2) == 0).then_some(b);
                (Barrier::Named { action, id: a, count, aligned, reduce }, reduced)
            }
            2 => {
                let width = self.random.pick(&[32, 64]);
                (Barrier::Warp { mask: self.of_width(width), orders: a }, vec![])
            }
            3 => {
                let action = self.random.pick(ClusterAction::ALL);
                let order = self.random.pick(MemoryOrder::ALL);
                (Barrier::Cluster { action, order, aligned }, vec![])
            }
            _ => (Barrier::Grid, vec![]),
        };
        (OpKind::Barrier(barrier), results)
    }

    fn mbarrier(&mut self) -> (OpKind, Vec<u8>) {
        let address = self.address(1);
        let count = self.of_width(32);
        let may_wait = self.random.below(2) == 0;
        let (action, results) = match self.random.below(9) {
            0 => (MbarrierAction::Init(count), vec![]),
            1 => (MbarrierAction::Invalidate, vec![]),
            2 | 3 => {
                let bytes = self.of_width(32);
                let transactions = (self.random.below(2) == 0).then_some(bytes);
                (MbarrierAction::Arrive { count, transactions, drop: may_wait }, vec![64])
            }
            4 => (MbarrierAction::ExpectTx(count), vec![]),
            5 => (MbarrierAction::CompleteTx(count), vec![]),
            6 => (MbarrierAction::CopiesArrive { extra: may_wait }, vec![]),
            7 => (MbarrierAction::ProductsArrive, vec![]),
            _ => {
                let phase = match self.random.below(2) {
                    0 => Phase::Token(self.of_width(64)),
                    _ => Phase::Parity(count),
                };
                (MbarrierAction::Test { phase, may_wait }, vec![1])
            }
        };
        (OpKind::Barrier(Barrier::Mbarrier { address, action }), results)
    }

    fn copy(&mut self) -> (OpKind, Vec<u8>) {
        let mechanism = self.random.pick(AsyncMechanism::ALL);
        let (destination, source, size) = (self.address(2), self.address(4), self.of_width(64));
        let mbarrier = (mechanism == AsyncMechanism::BulkMbarrier).then(|| self.address(1));
        let read = (self.random.below(2) == 0).then(|| self.of_width(64));
        let of_group = mechanism == AsyncMechanism::WorkGroupEvent;
        let event = of_group.then(|| self.of_width(64));
        let strided = (self.random.below(3) == 0).then(|| Strided {
            of_source: self.random.below(2) == 0,
            count: self.of_width(64),
            each: self.of_width(64),
            apart: self.of_width(64),
        });
        // An operand is in shared memory, where nothing is copied to.
        let (destination, source, size, read) = match mechanism {
            AsyncMechanism::Matrix | AsyncMechanism::Tensor => {
                let none = self.builder.exprs().constant(0, 64);
                (destination, destination, none, Some(self.of_width(64)))
            }
            _ => (destination, source, size, read),
        };
        let copy = AsyncCopy {
            mechanism,
            destination,
            source,
            size,
            read,
            mbarrier,
            event,
            strided,
            combines: mechanism == AsyncMechanism::BulkGroup && self.random.below(2) == 0,
        };
        (OpKind::AsyncCopy(copy), if of_group { vec![64] } else { vec![] })
    }
}
