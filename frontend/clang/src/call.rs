//! One call into the shim: what goes in and what comes out, as data that can go to another process.

use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use heddle_frontend::compile::headers;

use crate::{HEADERS, PRECOMPILED};

/// What the shim is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// Of the compiler proper, or a command line with the program's name first.
    pub(crate) arguments: Vec<String>,
    pub(crate) is_command_line: bool,
    /// Functions of the host that do not compile are left out.
    pub(crate) leaves_out: bool,
    /// All built-in headers, or those that stand beside others.
    pub(crate) all_headers: bool,
    /// The architecture whose precompiled header is at hand.
    pub(crate) precompiled: Option<String>,
    /// A source that is in no file: its name and text.
    pub(crate) in_memory: Option<(String, Vec<u8>)>,
    /// The folder that relative paths belong to.
    pub(crate) directory: Option<PathBuf>,
    /// The folders whose files may be embedded; those of any if not said.
    pub(crate) embeds: Option<Vec<PathBuf>>,
    pub(crate) color: bool,
}

/// What the shim gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// 0 if it compiled.
    pub(crate) status: i32,
    pub(crate) bitcode: Vec<u8>,
    pub(crate) messages: Vec<u8>,
    /// What was asked of the file system, as `reads.h` has it.
    pub(crate) read: Vec<u8>,
}

#[repr(C)]
struct File {
    path: *const c_char,
    data: *const u8,
    size: usize,
    binary: c_int,
}

#[repr(C)]
struct Text {
    data: *mut u8,
    size: usize,
}

#[allow(unsafe_code, reason = "the shim is a C interface")]
mod shim {
    use super::{File, Text, c_char, c_int};

    unsafe extern "C" {
        pub(super) fn heddle_clang_compile(
            arguments: *const *const c_char,
            count: usize,
            command_line: c_int,
            leave_out: c_int,
            files: *const File,
            file_count: usize,
            directory: *const c_char,
            embeds: *const *const c_char,
            embed_count: usize,
            color: c_int,
            bitcode: *mut Text,
            messages: *mut Text,
            read: *mut Text,
        ) -> c_int;
        pub(super) fn heddle_clang_free(text: Text);
        pub(super) fn heddle_clang_limit(seconds: u64, bytes: u64);
        pub(super) fn heddle_clang_alone();
    }

    /// Copies a text of the shim out and frees it.
    pub(super) fn taken(text: Text) -> Vec<u8> {
        if text.data.is_null() {
            return Vec::new();
        }
        // SAFETY: the shim gives `size` bytes, which are freed once, here.
        unsafe {
            let bytes = std::slice::from_raw_parts(text.data, text.size).to_vec();
            heddle_clang_free(text);
            bytes
        }
    }
}

impl Call {
    /// Calls the shim in this process.
    #[allow(unsafe_code, reason = "the call into the shim")]
    pub(crate) fn here(&self) -> Answer {
        // No argument can hold a NUL byte: they come from the command line and from paths.
        let arguments: Vec<CString> =
            self.arguments.iter().filter_map(|it| CString::new(it.as_str()).ok()).collect();
        let pointers: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
        let mut names: Vec<(CString, &[u8], bool)> = Vec::new();
        let mut add = |path: String, bytes, binary| {
            names.extend(CString::new(path).ok().map(|path| (path, bytes, binary)))
        };
        for (name, text) in headers::ALL {
            if self.all_headers || headers::is_beside_others(name) {
                add(format!("{HEADERS}/{name}"), text.as_bytes(), false);
            }
        }
        let precompiled = PRECOMPILED.iter().find(|it| Some(it.0) == self.precompiled.as_deref());
        if let Some((_, bytes)) = precompiled {
            add(format!("{HEADERS}/device.pch"), bytes, true);
        }
        if let Some((name, text)) = &self.in_memory {
            add(name.clone(), text, false);
        }
        let files: Vec<File> = names
            .iter()
            .map(|(path, bytes, binary)| File {
                path: path.as_ptr(),
                data: bytes.as_ptr(),
                size: bytes.len(),
                binary: c_int::from(*binary),
            })
            .collect();
        let directory = self.directory.as_ref();
        let directory = directory.and_then(|it| CString::new(it.as_os_str().as_bytes()).ok());
        let text = |it: &PathBuf| CString::new(it.as_os_str().as_bytes()).ok();
        let embeds = self.embeds.as_ref();
        let embeds = embeds.map(|it| it.iter().filter_map(text).collect::<Vec<_>>());
        let embeds = embeds.as_ref().map(|it| it.iter().map(|it| it.as_ptr()).collect::<Vec<_>>());
        let none = || Text { data: std::ptr::null_mut(), size: 0 };
        let (mut bitcode, mut messages, mut read) = (none(), none(), none());
        // SAFETY: all pointers live until the call returns; the three texts are taken over below.
        // Calls may overlap.
        let status = unsafe {
            shim::heddle_clang_compile(
                pointers.as_ptr(),
                pointers.len(),
                c_int::from(self.is_command_line),
                c_int::from(self.leaves_out),
                files.as_ptr(),
                files.len(),
                directory.as_ref().map_or(std::ptr::null(), |it| it.as_ptr()),
                embeds.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
                embeds.as_ref().map_or(0, Vec::len),
                c_int::from(self.color),
                &raw mut bitcode,
                &raw mut messages,
                &raw mut read,
            )
        };
        Answer {
            status,
            bitcode: shim::taken(bitcode),
            messages: shim::taken(messages),
            read: shim::taken(read),
        }
    }

