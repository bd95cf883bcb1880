//! How loud the host is about a finding.

/// What a finding is to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Not said.
    Off,
    /// An analysis remark: shown under `-Rpass-analysis=heddle`, and recorded.
    Remark,
    /// A remark about something that holds: shown under `-Rpass=heddle`, and recorded.
    Passed,
    /// A warning, in clang's group `-Wpass-failed`.
    Warning,
    /// An error: the compilation fails.
    Error,
}

impl Level {
    /// Reads what an option says.
    ///
    /// # Errors
    /// It is no level.
    pub(crate) fn of_name(name: &str) -> Result<Level, String> {
        match name {
            "off" => Ok(Level::Off),
            "remark" => Ok(Level::Remark),
            "warning" => Ok(Level::Warning),
            "error" => Ok(Level::Error),
            _ => Err("the levels are error, warning, remark and off".to_owned()),
        }
    }
}
