//! Files outside the project: their bytes and their words go into no report. Their lines:
//! `hostile.rs`.

use crate::Project;
use crate::hostile::KERNEL;

/// What is embedded is numbers of the program, and messages show these.
#[test]
fn bytes_of_other_files_are_not_embedded() {
    let project = Project::new("hostile-embed");
    let secret = std::env::temp_dir().join(format!("heddle-embed-{}", std::process::id()));
    std::fs::write(&secret, "\u{7}\u{7}\u{7}").expect("writable");
    let (path, folder) = (secret.display(), std::env::temp_dir().display().to_string());
    let name = secret.file_name().expect("a name").display();
    std::os::unix::fs::symlink(&secret, project.root.join("link.bin")).expect("writable");
    let embeds = |what: &str| {
        format!(
            "constexpr unsigned char b[] = {{\n#embed {what}\n}};\nstatic_assert(b[0] + 70 == 0);\n{KERNEL}"
        )
    };
    project.file("absolute.cu", &embeds(&format!("\"{path}\"")));
    project.file("link.cu", &embeds("\"link.bin\""));
    project.file("folder.cu", &embeds(&format!("<{name}>")));
    project.file("header.h", &embeds(&format!("\"{path}\" limit(1)")));
    project.file("header.cu", "#include \"header.h\"\n");
    let include = format!("-I{folder}");
    for file in ["absolute.cu", "link.cu", "header.cu"] {
        for arguments in [
            &["check", file][..],
            &["check", file, "--format", "json"],
            &["run", file, "--block", "64", "--fill", "i32[64]"],
            &["instrument", file],
            &["lift", file],
        ] {
            let ran = project.heddle(&[arguments, &["--", &include]].concat());
            let said = ran.out + &ran.err;
            assert_eq!(ran.code, 2, "{arguments:?}: {said}");
            assert!(!said.contains("77 == 0"), "{arguments:?}: {said}");
            let told = said.contains("is not embedded: it is not in the project");
            assert!(told || arguments[0] == "instrument", "{arguments:?}: {said}");
        }
    }
    // A folder of the project's choice.
    project.file("heddle.toml", &format!("clang-args = [\"--embed-dir={folder}\"]\n"));
    let ran = project.heddle(&["check", "folder.cu"]);
    assert!(ran.code == 2 && !ran.out.contains("77 == 0"), "{}{}", ran.out, ran.err);
    project.file("heddle.toml", "");
    // The project's own file, and a folder that the user names.
    project.file("own.bin", "\u{7}");
    project.file("own.cu", &embeds("\"own.bin\""));
    for arguments in
        [&["check", "own.cu"][..], &["check", "folder.cu", "--", &format!("--embed-dir={folder}")]]
    {
        let ran = project.heddle(arguments);
        assert!(ran.code == 2 && ran.out.contains("77 == 0"), "{}{}", ran.out, ran.err);
    }
    std::fs::remove_file(secret).expect("it is ours");
}

/// The words of a response file are shown as options, and so are those of any other file that a
/// command names as one.
#[test]
fn words_of_other_files_are_no_options() {
    let project = Project::new("hostile-words");
    let secret = std::env::temp_dir().join(format!("heddle-words-{}", std::process::id()));
    std::fs::write(&secret, "-qwertz1 -DX=qwertz2 qwertz3\n").expect("writable");
    project.file("k.cu", KERNEL);
    project.file("build/own.rsp", "-DOWN=1");
    std::os::unix::fs::symlink(&secret, project.root.join("build/link.rsp")).expect("writable");
    let path = secret.display();
    for command in [
        format!("clang++ @{path} -c ../k.cu"),
        format!("nvcc @{path} -c ../k.cu"),
        format!("nvcc --options-file {path} -c ../k.cu"),
        "clang++ @link.rsp -c ../k.cu".to_owned(),
        "nvcc -optf link.rsp -c ../k.cu".to_owned(),
    ] {
        project.database(&[("../k.cu", &command)]);
        for arguments in [&["check", "-p", "build"][..], &["units", "-p", "build"]] {
            let ran = project.heddle(arguments);
            let said = ran.out + &ran.err;
            assert_eq!(ran.code, 2, "{command}: {said}");
            assert!(!said.contains("qwertz"), "{command}: {said}");
            let name = if command.contains("link.rsp") { "link.rsp` " } else { "` is neither" };
            assert!(said.contains(name) && said.contains("is not read"), "{command}: {said}");
        }
    }
    project.file("heddle.toml", &format!("clang-args = [\"@{path}\"]\n"));
    let ran = project.heddle(&["check", "k.cu"]);
    assert!(!(ran.out + &ran.err).contains("qwertz"), "a file of options in heddle.toml");
    project.file("heddle.toml", "");
    // From a folder beside, and a build beside the sources.
    project.database(&[("../k.cu", "clang++ @own.rsp -c ../k.cu")]);
    let ran = project.heddle(&["units", "-p", "build"]);
    assert!(ran.code == 0 && ran.out.contains("-DOWN=1"), "{}{}", ran.out, ran.err);
    std::fs::remove_file(secret).expect("it is ours");
}