    /// Calls the shim in a process that does nothing else at the same time.
    #[allow(unsafe_code, reason = "the call into the shim")]
    pub(crate) fn alone(&self) -> Answer {
        // SAFETY: no memory is shared; the shim takes note.
        unsafe { shim::heddle_clang_alone() }
        self.here()
    }

    /// As frames, for another process.
    pub(crate) fn frames(&self) -> Vec<Vec<u8>> {
        let Call {
            arguments,
            is_command_line,
            leaves_out,
            all_headers,
            precompiled,
            in_memory,
            directory,
            embeds,
            color,
        } = self;
        let flags = [is_command_line, all_headers, color, leaves_out];
        let flags = flags.map(|it| u8::from(*it)).to_vec();
        let directory = directory.clone().map(|it| it.into_os_string().into_vec());
        let name = in_memory.as_ref().map(|(name, _)| name.clone().into_bytes());
        let text = in_memory.as_ref().map(|(_, text)| text.clone());
        let mut frames = vec![flags];
        let embeds = embeds.as_ref().map(|it| {
            let ended = |it: &PathBuf| [it.as_os_str().as_bytes(), &[0]].concat();
            it.iter().flat_map(ended).collect::<Vec<_>>()
        });
        for it in [precompiled.clone().map(String::into_bytes), name, text, directory, embeds] {
            frames.push(it.map_or(Vec::new(), |it| [&[1], it.as_slice()].concat()));
        }
        frames.extend(arguments.iter().map(|it| it.clone().into_bytes()));
        frames
    }

    /// Of frames; `None` if they are no call's.
    pub(crate) fn of_frames(frames: Vec<Vec<u8>>) -> Option<Call> {
        let mut frames = frames.into_iter();
        let flags = frames.next()?;
        let mut optional = || {
            let frame = frames.next()?;
            Some(frame.split_first().map(|(_, rest)| rest.to_vec()))
        };
        let (precompiled, name, text, directory) =
            (optional()?, optional()?, optional()?, optional()?);
        let embeds = optional()?.map(|it| {
            let ends = it.split_inclusive(|byte| *byte == 0);
            let path = |it: &[u8]| PathBuf::from(OsString::from_vec(it[..it.len() - 1].to_vec()));
            ends.map(path).collect()
        });
        let words = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
        Some(Call {
            is_command_line: *flags.first()? == 1,
            all_headers: *flags.get(1)? == 1,
            color: *flags.get(2)? == 1,
            leaves_out: *flags.get(3)? == 1,
            precompiled: precompiled.and_then(words),
            in_memory: name.and_then(words).zip(text),
            directory: directory.map(|it| PathBuf::from(OsString::from_vec(it))),
            embeds,
            arguments: frames.map(words).collect::<Option<_>>()?,
        })
    }
}

/// Limits what this process may use from here on.
#[allow(unsafe_code, reason = "the call into the shim")]
pub(crate) fn limit(seconds: u64, bytes: u64) {
    // SAFETY: no memory is shared; the shim sets limits of this process.
    unsafe { shim::heddle_clang_limit(seconds, bytes) }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn a_call_reads_back() {
        let call = Call {
            arguments: vec!["-DA=1".to_owned(), String::new()],
            is_command_line: true,
            leaves_out: true,
            all_headers: false,
            precompiled: Some("sm_80".to_owned()),
            in_memory: Some(("<stdin>".to_owned(), vec![0, 255])),
            directory: Some(OsStr::from_bytes(b"/x\xff").into()),
            embeds: Some(vec![OsStr::from_bytes(b"/y\xff").into(), "/z".into()]),
            color: true,
        };
        assert_eq!(Call::of_frames(call.frames()), Some(call.clone()));
        let bare =
            Call { precompiled: None, in_memory: None, directory: None, embeds: None, ..call };
        let nothing = Call { embeds: Some(Vec::new()), ..bare.clone() };
        assert_eq!(Call::of_frames(nothing.frames()), Some(nothing));
        assert_eq!(Call::of_frames(bare.frames()), Some(bare));
        assert_eq!(Call::of_frames(Vec::new()), None);
    }
}
