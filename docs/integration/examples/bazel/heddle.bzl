"""Checks GPU kernels as a hermetic action: sources, headers and the tool in; a record and a SARIF log out.

    load("//:heddle.bzl", "heddle_check")

    heddle_check(
        name = "kernels_check",
        srcs = ["saxpy.cu", "sum.cu"],
        hdrs = ["include/index.cuh"],
        includes = ["include"],
    )

The action declares all that it reads, names no path outside of Bazel's tree and needs no network, so it runs in the sandbox
and on a remote executor, and its result is cached by Bazel itself: it uses no `--cache`. A property that is refuted
or unknown fails the action, with the findings as its output.
"""

def _heddle_check_impl(ctx):
    record = ctx.actions.declare_file(ctx.label.name + ".record.json")
    sarif = ctx.actions.declare_file(ctx.label.name + ".sarif")
    inputs = ctx.files.srcs + ctx.files.hdrs

    arguments = ctx.actions.args()
    arguments.add("check")
    arguments.add_all(ctx.files.srcs)
    arguments.add("--jobs", "1")
    arguments.add("--format", "human")
    arguments.add(record, format = "--format=record=%s")
    arguments.add(sarif, format = "--format=sarif=%s")
    if ctx.file.config:
        arguments.add("--config", ctx.file.config)
        inputs.append(ctx.file.config)
    else:
        # No `heddle.toml` of a folder above the sandbox.
        arguments.add("--no-config")
    if ctx.file.baseline:
        arguments.add("--baseline", ctx.file.baseline)
        inputs.append(ctx.file.baseline)
    arguments.add_all(ctx.attr.options)
    arguments.add("--")

    # Headers of the package, and those that the build makes for it.
    for root in ["", ctx.bin_dir.path]:
        for folder in ctx.attr.includes:
            parts = [root, ctx.label.workspace_root, ctx.label.package, folder]
            arguments.add("-I" + "/".join([part for part in parts if part]))
    arguments.add_all(ctx.attr.copts)

    ctx.actions.run(
        mnemonic = "HeddleCheck",
        progress_message = "Checking the kernels of %s" % ctx.label,
        executable = ctx.executable.heddle,
        arguments = [arguments],
        inputs = inputs,
        outputs = [record, sarif],
        # clang's headers and the C++ library come with the image that actions run in; nothing of the environment is read.
        env = {},
        use_default_shell_env = False,
        execution_requirements = {"block-network": "1"},
    )
    files = depset([record, sarif])
    return [DefaultInfo(files = files), OutputGroupInfo(_validation = files)]

heddle_check = rule(
    implementation = _heddle_check_impl,
    doc = "Checks the kernels of its sources.",
    attrs = {
        "srcs": attr.label_list(
            allow_files = [".cu", ".cl", ".ll", ".bc"],
            mandatory = True,
            doc = "What is checked.",
        ),
        "hdrs": attr.label_list(
            allow_files = True,
            doc = "All that the sources include, but the headers of clang and of the system.",
        ),
        "includes": attr.string_list(doc = "Folders of headers, from the package."),
        "copts": attr.string_list(doc = "Arguments for clang; paths in them are from the root of the workspace."),
        "options": attr.string_list(doc = "Options of `heddle check`, such as `--block=256`."),
        "config": attr.label(allow_single_file = [".toml"], doc = "A `heddle.toml`."),
        "baseline": attr.label(allow_single_file = [".json"], doc = "What is known and does not count."),
        "heddle": attr.label(
            default = "//tools:heddle",
            executable = True,
            cfg = "exec",
            allow_single_file = True,
            doc = "The binary.",
        ),
    },
)
