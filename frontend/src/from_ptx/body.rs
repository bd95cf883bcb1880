//! The body of a function: its statements with their meaning, and the variables inside.

use rustc_hash::FxHashMap;

use super::cursor::Cursor;
use super::file::{File, Function};
use super::variable::{Linkage, Variable, declared};
use super::{Wrong, file};
use heddle_ptx::lexer::{Token, TokenKind};
use heddle_ptx::parser::{self, Statement};
use heddle_ptx::roles::Context;
use heddle_ptx::{Instruction, Label, LabelId, Register, Space, table};

/// A body, read.
pub(super) struct Body {
    pub(super) registers: Vec<Register>,
    pub(super) labels: Vec<Label>,
    pub(super) steps: Vec<Step>,
    pub(super) locals: Vec<Local>,
    /// Its tokens, those of parameters in registers before them.
    pub(super) tokens: Vec<Token>,
    /// By label: where an indexed branch, or a call by pointer, may go.
    pub(super) targets: FxHashMap<LabelId, Targets>,
    /// By label: results and parameters of calls by pointer.
    pub(super) prototypes: FxHashMap<LabelId, (Vec<Variable>, Vec<Variable>)>,
    /// Variables of the block, and of the device, that are declared inside.
    pub(super) outer: Vec<Variable>,
}

/// Names in a list of targets, and the blocks around it, in which labels are looked for.
pub(super) struct Targets {
    pub(super) names: Vec<String>,
    pub(super) blocks: Vec<usize>,
}

/// One statement.
pub(super) struct Step {
    pub(super) what: What,
    /// The blocks around it, outermost first.
    pub(super) blocks: Vec<usize>,
    /// Its tokens from the opcode on.
    pub(super) tokens: std::ops::Range<usize>,
    /// Where it stands in the text.
    pub(super) at: usize,
}

/// What a statement is.
pub(super) enum What {
    Instruction(Instruction),
    /// `.loc`: its numbers, the function's name, and where that was inlined.
    Line(Line),
    /// A declaration: nothing that runs.
    Nothing,
}

/// `.loc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) spot: [u64; 3],
    pub(super) function: Option<String>,
    pub(super) inlined_at: Option<[u64; 3]>,
}

/// A variable of the function, and what it is called in IR.
pub(super) struct Local {
    pub(super) block: usize,
    pub(super) variable: Variable,
    /// `%"…"` of a variable of the thread, `@"…"` of one of the block.
    pub(super) ir_name: String,
}

/// Reads the body of a function.
pub(super) fn read(
    file: &File,
    tokens: &[Token],
    function: &Function,
) -> Result<Option<Body>, Wrong> {
    let Some(range) = function.body.clone() else { return Ok(None) };
    let end = function.span.end;
    let mut own = register_parameters(function);
    own.extend_from_slice(&tokens[range]);
    let parsed = parser::parse_body(&own, end).map_err(|(at, kind)| (at, kind.to_string()))?;
    let mut body = Body {
        registers: parsed.regs,
        labels: parsed.labels,
        steps: Vec::new(),
        locals: Vec::new(),
        tokens: own,
        targets: FxHashMap::default(),
        prototypes: FxHashMap::default(),
        outer: Vec::new(),
    };
    for (n, statement) in parsed.statements.into_iter().enumerate() {
        let step = body.step(file, function, n, statement)?;
        body.steps.push(step);
    }
    if let Some(register) = body.registers.iter().find(|it| it.elements > 1) {
        let why = format!(
            "`{}` is a vector register, which is not read; use scalar registers",
            register.name
        );
        return Err((function.span.start, why));
    }
    Ok(Some(body))
}

/// `.reg .b32 %a;` for each parameter that is a register.
fn register_parameters(function: &Function) -> Vec<Token> {
    let mut tokens = Vec::new();
    for it in function.results.iter().chain(&function.params).filter(|it| it.space.is_none()) {
        let ty = match it.bits() {
            1 => ".pred".to_owned(),
            bits => format!(".b{bits}"),
        };
        for kind in [
            TokenKind::Word(".reg".to_owned()),
            TokenKind::Word(ty),
            TokenKind::Word(it.name.clone()),
            TokenKind::Mark(';'),
        ] {
            tokens.push(Token { column: it.at, kind });
        }
    }
    tokens
}

impl Body {
    fn step(
        &mut self,
        file: &File,
        function: &Function,
        n: usize,
        statement: Statement,
    ) -> Result<Step, Wrong> {
        let (tokens, blocks) = (statement.tokens.clone(), statement.blocks.clone());
        let at = statement.column;
        let end = self.tokens.get(tokens.end).map_or(function.span.end, |it| it.column);
        let what = if statement.opcode == ".loc" {
            What::Line(line(&mut Cursor::new(&self.tokens[tokens.clone()], end))?)
        } else if statement.opcode.starts_with('.') {
            let own = self.tokens[tokens.clone()].to_vec();
            let mut cursor = Cursor::new(&own, end);
            self.directive(file, function, n, &statement, &mut cursor)?;
            if cursor.peek().is_some() {
                return cursor.wrong("`;`");
            }
            What::Nothing
        } else {
            let cx = Context { operands: &[], regs: &self.registers };
            What::Instruction(table::classify(&cx, statement))
        };
        Ok(Step { what, blocks, tokens, at })
    }

