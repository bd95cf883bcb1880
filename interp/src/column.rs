//! One value of every thread of a block.
//!
//! A column is one value for all threads, or one each for a range of threads: those that run the
//! loop the value belongs to. A value is known, or has a [`Cause`] why not; the bits of an unknown
//! value mean nothing. Values of up to 64 bits are kept in 64, so that the loops over them are as
//! short as the machine can make them.

use heddle_ir::mask;

use crate::stop::Cause;

/// Threads from the first to before the second.
pub(crate) type Range = (u32, u32);

#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) width: u8,
    pub(crate) data: Data,
}

#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// The same for all threads.
    Uniform(u128, Cause),
    /// Up to 64 bits each, from the first thread on.
    Narrow(u32, Vec<u64>, Option<Vec<Cause>>),
    /// Up to 128 bits each.
    Wide(u32, Vec<u128>, Option<Vec<Cause>>),
}

impl Column {
    pub(crate) fn uniform(value: u128, width: u8) -> Column {
        Column { width, data: Data::Uniform(mask(value, width), Cause::KNOWN) }
    }

    pub(crate) fn unknown(cause: Cause, width: u8) -> Column {
        Column { width, data: Data::Uniform(0, cause) }
    }

    /// The memory of its values, for those of another; this one means nothing then.
    pub(crate) fn take_buffer(&mut self) -> Vec<u64> {
        match &mut self.data {
            Data::Narrow(_, values, _) => std::mem::take(values),
            Data::Uniform(..) | Data::Wide(..) => Vec::new(),
        }
    }

    /// Values of threads from `first` on.
    pub(crate) fn of_values(
        width: u8,
        first: u32,
        values: impl ExactSizeIterator<Item = Result<u128, Cause>>,
    ) -> Column {
        let mut builder = ColumnBuilder::new(width, (first, first + values.len() as u32), Cause(0));
        for (thread, value) in (first..).zip(values) {
            builder.set(thread, value);
        }
        builder.finish()
    }

    #[inline]
    pub(crate) fn get(&self, thread: u32) -> Result<u128, Cause> {
        let (value, cause) = match &self.data {
            Data::Uniform(value, cause) => (*value, *cause),
            Data::Narrow(first, values, causes) => {
                let index = (thread - first) as usize;
                (u128::from(values[index]), causes.as_ref().map_or(Cause::KNOWN, |it| it[index]))
            }
            Data::Wide(first, values, causes) => {
                let index = (thread - first) as usize;
                (values[index], causes.as_ref().map_or(Cause::KNOWN, |it| it[index]))
            }
        };
        if cause.is_known() { Ok(value) } else { Err(cause) }
    }

    /// The value of all threads, where it is one and known.
    pub(crate) fn as_uniform(&self) -> Option<u128> {
        match self.data {
            Data::Uniform(value, Cause::KNOWN) => Some(value),
            Data::Uniform(..) | Data::Narrow(..) | Data::Wide(..) => None,
        }
    }

    /// Whether all values are known.
    pub(crate) fn is_known(&self) -> bool {
        match &self.data {
            Data::Uniform(_, cause) => cause.is_known(),
            Data::Narrow(_, _, causes) | Data::Wide(_, _, causes) => causes.is_none(),
        }
    }

    /// Values of up to 64 bits of a range the column covers.
    pub(crate) fn narrow(&self, range: Range) -> View<'_, u64> {
        match &self.data {
            Data::Uniform(value, _) => View::One(*value as u64),
            Data::Narrow(first, values, _) => View::Many(part(values, *first, range)),
            Data::Wide(..) => unreachable!("a column of up to 64 bits is narrow"),
        }
    }

    /// The value of a thread at up to 128 bits, known or not.
    pub(crate) fn bits(&self, thread: u32) -> u128 {
        match &self.data {
            Data::Uniform(value, _) => *value,
            Data::Narrow(first, values, _) => u128::from(values[(thread - first) as usize]),
            Data::Wide(first, values, _) => values[(thread - first) as usize],
        }
    }

    pub(crate) fn causes(&self, range: Range) -> View<'_, Cause> {
        match &self.data {
            Data::Uniform(_, cause) => View::One(*cause),
            Data::Narrow(first, _, causes) | Data::Wide(first, _, causes) => match causes {
                Some(causes) => View::Many(part(causes, *first, range)),
                None => View::One(Cause::KNOWN),
            },
        }
    }
}

fn part<T>(values: &[T], first: u32, range: Range) -> &[T] {
    &values[(range.0 - first) as usize..(range.1 - first) as usize]
}

/// One value for all, or one each.
#[derive(Clone, Copy)]
pub(crate) enum View<'a, T> {
    One(T),
    Many(&'a [T]),
}

impl<T: Copy> View<'_, T> {
    #[inline]
    pub(crate) fn at(&self, index: usize) -> T {
        match self {
            View::One(value) => *value,
            View::Many(values) => values[index],
        }
    }
}

/// Makes a column thread by thread.
pub(crate) struct ColumnBuilder {
    width: u8,
    first: u32,
    narrow: Vec<u64>,
    wide: Vec<u128>,
    causes: Option<Vec<Cause>>,
}

impl ColumnBuilder {
    /// All threads of the range have `cause`, or the known value zero.
    pub(crate) fn new(width: u8, range: Range, cause: Cause) -> ColumnBuilder {
        let length = (range.1 - range.0) as usize;
        let is_wide = width > 64;
        ColumnBuilder {
            width,
            first: range.0,
            narrow: if is_wide { Vec::new() } else { vec![0; length] },
            wide: if is_wide { vec![0; length] } else { Vec::new() },
            causes: (!cause.is_known()).then(|| vec![cause; length]),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, thread: u32, value: Result<u128, Cause>) {
        let index = (thread - self.first) as usize;
        let length = self.narrow.len().max(self.wide.len());
        match value {
            Ok(value) => {
                match self.wide.get_mut(index) {
                    Some(place) => *place = mask(value, self.width),
                    None => self.narrow[index] = mask(value, self.width) as u64,
                }
                if let Some(causes) = &mut self.causes {
                    causes[index] = Cause::KNOWN;
                }
            }
            Err(cause) => {
                self.causes.get_or_insert_with(|| vec![Cause::KNOWN; length])[index] = cause;
            }
        }
    }

    pub(crate) fn finish(self) -> Column {
        let ColumnBuilder { width, first, narrow, wide, causes } = self;
        let causes = causes.filter(|causes| causes.iter().any(|it| !it.is_known()));
        let data = match width > 64 {
            true => Data::Wide(first, wide, causes),
            false => Data::Narrow(first, narrow, causes),
        };
        Column { width, data }
    }
}
