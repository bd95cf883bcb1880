//! Writes the code of a block, with labels that may be used before they are placed.

use super::{Action, Address, Code, Expr, Operation, Register};

/// A place in the code that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Collects operations. `finish` gives the code.
#[derive(Clone, Debug, Default)]
pub struct CodeBuilder {
    registers: u32,
    operations: Vec<Operation>,
    places: Vec<String>,
    place: String,
    labels: Vec<Option<usize>>,
}

impl CodeBuilder {
    /// No code yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new register.
    pub fn register(&mut self) -> Register {
        self.registers += 1;
        Register(self.registers - 1)
    }

    /// How many operations there are: the position of the next one.
    pub fn position(&self) -> usize {
        self.operations.len()
    }

    /// Says where the operations that follow come from, such as a source line.
    pub fn at(&mut self, place: &str) -> &mut Self {
        place.clone_into(&mut self.place);
        self
    }

    /// A new label, to be placed later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Puts a label in front of the next operation.
    ///
    /// # Panics
    /// If it has been placed already.
    pub fn place(&mut self, label: Label) {
        let here = self.operations.len();
        assert!(self.labels[label.0].replace(here).is_none(), "a label has one place");
    }

    /// A new label in front of the next operation.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    /// Sets registers, all at once.
    pub fn assign(&mut self, assignments: Vec<(Register, Expr)>) {
        self.push(Operation::Assign(assignments));
    }

    /// An atomic operation; gives the register that takes the old value.
    pub fn atomic(&mut self, address: Address, action: Action) -> Register {
        let result = self.register();
        self.push(Operation::Atomic { address, action, result: Some(result) });
        result
    }

    /// An atomic operation whose old value goes to a register that exists.
    pub fn atomic_into(&mut self, result: Register, address: Address, action: Action) {
        self.push(Operation::Atomic { address, action, result: Some(result) });
    }

    /// An atomic operation whose old value nobody wants.
    pub fn atomic_only(&mut self, address: Address, action: Action) {
        self.push(Operation::Atomic { address, action, result: None });
    }

    /// Goes to `yes` if the condition is not zero, else to `no`.
    pub fn branch(&mut self, condition: impl Into<Expr>, yes: Label, no: Label) {
        self.push(Operation::Branch(condition.into(), yes.0, no.0));
    }

    /// Goes to `target` if the condition is not zero, else on.
    pub fn branch_if(&mut self, condition: impl Into<Expr>, target: Label) {
        let next = self.label();
        self.branch(condition, target, next);
        self.place(next);
    }

    /// Goes to a label.
    pub fn jump(&mut self, target: Label) {
        self.push(Operation::Jump(target.0));
    }

    /// The block terminates.
    pub fn exit(&mut self) {
        self.push(Operation::Exit);
    }

    fn push(&mut self, operation: Operation) {
        self.operations.push(operation);
        self.places.push(self.place.clone());
    }

    /// The code, with an exit at its end.
    ///
    /// # Panics
    /// If a label that is used was never placed.
    pub fn finish(mut self) -> Code {
        self.exit();
        let labels = &self.labels;
        let resolve =
            |label: &mut usize| *label = labels[*label].expect("a label that is used has a place");
        for operation in &mut self.operations {
            match operation {
                Operation::Branch(_, yes, no) => {
                    resolve(yes);
                    resolve(no);
                }
                Operation::Jump(target) => resolve(target),
                Operation::Assign(_) | Operation::Atomic { .. } | Operation::Exit => {}
            }
        }
        let Self { registers, operations, places, .. } = self;
        Code { registers: registers as usize, operations, places }
    }
}
