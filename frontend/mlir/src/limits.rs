//! Processor time and memory of one translation, as those of a compilation.

/// Sets the limits that `HEDDLE_COMPILE_LIMITS=SECONDS,MEBIBYTES` gives, else generous ones. What
/// goes beyond them is ended by the system, and `heddle` reports it.
pub(crate) fn set() {
    let given = std::env::var("HEDDLE_COMPILE_LIMITS").unwrap_or_default();
    let numbers = given.split_once(',').and_then(|(seconds, mebibytes)| {
        Some((seconds.trim().parse().ok()?, mebibytes.trim().parse::<u64>().ok()?))
    });
    let (seconds, mebibytes) = numbers.unwrap_or((300, 16384));
    let memory = mebibytes.saturating_mul(1 << 20);
    for (what, most) in
        [(libc::RLIMIT_CPU, seconds), (libc::RLIMIT_AS, memory), (libc::RLIMIT_CORE, 0)]
    {
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: the struct is whole, and a limit that the system refuses leaves the old one.
        unsafe { libc::setrlimit(what, &limit) };
    }
}
