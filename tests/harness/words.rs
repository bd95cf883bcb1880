//! The launch line of a kernel file, as options of `heddle check` and of the plugin.
//!
//! **Promises**: what the other tests take for an option is one here, too: the line is read by
//! [`header`], and a token that it knows for no option is the value of an argument.

use heddle_driver::{CheckOptions, LaunchOptions};

use crate::header;

/// An option with its value, or a word that stands alone.
pub(crate) type Word = (String, Option<String>);

/// `grid=1 n=8 infer` as `grid` with `1`, `arg` with `n=8`, `infer`. "As the host launches it" is
/// no option: the check looks at the host where no size is given.
///
/// # Errors
///
/// What [`header`] does not read, and a file without such a line.
pub(crate) fn words(text: &str) -> Result<Vec<Word>, String> {
    let line = text.lines().nth(1).and_then(header::comment);
    let line = line.and_then(|it| it.strip_prefix("launch:")).ok_or("line 2 says no launch")?;
    // Only for its errors; and what it takes for an argument is one.
    let LaunchOptions { args, .. } = header::launch_options(line)?;
    header::check_options(line, &mut CheckOptions::default())?;
    let tokens = header::tokens(line).into_iter().filter(|token| token != header::AS_LAUNCHED);
    Ok(tokens
        .map(|token| match token.split_once('=') {
            Some((name, _)) if args.iter().any(|arg| arg.name == name) => {
                ("arg".to_owned(), Some(token))
            }
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (token, None),
        })
        .collect())
}
