//! What the subscripts on the way to an access claim by how they are written.
//!
//! **What**: `tile[y][x]` of a `tile[16][17]` claims that `y` is below 16 and `x` below 17: an
//! index beyond an array is undefined in C++ (expr.add) and OpenCL C, also where the byte is
//! still one of the object. Each becomes a claim ([`ClaimKind::Subscript`]) before the access,
//! under its predicate.
//! **Does not**: claim anything of modules that clang did not make (LLVM itself lets an index go
//! beyond an array inside of another), of arrays in structures, which may be longer than they are
//! declared, or of pointers to arrays. Nor of `i` in `tile[0][i]`, where the subscript before it is
//! the constant zero: so programs walk over all of an array.

use heddle_ir::{Claim, ClaimKind, CmpOp, ExprId, OpKind};

use super::object::name_of;
use super::{At, Lifter};
use heddle_llvm::{Global, Module, Opcode, Type, TypeKind, Value};

/// So many steps on the way to an access are looked at.
const MOST_STEPS: usize = 16;

/// An index, and how many elements the array has.
type Subscript<'m> = (Value<'m>, u64);

impl<'m> Lifter<'m> {
    /// Emits the claims of the subscripts on the way to what is accessed through `pointer`.
    pub(super) fn claim_subscripts(&mut self, pointer: Value<'m>) {
        // What a condition of a contract reads, no program reads.
        let is_of_contract = match self.at {
            At::Inst(inst) => self.of_contracts.contains(&inst.as_value()),
            At::Origin(_) => false,
        };
        if !self.is_of_clang || is_of_contract {
            return;
        }
        let Some((variable, subscripts)) = subscripts(pointer) else { return };
        for (index, count) in subscripts {
            if count == 0 {
                // Dynamic shared memory.
                continue;
            }
            let at = self.index(index);
            let pool = self.out.exprs();
            let count_of = pool.constant(u128::from(count), 64);
            let condition = pool.cmp(CmpOp::Ult, at, count_of);
            if pool.as_const(condition).is_some() || !self.is_new(condition) {
                continue;
            }
            let name = name_of(self.module, variable, &self.function.name());
            let text = format!("an index of `{name}` is below {count}");
            self.emit(OpKind::Claim(Claim { kind: ClaimKind::Subscript, condition, text }), &[]);
        }
    }

    /// Whether a claim was not made yet where the same threads come by before.
    fn is_new(&mut self, condition: ExprId) -> bool {
        self.subscripts.insert((self.here, self.pred, condition))
    }
}

/// Whether a module says that clang made it, of a language in which subscripts stay in arrays.
pub(super) fn is_of_clang(module: &Module) -> bool {
    let makers = module.named_metadata("llvm.ident").into_iter().flat_map(|it| it.operands());
    makers.flatten().filter_map(|it| it.string()).any(|it| it.contains("clang version"))
}

/// The variable that a pointer leads into, and the subscripts on the way; none where it
/// is no variable or the way is not by subscripts alone.
fn subscripts(pointer: Value<'_>) -> Option<(Global<'_>, Vec<Subscript<'_>>)> {
    let mut steps = Vec::new();
    let mut at = pointer;
    let variable = loop {
        if let Some(variable) = at.as_global() {
            break variable;
        }
        let opcode = at.as_inst().map(|it| it.opcode()).or_else(|| at.const_opcode())?;
        match opcode {
            Opcode::AddrSpaceCast | Opcode::BitCast => {}
            Opcode::GetElementPtr if steps.len() < MOST_STEPS => steps.push(at),
            _ => return None,
        }
        at = at.operands().next()?;
    };
    let mut way = Way { ty: variable.value_type(), behind_zero: false, found: Vec::new() };
    for (n, step) in steps.into_iter().rev().enumerate() {
        // A pointer that is moved on need not stand at an element first: `(s + n)[-1]`.
        way.follow(step, n == 0)?;
    }
    Some((variable, way.found))
}

/// The way from a variable to one of its elements.
struct Way<'m> {
    /// What is there.
    ty: Type<'m>,
    /// The last index was a constant zero.
    behind_zero: bool,
    found: Vec<Subscript<'m>>,
}

impl<'m> Way<'m> {
    /// Takes the indices of a `getelementptr`; `None` where it is a step of another kind.
    fn follow(&mut self, step: Value<'m>, is_first: bool) -> Option<()> {
        let source = step.gep_source_type()?;
        let mut indices = step.operands().skip(1);
        let first = indices.next()?;
        // LLVM leaves constant zeros out: from the start of an array to that of its first element.
        while is_first && self.ty != source && self.element() != Some(source) {
            self.enter(None)?;
        }
        if first.const_int() != Some(0) {
            // `getelementptr [17 x float], ptr @tile, i64 %y` steps over the rows of an array.
            (is_first && self.element() == Some(source)).then_some(())?;
            self.enter(Some(first))?;
        } else if self.ty != source {
            (is_first && self.element() == Some(source)).then_some(())?;
            self.enter(None)?;
        }
        indices.try_for_each(|index| self.enter(Some(index)))
    }

    fn element(&self) -> Option<Type<'m>> {
        let TypeKind::Array(_, element) = self.ty.kind() else { return None };
        Some(element)
    }

    /// Goes to an element, that of index zero if none is said.
    fn enter(&mut self, index: Option<Value<'m>>) -> Option<()> {
        let TypeKind::Array(count, element) = self.ty.kind() else { return None };
        let index = index.filter(|it| it.const_int() != Some(0));
        if let (Some(index), false) = (index, self.behind_zero) {
            self.found.push((index, count));
        }
        self.behind_zero = index.is_none();
        self.ty = element;
        Some(())
    }
}
