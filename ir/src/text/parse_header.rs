//! Parses what stands before the tree.

use rustc_hash::FxHashMap;

use super::lex::{ParseError, Token};
use super::source::Source;
use crate::builder::KernelBuilder;
use crate::entity::ObjectId;
use crate::initial::{Data, Fill, Initial, Piece};
use crate::kernel::{Family, LaunchBounds, Param, ParamKind, SeenLaunch, Sign, Target};
use crate::object::{Object, ObjectKind, Shape, Space};

type Objects = FxHashMap<String, ObjectId>;

pub(super) fn header(source: &mut Source) -> Result<(KernelBuilder, Objects), ParseError> {
    source.keyword("kernel")?;
    let name = source.name("the kernel's name")?;
    let display_name = match source.take_word("as") {
        true => source.name("the kernel's name in the source")?,
        false => name.clone(),
    };
    let mut builder = KernelBuilder::new(name, target(source)?);
    builder.kernel_mut().display_name = display_name;
    if source.take_word("launch") {
        builder.kernel_mut().launch = launch(source)?;
    }
    builder.kernel_mut().fetches = source.take_word("fetches");
    builder.kernel_mut().callees_assumed = source.take_word("callees_assumed");
    builder.kernel_mut().shared_aligned = source.take_word("shared_aligned");
    builder.kernel_mut().returns_written = source.take_word("returns_written");
    // A pointer's object is declared after the parameters.
    let mut pointers = Vec::new();
    while source.take_word("param") {
        let name = source.name("the parameter's name")?;
        source.sign(':')?;
        let kind = match source.take_word("pointer") {
            true => {
                let at = source.position();
                let object = source.name("the object it points to")?;
                pointers.push((builder.kernel().params.len(), object, at));
                ParamKind::Pointer(ObjectId::from_u32(0))
            }
            false => number_kind(source)?,
        };
        let sign = [Sign::Signed, Sign::Unsigned, Sign::Float]
            .into_iter()
            .find(|it| source.take_word(it.name()));
        builder.param(Param { name, kind, sign });
    }
    let mut objects = Objects::default();
    while source.take_word("object") {
        let at = source.position();
        let object = object(source)?;
        let name = object.name.clone();
        if objects.insert(name, builder.object(object)).is_some() {
            return Err(source.expected_at(at, "an object name that is not taken"));
        }
    }
    for (index, name, at) in pointers {
        let Some(&object) = objects.get(&name) else {
            return Err(source.expected_at(at, "an object that is declared below"));
        };
        builder.kernel_mut().params[index].kind = ParamKind::Pointer(object);
    }
    Ok((builder, objects))
}

fn target(source: &mut Source) -> Result<Target, ParseError> {
    source.keyword("target")?;
    let Token::Word(word) = source.peek() else {
        return Err(source.expected("a target, `nvptx` or `spirv`"));
    };
    let Some(family) = Family::from_name(word) else {
        return Err(source.expected("a target, `nvptx` or `spirv`"));
    };
    source.advance();
    source.keyword("sm")?;
    let sm = source.number_u32("a number, `80` for `sm_80`")?;
    source.keyword("warp")?;
    let warp_size = source.number_u32("the lanes of a warp")?;
    let opencl = source.take_word("opencl");
    Ok(Target { family, sm, warp_size, opencl, flushes: source.take_word("ftz") })
}

fn launch(source: &mut Source) -> Result<LaunchBounds, ParseError> {
    let mut bounds = LaunchBounds::default();
    if source.take_word("block") {
        bounds.required_block = Some(sizes(source)?);
    }
    if source.take_word("max_threads") {
        bounds.max_threads = Some(source.number_u32("a number of threads")?);
    }
    if source.take_word("cluster") {
        bounds.cluster = Some(sizes(source)?);
    }
    if source.take_word("stated_grid") {
        bounds.stated_grid = Some(sizes(source)?);
    }
    if source.take_word("stated_block") {
        bounds.stated_block = Some(sizes(source)?);
    }
    while source.take_word("launched") {
        bounds.launches.push(launched(source)?);
    }
    bounds.uneven_blocks = source.take_word("uneven_blocks");
    while source.take_word("assume") {
        bounds.assumptions.push(source.name("a condition")?);
    }
    Ok(bounds)
}

