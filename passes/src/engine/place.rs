//! Origins of the IR as places of a diagnostic.

use heddle_diagnostics::{FileId, InstructionPlace, Location, Place, SourceMap};
use heddle_ir::{Kernel, OpId, OriginId};

/// Where a kernel's operations come from, in the files of a source map.
#[derive(Clone, Debug)]
pub struct Places {
    files: Vec<FileId>,
    module: Option<FileId>,
}

impl Places {
    /// The files a kernel names, and the module it was read from where that is a file.
    pub fn new(sources: &SourceMap, kernel: &Kernel, module: Option<FileId>) -> Places {
        let files = kernel.files.iter().map(|file| sources.add(file)).collect();
        Places { files, module }
    }

    /// The place of an operation.
    pub fn op(&self, kernel: &Kernel, op: OpId) -> Place {
        self.origin(kernel, kernel[op].origin)
    }

    /// The place of an origin.
    pub fn origin(&self, kernel: &Kernel, id: OriginId) -> Place {
        let origin = &kernel[id];
        match self.location(kernel, id) {
            Some(location) => {
                let mut calls = Vec::new();
                let mut at = origin.inlined_at;
                while let Some(call) = at {
                    calls.extend(self.location(kernel, call));
                    at = kernel[call].inlined_at;
                }
                Place::Source(location.inlined_at(calls))
            }
            None => Place::Instruction(InstructionPlace {
                file: self.module,
                function: origin
                    .source_function
                    .as_ref()
                    .unwrap_or(&origin.function)
                    .as_str()
                    .into(),
                ordinal: origin.ordinal.unwrap_or(0),
                text: None,
            }),
        }
    }

    /// Where a kernel stands: at the first line of it that does something (the IR has no place for
    /// the kernel itself).
    pub fn kernel(&self, kernel: &Kernel) -> Option<Place> {
        let own = |id: &OriginId| kernel[*id].inlined_at.is_none();
        let at = |id: &OriginId| kernel[*id].span.filter(|span| span.line > 0);
        let spanned = kernel.origins.keys().filter(own).filter(|id| at(id).is_some());
        let first = spanned.min_by_key(at).or_else(|| kernel.origins.keys().next())?;
        Some(self.origin(kernel, first))
    }

    fn location(&self, kernel: &Kernel, id: OriginId) -> Option<Location> {
        let origin = &kernel[id];
        let span = origin.span.filter(|span| span.line > 0)?;
        let location = Location::new(self.files[span.file as usize], span.line, span.column);
        Some(match &origin.source_function {
            Some(function) => location.in_function(function.as_str()),
            None => location,
        })
    }
}