    fn directive(
        &mut self,
        file: &File,
        function: &Function,
        n: usize,
        statement: &Statement,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Wrong> {
        let block = statement.blocks.last().copied();
        let is_own = |it: &Label| it.at == n && Some(it.block) == block;
        let labels: Vec<LabelId> =
            (0..self.labels.len()).filter(|it| is_own(&self.labels[*it])).map(LabelId).collect();
        match statement.opcode.as_str() {
            ".branchtargets" | ".calltargets" => {
                cursor.at += 1;
                let mut all = Vec::new();
                loop {
                    all.push(cursor.word("a label")?.to_owned());
                    if !cursor.eat(',') {
                        break;
                    }
                }
                for label in labels {
                    let blocks = statement.blocks.clone();
                    self.targets.insert(label, Targets { names: all.clone(), blocks });
                }
            }
            ".callprototype" => {
                let prototype = file::prototype(cursor)?;
                while cursor.peek().is_some() {
                    cursor.at += 1;
                }
                for label in labels {
                    self.prototypes.insert(label, prototype.clone());
                }
            }
            ".file" | ".section" => {
                return Err((statement.column, "this directive stands outside".to_owned()));
            }
            _ => {
                let linkage = match cursor.eat_word(".extern") {
                    true => Linkage::Extern,
                    false => Linkage::Internal,
                };
                for variable in declared(cursor, linkage, None)? {
                    let block = statement.blocks.last().copied().unwrap_or(0);
                    self.add_local(file, function, block, variable)?;
                }
            }
        }
        Ok(())
    }

    fn add_local(
        &mut self,
        file: &File,
        function: &Function,
        block: usize,
        variable: Variable,
    ) -> Result<(), Wrong> {
        let n = self.locals.len();
        let ir_name = match variable.space {
            Some(Space::Local | Space::Parameter) => {
                if variable.bytes.is_none() {
                    return Err((variable.at, format!("`{}` has no size", variable.name)));
                }
                format!("%\"{}.{n}\"", variable.name)
            }
            Some(_) => {
                // The name of the source, unless two functions have it.
                let plain = variable.name.clone();
                let is_taken = file.variable(&plain).is_some() || !is_only(file, function, &plain);
                let name = if is_taken || self.outer.iter().any(|it| it.name == plain) {
                    format!("{}.{plain}.{n}", function.name)
                } else {
                    plain
                };
                self.outer.push(Variable { name: name.clone(), ..variable.clone() });
                format!("@\"{name}\"")
            }
            None => return Err((variable.at, "expected a state space".to_owned())),
        };
        self.locals.push(Local { block, variable, ir_name });
        Ok(())
    }

    /// The label that a name means in these blocks, outermost first: that of the innermost.
    pub(super) fn label(&self, blocks: &[usize], name: &str) -> Option<LabelId> {
        let seen =
            |block: &usize| self.labels.iter().position(|it| it.block == *block && it.name == name);
        blocks.iter().rev().find_map(seen).map(LabelId)
    }

    /// The variable of the function that a name means at a step.
    pub(super) fn local(&self, step: &Step, name: &str) -> Option<&Local> {
        step.blocks.iter().rev().find_map(|block| {
            self.locals.iter().find(|it| it.block == *block && it.variable.name == name)
        })
    }
}

/// Whether no other function of the file may declare the name: compilers name variables inside by
/// the function's own.
fn is_only(file: &File, function: &Function, name: &str) -> bool {
    file.function(name).is_none()
        && (file.functions.iter().filter(|it| it.body.is_some()).count() == 1
            || name.contains(function.name.trim_start_matches("_Z")))
}

fn line(cursor: &mut Cursor<'_>) -> Result<Line, Wrong> {
    let three = |cursor: &mut Cursor<'_>| Ok([cursor.count()?, cursor.count()?, cursor.count()?]);
    cursor.at += 1;
    let mut line = Line { spot: three(cursor)?, function: None, inlined_at: None };
    while cursor.eat(',') {
        if cursor.eat_word("function_name") {
            line.function = Some(cursor.word("a label")?.to_owned());
            if cursor.eat('+') {
                cursor.count()?;
            }
        } else if cursor.eat_word("inlined_at") {
            line.inlined_at = Some(three(cursor)?);
        } else {
            return cursor.wrong("`function_name` or `inlined_at`");
        }
    }
    Ok(line)
}