fn launched(source: &mut Source) -> Result<SeenLaunch, ParseError> {
    source.keyword("grid")?;
    let grid = known_sizes(source)?;
    source.keyword("block")?;
    let block = known_sizes(source)?;
    Ok(SeenLaunch { grid, block })
}

fn known_sizes(source: &mut Source) -> Result<[Option<u32>; 3], ParseError> {
    let mut sizes = [None; 3];
    for size in &mut sizes {
        *size = match source.take_word("any") {
            true => None,
            false => Some(source.number_u32("a size or `any`")?),
        };
    }
    Ok(sizes)
}

fn sizes(source: &mut Source) -> Result<[u32; 3], ParseError> {
    let mut sizes = [0; 3];
    for size in &mut sizes {
        *size = source.number_u32("a size")?;
    }
    Ok(sizes)
}

fn number_kind(source: &mut Source) -> Result<ParamKind, ParseError> {
    if source.take_word("field") {
        let of = source.number_u32("the position of a parameter")?;
        let offset = source.number_u64("an offset in bytes")?;
        return Ok(ParamKind::Field { of, offset, width: source.width()? });
    }
    match source.width() {
        Ok(width) => Ok(ParamKind::Scalar { width }),
        Err(_) => Err(source.expected("`pointer`, `field` or a width")),
    }
}

fn object(source: &mut Source) -> Result<Object, ParseError> {
    let name = source.name("the object's name")?;
    source.sign(':')?;
    let space = space(source)?;
    let kind = kind(source)?;
    let size = match source.take_word("size") {
        true => Some(source.number_u64("a size in bytes")?),
        false => None,
    };
    let read_only = source.take_word("read_only");
    let shape = match source.take_word("shape") {
        true => shape(source)?,
        false => Shape::Bytes,
    };
    let initial = initial(source)?;
    Ok(Object { name, space, kind, size, shape, read_only, initial })
}

/// A layout, standing alone.
pub(crate) fn shape_from_text(text: &str) -> Result<Shape, ParseError> {
    whole(text, shape)
}

/// What an object holds at first, standing alone.
pub(crate) fn initial_from_text(text: &str) -> Result<Initial, ParseError> {
    whole(text, initial)
}

/// What an object is, standing alone.
pub(crate) fn kind_from_text(text: &str) -> Result<ObjectKind, ParseError> {
    whole(text, kind)
}

fn whole<T>(
    text: &str,
    read: impl FnOnce(&mut Source) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    let mut source = Source::new(text)?;
    let found = read(&mut source)?;
    match source.peek() {
        Token::End => Ok(found),
        _ => Err(source.expected("the end of the text")),
    }
}

fn initial(source: &mut Source) -> Result<Initial, ParseError> {
    if source.take_word("fixed") {
        return Ok(Initial::Fixed(data(source)?));
    }
    if source.take_word("first") {
        return Ok(Initial::First(data(source)?));
    }
    if source.take_word("host") {
        return Ok(Initial::Host(data(source)?));
    }
    if source.take_word("argument") {
        return Ok(Initial::Argument(source.number_u32("a parameter's position")?));
    }
    Ok(Initial::Any)
}

fn data(source: &mut Source) -> Result<Data, ParseError> {
    source.sign('{')?;
    let mut pieces = Vec::new();
    if source.take_sign('}') {
        return Ok(Data { pieces });
    }
    loop {
        let offset = source.number_u64("an offset in bytes")?;
        source.sign(':')?;
        let fill = match source.take_word("zeros") {
            true => Fill::Zeros(source.number_u64("a number of bytes")?),
            false => Fill::Bytes(bytes(source)?),
        };
        pieces.push(Piece { offset, fill });
        if source.take_sign('}') {
            return Ok(Data { pieces });
        }
        if !source.take_sign(',') {
            return Err(source.expected("`,` or `}`"));
        }
    }
}

