//! Declarations of variables: parameters, memory of the thread, the block and the device.

use std::ops::Range;

use super::Wrong;
use super::cursor::Cursor;
use heddle_ptx::lexer::TokenKind;
use heddle_ptx::{Space, Type, TypeKind};

/// More bytes than this are no variable.
const MOST_BYTES: u64 = 1 << 40;

/// Who sees a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linkage {
    Internal,
    Extern,
    Visible,
    Weak,
    Common,
}

/// A variable, or a parameter.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// `None`: a register (`.reg`), as a parameter of old functions.
    pub(super) space: Option<Space>,
    pub(super) ty: Type,
    pub(super) align: u64,
    /// Its size; none of an array without one.
    pub(super) bytes: Option<u64>,
    pub(super) is_array: bool,
    /// `.ptr`, and the space that it names.
    pub(super) pointer: Option<Space>,
    pub(super) linkage: Linkage,
    /// The tokens of its initializer.
    pub(super) initial: Option<Range<usize>>,
    pub(super) at: usize,
}

impl Variable {
    /// The integer that holds one value.
    pub(super) fn bits(&self) -> u32 {
        u32::from(self.ty.bits) * u32::from(self.ty.lanes)
    }

    /// What a value of it is in IR.
    pub(super) fn ir_type(&self) -> String {
        match (self.is_array, self.bytes) {
            (true, bytes) => format!("[{} x i8]", bytes.unwrap_or(0)),
            (false, _) => format!("i{}", self.bits()),
        }
    }
}

/// The address space of LLVM's NVPTX for variables of a space.
pub(super) fn address_space(space: Space) -> u32 {
    match space {
        Space::Global => 1,
        Space::SharedBlock | Space::SharedCluster => 3,
        Space::Constant => 4,
        // Variables of the thread are `alloca`s, which are generic in LLVM.
        Space::Generic | Space::Local | Space::Parameter => 0,
    }
}

/// Reads the words and names of one declaration, without its `;`. Parameters (`nth` says which) may
/// have no name, and have none after them.
pub(super) fn declared(
    cursor: &mut Cursor<'_>,
    linkage: Linkage,
    nth: Option<usize>,
) -> Result<Vec<Variable>, Wrong> {
    let (mut space, mut ty, mut align, mut pointer) = (None, None, None, None);
    let (mut lanes, mut is_register) = (1, false);
    while let Some(word) = cursor.peek_word().filter(|it| it.starts_with('.')) {
        let place = cursor.place();
        cursor.at += 1;
        for part in word.split('.').filter(|it| !it.is_empty()) {
            match part {
                "align" => align = Some(cursor.count()?),
                "ptr" => pointer = Some(Space::Generic),
                "reg" => is_register = true,
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "attribute" => {
                    cursor.expect('(')?;
                    cursor.skip_to_close('(', ')')?;
                }
                "texref" | "surfref" | "samplerref" => {
                    ty = Some(Type { kind: TypeKind::Bits, bits: 64, lanes: 1 });
                }
                _ => match (Type::parse(part), Space::parse(part)) {
                    (Some(found), _) => ty = Some(found),
                    (None, Some(found)) if pointer.is_some() => pointer = Some(found),
                    (None, Some(found)) => space = Some(found),
                    (None, None) => {
                        return Err((place, format!("`{word}` has no place in a declaration")));
                    }
                },
            }
        }
    }
    let Some(ty) = ty else { return cursor.wrong("a type") };
    if space.is_none() && !is_register {
        return cursor.wrong("a state space, as `.global`");
    }
    let mut all = Vec::new();
    loop {
        let at = cursor.place();
        let name = match (cursor.peek_word(), nth) {
            (Some(name), _) if !name.starts_with(|c: char| c == '.' || c.is_ascii_digit()) => {
                cursor.at += 1;
                name.to_owned()
            }
            (_, Some(n)) => format!("_{n}"),
            (_, None) => return cursor.wrong("the name of a variable"),
        };
        let element = (u64::from(ty.bits) * u64::from(ty.lanes)).div_ceil(8) * lanes;
        let (mut bytes, mut is_array) = (Some(element), lanes > 1);
        while cursor.eat('[') {
            is_array = true;
            if cursor.eat(']') {
                bytes = None;
                continue;
            }
            let count = cursor.count()?;
            bytes = bytes.and_then(|it| it.checked_mul(count));
            if bytes.is_none_or(|it| it > MOST_BYTES) {
                return Err((at, format!("`{name}` is too large")));
            }
            cursor.expect(']')?;
        }
        let mut initial = None;
        if cursor.eat('=') {
            let first = cursor.at;
            if cursor.eat('{') {
                cursor.skip_to_close('{', '}')?;
            } else {
                while !matches!(cursor.peek(), Some(TokenKind::Mark(',' | ';')) | None) {
                    cursor.at += 1;
                }
            }
            initial = Some(first..cursor.at);
        }
        let align = align.unwrap_or(element).max(1);
        if !align.is_power_of_two() || align > 1 << 20 {
            return Err((at, format!("{align} is no alignment")));
        }
        let space = if is_register { None } else { space };
        if bytes.is_none() && initial.is_some() {
            bytes = None;
        }
        all.push(Variable {
            name,
            space,
            ty,
            align,
            bytes,
            is_array,
            pointer,
            linkage,
            initial,
            at,
        });
        if nth.is_some() || !cursor.eat(',') {
            return Ok(all);
        }
    }
}
