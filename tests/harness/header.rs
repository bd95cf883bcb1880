//! The second line of a kernel file: `launch:`, and what it says of the launch.

use heddle_driver::table::apply_item;
use heddle_driver::{CheckOptions, LaunchOptions};

/// The text of a line that is a comment and nothing else.
pub(crate) fn comment(line: &str) -> Option<&str> {
    let text = line.strip_prefix("//").or_else(|| line.strip_prefix(';'))?;
    Some(text.trim())
}

/// `grid=1 block=any n=128 assume="n > 0"`.
pub(crate) fn launch_options(text: &str) -> Result<LaunchOptions, String> {
    let mut launch = LaunchOptions::default();
    let words = [WARP_SYNC, AS_LAUNCHED, INFER, CHECK_BOUNDS];
    for token in tokens(text).into_iter().filter(|token| !words.contains(&token.as_str())) {
        let (name, value) =
            token.split_once('=').ok_or_else(|| format!("`{token}` is not `name=value`"))?;
        let refused = |error: heddle_driver::BadOption| format!("`{token}`: {error}");
        match name {
            "grid" => launch.grid = Some(value.parse().map_err(refused)?),
            "cluster" => launch.cluster = Some(value.parse().map_err(refused)?),
            "warp-size" => {
                launch.warp_size =
                    Some(value.parse().map_err(|_| format!("`{value}` is no number of lanes"))?)
            }
            "global-offset" => {
                launch.global_offset = heddle_driver::global_offset(value).map_err(refused)?
            }
            "block" => launch.block = Some(value.parse().map_err(refused)?),
            "assume" => launch.assumptions.push(value.to_owned()),
            _ if OF_CHECK.contains(&name) => {}
            _ => launch.args.push(token.parse().map_err(refused)?),
        }
    }
    let as_launched = text.split_whitespace().any(|token| token == AS_LAUNCHED);
    if !as_launched && (launch.grid.is_none() || launch.block.is_none()) {
        return Err("line 2 must give `grid=` and `block=`".to_owned());
    }
    Ok(launch)
}

/// Lanes of a warp run in step.
pub(crate) const WARP_SYNC: &str = "warp-sync";

/// The launch is as the host's part of the file has it.
pub(crate) const AS_LAUNCHED: &str = "as-launched";

/// The condition that is missing is looked for.
pub(crate) const INFER: &str = "infer";

/// Accesses are checked to stay in their objects.
pub(crate) const CHECK_BOUNDS: &str = "check-bounds";

/// Tokens that are about the check, and not about the launch.
const OF_CHECK: [&str; 5] = ["passes", "assume-progress", "blocks", CHECK_BOUNDS, "size"];

/// `passes=progress assume-progress=fair blocks=3`.
pub(crate) fn check_options(text: &str, options: &mut CheckOptions) -> Result<(), String> {
    let of_check = |token: &String| {
        let name = token.split_once('=').map_or(token.as_str(), |(name, _)| name);
        OF_CHECK.contains(&name)
    };
    options.infer = tokens(text).iter().any(|token| token == INFER);
    for token in tokens(text).iter().filter(|token| of_check(token)) {
        apply_item(options, token).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The parts between blanks; blanks in double quotes separate nothing, and the quotes go.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut token = String::new();
    let mut quoted = false;
    for c in text.chars().chain([' ']) {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => tokens.push(std::mem::take(&mut token)),
            c => token.push(c),
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}