/// `"03ff"`: two hexadecimal digits for each byte.
fn bytes(source: &mut Source) -> Result<Vec<u8>, ParseError> {
    let at = source.position();
    let digits = source.name("`zeros` or bytes in hexadecimal digits")?;
    let digit = |c: char| c.to_digit(16).map(|it| it as u8);
    let values: Option<Vec<u8>> = digits.chars().map(digit).collect();
    match values {
        Some(values) if values.len() % 2 == 0 => {
            Ok(values.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
        }
        Some(_) | None => Err(source.expected_at(at, "two hexadecimal digits for each byte")),
    }
}

pub(super) fn space(source: &mut Source) -> Result<Space, ParseError> {
    let space = match source.peek() {
        Token::Word(word) => Space::from_name(word),
        _ => None,
    };
    let Some(space) = space else {
        return Err(source.expected("`global`, `shared`, `constant`, `local` or `generic`"));
    };
    source.advance();
    Ok(space)
}

fn kind(source: &mut Source) -> Result<ObjectKind, ParseError> {
    let word = match source.peek() {
        Token::Word(word) => word.clone(),
        _ => String::new(),
    };
    let kind = match word.as_str() {
        "param" => {
            source.advance();
            return Ok(ObjectKind::Param(source.number_u32("a parameter's position")?));
        }
        "param_field" => {
            source.advance();
            let index = source.number_u32("a parameter's position")?;
            let offset = source.number_u64("an offset in bytes")?;
            return Ok(ObjectKind::ParamField(index, offset));
        }
        "pointee" => {
            source.advance();
            let table = source.number_u32("an object's position")?;
            return Ok(ObjectKind::Pointee(ObjectId::from_u32(table)));
        }
        "variable" => ObjectKind::Variable,
        "dynamic_shared" => ObjectKind::DynamicShared,
        "alloca" => ObjectKind::Alloca,
        "unknown" => ObjectKind::Unknown,
        _ => {
            return Err(source.expected(
                "`param`, `param_field`, `pointee`, `variable`, `dynamic_shared`, `alloca` or `unknown`",
            ));
        }
    };
    source.advance();
    Ok(kind)
}

fn shape(source: &mut Source) -> Result<Shape, ParseError> {
    source.deeper(|source| {
        if source.take_word("bytes") {
            return Ok(Shape::Bytes);
        }
        if source.take_word("scalar") {
            return Ok(Shape::Scalar { bytes: source.number_u64("a size in bytes")? });
        }
        if source.take_sign('[') {
            let length = match source.take_sign('?') {
                true => None,
                false => Some(source.number_u64("a length or `?`")?),
            };
            source.sign(',')?;
            source.keyword("stride")?;
            let stride = source.number_u64("a stride in bytes")?;
            source.sign(']')?;
            return Ok(Shape::Array { stride, length, element: Box::new(shape(source)?) });
        }
        if source.take_sign('{') {
            return Ok(Shape::Struct { members: members(source)? });
        }
        Err(source.expected("`bytes`, `scalar`, `[` or `{`"))
    })
}

fn members(source: &mut Source) -> Result<Vec<(u64, String, Shape)>, ParseError> {
    let mut members = Vec::new();
    if source.take_sign('}') {
        return Ok(members);
    }
    loop {
        let offset = source.number_u64("an offset in bytes")?;
        let name = source.name("a member's name")?;
        source.sign(':')?;
        members.push((offset, name, shape(source)?));
        if source.take_sign('}') {
            return Ok(members);
        }
        if !source.take_sign(',') {
            return Err(source.expected("`,` or `}`"));
        }
    }
}
