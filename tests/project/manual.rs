//! The manual page and the completions come out and know each command.

use crate::Project;

/// The commands as `--help` lists them.
fn commands(project: &Project) -> Vec<String> {
    let help = project.heddle(&["--help"]).out;
    let list = help.split_once("Commands:\n").and_then(|(_, rest)| rest.split_once("\n\n"));
    let (list, _) = list.expect("a list of commands");
    let named = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn the_manual_has_each_command() {
    let project = Project::new("manual");
    let commands = commands(&project);
    assert!(commands.len() >= 10 && commands.contains(&"check".to_owned()), "{commands:?}");
    let page = project.heddle(&["manual"]);
    assert_eq!(page.code, 0);
    assert!(page.out.starts_with(".ie") || page.out.starts_with(".TH"), "{}", page.out);
    for command in &commands {
        assert!(page.out.contains(&format!(".SH \"{}\"\n", command.to_uppercase())), "{command}");
        let own = project.heddle(&["manual", command]);
        let name = format!("heddle\\-{}", command.replace('-', "\\-"));
        assert!(own.code == 0 && own.out.contains(&name), "{command}: {}", own.out);
    }
    assert!(page.out.contains("\\-\\-shard"), "the options of `check` are in it");
    assert_eq!(project.heddle(&["manual"]), page, "the same on each run");
    assert_eq!(project.heddle(&["manual", "chek"]).code, 2);
}

#[test]
fn shells_complete_each_command() {
    let project = Project::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = project.heddle(&["completions", shell]);
        assert_eq!((script.code, script.err.as_str()), (0, ""), "{shell}");
        for command in commands(&project) {
            assert!(script.out.contains(&command), "{shell}: {command}");
        }
        assert!(script.out.contains("shard"), "{shell}");
    }
    let bash = project.heddle(&["completions", "bash"]).out;
    project.file("heddle.bash", &bash);
    let sourced = std::process::Command::new("bash")
        .args(["-c", "set -e; source ./heddle.bash; COMP_WORDS=(heddle che); COMP_CWORD=1; _heddle heddle che heddle; echo \"${COMPREPLY[@]}\""])
        .current_dir(&project.root)
        .output()
        .expect("bash is installed");
    assert_eq!(String::from_utf8_lossy(&sourced.stdout), "check\n", "{sourced:?}");
    assert_eq!(project.heddle(&["completions", "csh"]).code, 2);
}
