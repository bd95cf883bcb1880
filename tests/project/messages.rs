//! Sources that do not compile: what is shown of clang's messages, and which way out is named.

use crate::Project;

#[test]
fn errors_that_nvcc_does_not_have_hide_no_other() {
    let project = Project::new("messages-escapes");
    let lane = "  asm(\"mov.u32 %0, %laneid;\" : \"=r\"(r));\n";
    let lanes = |count| {
        format!("__device__ unsigned f() {{ unsigned r;\n{}  return r; }}\n", lane.repeat(count))
    };
    let kernel = "__global__ void k(unsigned *p) { p[0] = f() + nowhere; }\n";
    // As many as clang shows, and more.
    for count in [1, 40] {
        let name = format!("lanes{count}.cu");
        project.file(&name, &format!("{}{kernel}", lanes(count)));
        let ran = project.heddle(&["check", &name]);
        assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("clang finds an error in this file"), "{}", ran.out);
        assert!(ran.out.contains("'nowhere'") && !ran.out.contains("% escape"), "{}", ran.out);
    }
    // Where the letter means nothing, the error is the source's own.
    let wrong = lanes(1).replace("%laneid", "%Laneid");
    project.file("letter.cu", &format!("{wrong}{kernel}"));
    let ran = project.heddle(&["check", "letter.cu"]);
    assert!(ran.out.contains("% escape") && ran.out.contains("'nowhere'"), "{}", ran.out);
}
