//! From blocks to predicates: walks the tree of loops, and lifts each block under its predicate.

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{Ending, ExprId, Kernel, KernelBuilder, LoopId, OpKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::carried::Carried;
use super::cfg::{Edge, Flow, Forest, Irreducible, Node, Region};
use super::object::Objects;
use super::origin::Origins;
use super::pointees::separate_pointees;
use super::pointer::MAX_SELECTS;
use super::predicate::{any, both, equals};
use super::value::Val;
use super::{At, LiftError, Lifter};
use crate::contract::{OPENS, condition};
use heddle_llvm::{Block, Function, Inst, Module, Opcode, Value};

/// Empty blocks in a row that are looked through: a chain of them is short, and an endless one is
/// no return.
const LONGEST_CHAIN: u32 = 6;

/// A region while its nodes are lifted.
struct Frame {
    region: Region,
    /// By node so far: when a thread gets there, once it is at the immediate dominator.
    relative: Vec<ExprId>,
    /// By node so far: when a thread gets there.
    preds: Vec<ExprId>,
}

/// The loads in conditions of contracts.
fn loads_of_contracts(function: Function<'_>) -> FxHashSet<Value<'_>> {
    let opens = |it: &Inst<'_>| it.called_function().is_some_and(|it| it.name() == OPENS);
    let conditions = function.instructions().filter(opens).filter_map(condition);
    let code = conditions.flat_map(|it| it.code);
    code.filter(|it| it.opcode() == Opcode::Load).map(Inst::as_value).collect()
}

impl<'m> Lifter<'m> {
    pub(super) fn new(module: &'m Module, function: Function<'m>) -> Result<Self, LiftError> {
        let name = function.name();
        let blocks: Vec<Block<'m>> = function.blocks().collect();
        if blocks.is_empty() {
            return Err(LiftError::NoBody { function: name });
        }
        let numbers: FxHashMap<Block<'m>, usize> =
            blocks.iter().enumerate().map(|(n, b)| (*b, n)).collect();
        if let Some(broken) = blocks.iter().find(|b| b.terminator().is_none()) {
            return Err(LiftError::NoTerminator { function: name, block: broken.name() });
        }
        let flow = flow_of(&blocks, &numbers);
        let forest = Forest::new(flow).map_err(|Irreducible(block)| LiftError::Irreducible {
            function: name.clone(),
            block: blocks[block].name(),
        })?;
        let target = super::object::target_of(module, function);
        let mut out = KernelBuilder::new(name, target);
        let objects = Objects::new(&module.triple());
        let mut origins = Origins::new(module, function);
        let truth = out.exprs().truth();
        let at = origins.none(&mut out, &function.name());
        origins.of_kernel(&mut out, function);
        out.kernel_mut().returns_written = function.tells_returns();
        let loop_ids = vec![None; forest.loops.len()];
        Ok(Lifter {
            module,
            function,
            out,
            forest,
            of_contracts: loads_of_contracts(function),
            blocks,
            numbers,
            values: FxHashMap::default(),
            edges: FxHashMap::default(),
            loop_ids,
            op_loops: SecondaryMap::new(),
            exits: FxHashMap::default(),
            returns: Vec::new(),
            objects,
            origins,
            spaces: FxHashMap::default(),
            asking: FxHashSet::default(),
            rooted: Default::default(),
            own_addresses: None,
            any_addresses: None,
            compares_objects: None,
            is_of_clang: crate::subscript::is_of_clang(module),
            has_builtins: crate::mangled::are_builtins(module),
            subscripts: FxHashSet::default(),
            without_flags: false,
            undefs: 0,
            turns: 0,
            here: None,
            pred: truth,
            at: At::Origin(at),
        })
    }

    pub(super) fn run(mut self) -> Result<Kernel, LiftError> {
        self.describe_kernel();
        self.lift_parameters();
        self.body(None);
        let leading = std::mem::take(&mut self.objects.leading);
        let mut kernel = self.out.finish();
        separate_pointees(&mut kernel, &leading);
        Ok(kernel)
    }

    /// Lifts the body of a loop, or of the function.
    fn body(&mut self, of: Option<usize>) -> Frame {
        let region = self.forest.region(of);
        let mut frame = Frame { region, relative: Vec::new(), preds: Vec::new() };
        for index in 0..frame.region.nodes.len() {
            let (relative, pred) = self.reach(&frame, index);
            frame.relative.push(relative);
            frame.preds.push(pred);
            match frame.region.nodes[index] {
                Node::Block(block) => self.block(&frame, index, block),
                Node::Loop(inner) => self.enter_loop(&frame, index, inner),
            }
        }
        frame
    }

    /// When a thread gets to a node: once it is at its immediate dominator, and from the start of
    /// the region.
    fn reach(&mut self, frame: &Frame, node: usize) -> (ExprId, ExprId) {
        if node == 0 {
            let truth = self.out.exprs().truth();
            return (truth, truth);
        }
        let above = frame.preds.get(frame.region.idom[node]).copied();
        let above = above.unwrap_or_else(|| self.out.exprs().truth());
        if frame.region.always[node] {
            return (self.out.exprs().truth(), above);
        }
        let conditions: Vec<ExprId> = frame.region.entering[node]
            .iter()
            .map(|&e| self.edge_condition(frame, node, e))
            .collect();
        let relative = any(self.out.exprs(), conditions);
        (relative, both(self.out.exprs(), above, relative))
    }

    /// When a thread takes an edge into a node, once it is at the node's immediate dominator.
    fn edge_condition(&mut self, frame: &Frame, node: usize, edge: Edge) -> ExprId {
        let mut condition = match self.edges.get(&(edge.from, edge.to)) {
            Some(&known) => known,
            None => self.out.exprs().falsity(),
        };
        let mut at = edge.node;
        while at > frame.region.idom[node] {
            condition = both(self.out.exprs(), frame.relative[at], condition);
            at = frame.region.idom[at];
        }
        condition
    }

    /// The value of a phi at a node, by the conditions of the edges that enter it.
    fn merge(&mut self, frame: &Frame, node: usize, phi: Inst<'m>) -> Val {
        let incoming: FxHashMap<usize, Value<'m>> = phi
            .incoming()
            .into_iter()
            .filter_map(|(v, b)| self.numbers.get(&b).map(|n| (*n, v)))
            .collect();
        let mut cases: Vec<(ExprId, Val)> = Vec::new();
        for &edge in &frame.region.entering[node] {
            let Some(&value) = incoming.get(&edge.from) else { continue };
            let value = self.value(value);
            let condition = self.edge_condition(frame, node, edge);
            match cases.iter_mut().find(|(_, v)| *v == value) {
                Some((known, _)) => {
                    *known = super::predicate::either(self.out.exprs(), *known, condition)
                }
                None => cases.push((condition, value)),
            }
        }
        // The longest condition is the one that need not be said: the newest handle.
        let rest = (0..cases.len()).max_by_key(|&n| cases[n].0);
        let Some((_, mut result)) = rest.map(|n| cases.remove(n)) else {
            return self.undef_of(phi.ty());
        };
        for (condition, value) in cases.into_iter().rev() {
            result = self.choose(condition, value, result);
        }
        result
    }

    fn block(&mut self, frame: &Frame, node: usize, number: usize) {
        let block = self.blocks[number];
        self.pred = frame.preds[node];
        let is_header = self.here.is_some_and(|l| self.forest.loops[l].header == number);
        for inst in block.instructions() {
            self.at = At::Inst(inst);
            match inst.opcode() {
                // The loop variables are there already.
                Opcode::Phi if is_header => {}
                Opcode::Phi => {
                    let value = self.merge(frame, node, inst);
                    self.name_value(&value, &inst.name());
                    self.define(inst, value);
                }
                _ if inst.is_terminator() => self.terminator(number, inst),
                _ => self.instruction(inst),
            }
        }
    }

    /// Decides the edges that leave a block; those that end the thread become operations.
    fn terminator(&mut self, number: usize, inst: Inst<'m>) {
        let truth = self.out.exprs().truth();
        let mut ways: Vec<(ExprId, Block<'m>)> = Vec::new();
        let successors = inst.successors();
        match (inst.opcode(), &successors[..]) {
            // Whoever comes to the end of the kernel otherwise has not returned early.
            (Opcode::Ret, _) => {
                let returned = inst.block().is_returned().map(|it| self.scalar(it));
                let returned = returned.unwrap_or_else(|| self.returned_untold());
                self.leave(returned, Ending::Return);
            }
            (Opcode::Unreachable, _) => {
                if !self.has_ended() {
                    self.leave(truth, Ending::Trap);
                }
            }
            (Opcode::Br, [only]) => ways.push((truth, *only)),
            (Opcode::Br, [yes, no]) => {
                let condition = inst.condition().map(|c| self.scalar(c));
                let condition = condition.unwrap_or_else(|| self.undef(1));
                let not = self.out.exprs().not(condition);
                ways.extend([(condition, *yes), (not, *no)]);
            }
            (Opcode::Switch, [default, ..]) => {
                let value = inst.operand(0).map(|c| self.scalar(c));
                let mut none = truth;
                for case in inst.switch_cases() {
                    let constant = self.scalar(case.value);
                    let taken = match value {
                        Some(value) => equals(self.out.exprs(), value, constant, MAX_SELECTS),
                        None => self.undef(1),
                    };
                    ways.push((taken, case.target));
                    let not = self.out.exprs().not(taken);
                    none = both(self.out.exprs(), none, not);
                }
                ways.push((none, *default));
            }
            (Opcode::Invoke, [normal, ..]) => {
                self.instruction(inst);
                ways.push((truth, *normal));
            }
            (_, several) => {
                // Which way is taken is not modelled: a number that nothing is known of decides.
                let name = inst.opcode().name();
                let which = self.opaque(name, &[], &[32], super::touches_everything(), true)[0];
                let mut rest = truth;
                for (n, block) in several.iter().enumerate() {
                    let this = self.out.exprs().constant(n as u128, 32);
                    let taken = self.out.exprs().eq(which, this);
                    let last = n + 1 == several.len();
                    ways.push((if last { rest } else { taken }, *block));
                    let not = self.out.exprs().not(taken);
                    rest = both(self.out.exprs(), rest, not);
                }
                if several.is_empty() {
                    self.leave(truth, Ending::Trap);
                }
            }
        }
        let mut returns = self.out.exprs().falsity();
        for (condition, target) in ways {
            if is_unreachable(target) {
                // The compiler promises that nobody goes there.
                let not = self.out.exprs().not(condition);
                if self.out.exprs().as_const(not) != Some(1) {
                    self.emit(OpKind::Assume(not), &[]);
                }
                continue;
            }
            let returning = self.returning(inst, target);
            let pool = self.out.exprs();
            let leaves = both(pool, condition, returning);
            returns = super::predicate::either(pool, returns, leaves);
            let stays = pool.not(returning);
            let condition = both(pool, condition, stays);
            if pool.as_const(condition) == Some(0) {
                continue;
            }
            let Some(&to) = self.numbers.get(&target) else { continue };
            let known = self.edges.get(&(number, to)).copied();
            let condition = match known {
                Some(known) => super::predicate::either(self.out.exprs(), known, condition),
                None => condition,
            };
            self.edges.insert((number, to), condition);
        }
        self.leave(returns, Ending::Return);
    }

    /// When a thread that takes this way returns by it.
    fn returning(&mut self, last: Inst<'m>, target: Block<'m>) -> ExprId {
        if !only_returns(target) {
            return self.out.exprs().falsity();
        }
        self.is_returned(&mut vec![last.block(), target])
    }

    /// Whether a thread has come by a written `return` that goes these blocks in turn, and on to
    /// the end of the kernel; each, where that is not told.
    fn is_returned(&mut self, way: &mut Vec<Block<'m>>) -> ExprId {
        let untold = self.returned_untold();
        let Some(last) = way.last().and_then(|it| it.terminator()) else { return untold };
        if last.opcode() == Opcode::Ret {
            let told = last.block().is_returned();
            return told.map_or(untold, |it| self.scalar(come_by(it, way)));
        }
        let value = match last.opcode() {
            Opcode::Br => last.condition(),
            _ => last.operand(0),
        };
        let value = value.map(|it| self.scalar(come_by(it, way)));
        let mut on = |lifter: &mut Self, to: Block<'m>| {
            way.push(to);
            let returned = lifter.is_returned(way);
            way.pop();
            returned
        };
        match (last.opcode(), &last.successors()[..], value) {
            (_, [only], _) => on(self, *only),
            (Opcode::Br, [yes, no], Some(condition)) => {
                let (yes, no) = (on(self, *yes), on(self, *no));
                self.out.exprs().select(condition, yes, no)
            }
            (Opcode::Switch, [default, ..], Some(value)) => {
                let mut returned = on(self, *default);
                for case in last.switch_cases() {
                    let constant = self.scalar(case.value);
                    let taken = equals(self.out.exprs(), value, constant, MAX_SELECTS);
                    let here = on(self, case.target);
                    returned = self.out.exprs().select(taken, here, returned);
                }
                returned
            }
            _ => untold,
        }
    }

    /// What counts as a return where nothing is told: any way out, in code without marks.
    fn returned_untold(&mut self) -> ExprId {
        let is_told = self.out.kernel().returns_written;
        self.out.exprs().constant(u128::from(!is_told), 1)
    }

    /// The threads of the block for which `condition` holds end here.
    pub(super) fn leave(&mut self, condition: ExprId, how: Ending) {
        let pred = both(self.out.exprs(), self.pred, condition);
        if self.out.exprs().as_const(pred) == Some(0) {
            return;
        }
        if how == Ending::Return && self.here.is_none() && !self.out.kernel().returns_written {
            let origin = self.origin();
            self.returns.push((pred, origin));
        } else {
            self.emit_under(pred, OpKind::Exit(how), &[]);
        }
    }

    /// Writes down the returns before something that comes after them.
    pub(super) fn flush_returns(&mut self) {
        for (pred, at) in std::mem::take(&mut self.returns) {
            self.out.op(pred, OpKind::Exit(Ending::Return), &[], at);
        }
    }

    /// Whether the last operation was the thread's end, under the present predicate.
    fn has_ended(&self) -> bool {
        let last = self.out.kernel().ops.values().next_back();
        last.is_some_and(|op| matches!(op.kind, OpKind::Exit(_)) && op.pred == self.pred)
            || self.returns.last().is_some_and(|(pred, _)| *pred == self.pred)
    }

    fn enter_loop(&mut self, frame: &Frame, node: usize, index: usize) {
        let header = self.blocks[self.forest.loops[index].header];
        let origin = self.origins.of_loop(&mut self.out, header);
        let phis: Vec<Inst<'m>> =
            header.instructions().take_while(|i| i.opcode() == Opcode::Phi).collect();
        let starts: Vec<Val> = phis.iter().map(|&phi| self.merge(frame, node, phi)).collect();
        self.flush_returns();
        let id = self.out.begin_loop(frame.preds[node], origin);
        self.loop_ids[index] = Some(id);
        let outside = self.here.replace(index);
        let mut carried: Vec<Carried<'m>> = Vec::with_capacity(phis.len());
        for (phi, start) in phis.into_iter().zip(starts) {
            if let Some(known) = carried.iter().find(|it| are_one(it.phi, phi)) {
                let value = self.value(known.phi.as_value());
                self.define(phi, value);
                continue;
            }
            let name = self.origins.name_of(phi.as_value());
            let (value, parts) = self.carry(id, phi, start, name);
            self.define(phi, value);
            carried.push(Carried { phi, parts });
        }
        let inner = self.body(Some(index));
        let end = inner.region.nodes.len();
        self.at = At::Origin(origin);
        for Carried { phi, parts } in carried {
            let next = self.merge(&inner, end, phi);
            self.set_next(parts, next);
        }
        let (_, cont) = self.reach(&inner, end);
        self.leave_edges(id, index, &inner);
        self.out.end_loop(cont);
        self.here = outside;
    }

    /// Restates the edges that leave a loop for the region around it.
    fn leave_edges(&mut self, id: LoopId, index: usize, inner: &Frame) {
        let exits = self.forest.loops[index].exits.clone();
        let single = self.forest.loops[index].single_way_out;
        for (from, to) in exits {
            let Some(&local) = self.edges.get(&(from, to)) else { continue };
            let condition = if single {
                self.out.exprs().truth()
            } else {
                let node = self.forest.node_of(from, Some(index));
                let at = inner.region.nodes.iter().position(|n| Some(*n) == node).unwrap_or(0);
                let taken = both(self.out.exprs(), inner.preds[at], local);
                self.exit(id, taken)
            };
            self.edges.insert((from, to), condition);
        }
    }
}

/// The edges among the blocks. Those to a block that only returns end the thread instead.
fn flow_of(blocks: &[Block<'_>], numbers: &FxHashMap<Block<'_>, usize>) -> Flow {
    let mut flow = Flow::default();
    for block in blocks {
        let (mut succs, mut ends) = (Vec::new(), false);
        let successors = block.successors();
        ends |= successors.is_empty();
        for target in successors {
            match numbers.get(&target) {
                _ if is_unreachable(target) => {}
                _ if only_returns(target) => ends = true,
                Some(&to) if !succs.contains(&to) => succs.push(to),
                Some(_) | None => {}
            }
        }
        flow.tails.push(succs.is_empty() && block.instructions().all(waits_for_nobody));
        flow.succs.push(succs);
        flow.ends.push(ends);
    }
    flow
}

/// Whether an instruction is sure not to wait for other threads.
fn waits_for_nobody(inst: Inst<'_>) -> bool {
    !inst.is_call() || super::call::does_nothing(inst) || super::call::cannot_wait(inst)
}

/// Whether two phis of one block have the same value whenever it is entered: each way in gives both
/// the same. A constant that is no number is left alone, which may be undefined, and another value
/// at each use.
fn are_one(a: Inst<'_>, b: Inst<'_>) -> bool {
    let is_plain = |it: Value<'_>| {
        it.as_inst().is_some() || it.as_argument().is_some() || it.const_int().is_some()
    };
    let (of_a, of_b) = (a.incoming(), b.incoming());
    of_a.len() == of_b.len() && of_a.iter().all(|it| is_plain(it.0) && of_b.contains(it))
}

/// Whether a block does nothing at all, and cannot be reached in a defined program.
fn is_unreachable(block: Block<'_>) -> bool {
    block.instructions().all(|inst| match inst.opcode() {
        Opcode::Phi | Opcode::Unreachable => true,
        _ => super::call::does_nothing(inst),
    })
}

/// What a value is for a thread that goes these blocks in turn.
fn come_by<'m>(mut value: Value<'m>, way: &[Block<'m>]) -> Value<'m> {
    for [before, block] in way.array_windows().rev() {
        let phi = value.as_inst().filter(|it| it.opcode() == Opcode::Phi && it.block() == *block);
        let Some(phi) = phi else { continue };
        let from = phi.incoming().into_iter().find(|(_, from)| from == before);
        value = from.map_or(value, |(it, _)| it);
    }
    value
}

/// Whether a block does nothing but return, or go to blocks that do no more than that.
fn only_returns(block: Block<'_>) -> bool {
    returns_within(block, LONGEST_CHAIN)
}

fn returns_within(block: Block<'_>, depth: u32) -> bool {
    let idle = |inst: Inst<'_>| match inst.opcode() {
        Opcode::Ret | Opcode::Phi | Opcode::Br | Opcode::Switch => true,
        _ => super::call::does_nothing(inst),
    };
    if depth == 0 || !block.instructions().all(idle) {
        return false;
    }
    let successors = block.successors();
    if successors.is_empty() {
        return block.terminator().is_some_and(|t| t.opcode() == Opcode::Ret);
    }
    let mut returning = successors.into_iter().filter(|&b| !is_unreachable(b)).peekable();
    returning.peek().is_some() && returning.all(|b| returns_within(b, depth - 1))
}
