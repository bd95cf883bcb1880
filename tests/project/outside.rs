//! Files outside the project: their words go into no report. Their lines:
//! `hostile.rs`.

use crate::Project;
use crate::hostile::KERNEL;

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
