"""Checks GPU kernels as a hermetic action: the sources, the headers and the tool in, a record and a log out.

    load(":heddle.bzl", "heddle_check")
    heddle_check(name = "kernels_check", srcs = ["saxpy.cu", "sum.cu"], hdrs = ["index.cuh"], copts = ["-Iinclude"])

The action reads nothing else and writes nothing else, so it runs on any executor and its result is cached by Bazel itself:
it uses no `--cache`. A property that is refuted or unknown fails the build.
"""

def _heddle_check_impl(ctx):
    record = ctx.actions.declare_file(ctx.label.name + ".record.json")
    sarif = ctx.actions.declare_file(ctx.label.name + ".sarif")
    arguments = ctx.actions.args()
    arguments.add("check")
    arguments.add_all(ctx.files.srcs)
    arguments.add_all(ctx.attr.launch)
    arguments.add("--jobs", "1")
    arguments.add("--format", "human")
    arguments.add(record, format = "--format=record=%s")
    arguments.add(sarif, format = "--format=sarif=%s")
    arguments.add("--")
    arguments.add_all(ctx.attr.copts)
    ctx.actions.run(
        mnemonic = "HeddleCheck",
        progress_message = "Checking the kernels of %{label}",
        executable = ctx.executable.heddle,
        arguments = [arguments],
        inputs = ctx.files.srcs + ctx.files.hdrs,
        outputs = [record, sarif],
        # clang's headers and the C++ library come with the tool's image; nothing of the machine's environment is read.
        use_default_shell_env = False,
    )
    files = depset([record, sarif])
    return [DefaultInfo(files = files), OutputGroupInfo(_validation = files)]

heddle_check = rule(
    implementation = _heddle_check_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".cu", ".cl", ".ll", ".bc"], mandatory = True),
        "hdrs": attr.label_list(allow_files = True),
        "copts": attr.string_list(doc = "arguments for clang"),
        "launch": attr.string_list(doc = "options of `heddle check`, such as --block=256"),
        "heddle": attr.label(default = "//tools:heddle", executable = True, cfg = "exec", allow_single_file = True),
    },
)
