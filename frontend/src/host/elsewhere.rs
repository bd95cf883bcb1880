//! Functions of CUDA after whose use launches are not those that the text of a program shows.
//!
//! **What**: who starts kernels by name, and who gives launches which were recorded in a graph
//! other arguments, sizes or attributes.
//! **Method**: names. Of functions of graphs those are listed that leave kernels as they were
//! recorded, so that a function which is not known changes them.
//! **Sound because** a kernel is started by its stub, by what one of these functions gives, or by a
//! pointer to one of them, which is a use as well.
//! **Does not**: say which kernels are meant: all of the program's.

use super::names::name_of;

/// What gives functions of modules, or functions of the driver: the beginnings of their names,
/// after which versions and suffixes of streams follow.
const BY_NAME: [&str; 14] = [
    "cuFuncGetModule",
    "cuGetProcAddress",
    "cuKernelGet",
    "cuLaunchCooperativeKernel",
    "cuLaunchGrid",
    "cuLaunchKernel",
    "cuLibrary",
    "cuModuleEnumerateFunctions",
    "cuModuleGetFunction",
    "cudaGetDriverEntryPoint",
    "cudaGetFuncBySymbol",
    "cudaGetKernel",
    "cudaLibrary",
    "dlsym",
];

/// What of graphs leaves the kernels in them as they were recorded, without `cuda` or `cu`. A node
/// that is added has a kernel whose stub is named there, and is seen by that.
const KEEPS: [&str; 29] = [
    "GraphAddChildGraphNode",
    "GraphAddDependencies",
    "GraphAddEmptyNode",
    "GraphAddEventRecordNode",
    "GraphAddEventWaitNode",
    "GraphAddHostNode",
    "GraphAddKernelNode",
    "GraphAddMemAllocNode",
    "GraphAddMemFreeNode",
    "GraphAddMemcpyNode",
    "GraphAddMemsetNode",
    "GraphAddNode",
    "GraphClone",
    "GraphConditionalHandleCreate",
    "GraphCreate",
    "GraphDebugDotPrint",
    "GraphDestroy",
    "GraphExecDestroy",
    "GraphExecGetFlags",
    "GraphGetEdges",
    "GraphGetNodes",
    "GraphGetRootNodes",
    "GraphInstantiate",
    "GraphLaunch",
    "GraphNodeGetDepend",
    "GraphNodeGetType",
    "GraphReleaseUserObject",
    "GraphRetainUserObject",
    "GraphUpload",
];

/// Nodes of graphs that are no kernels and have none inside.
const OTHER_NODES: [&str; 4] = ["Event", "ExternalSemaphores", "Host", "Mem"];

/// Whether a function, by its symbol, starts kernels by name or changes recorded launches.
pub(super) fn starts_elsewhere(symbol: &str) -> bool {
    let name = name_of(symbol);
    if BY_NAME.iter().any(|it| name.starts_with(it)) {
        return true;
    }
    let plain = name.strip_prefix("cuda").or_else(|| name.strip_prefix("cu"));
    let Some((plain, rest)) = plain.and_then(|it| Some((it, it.strip_prefix("Graph")?))) else {
        return false;
    };
    // Graphics are something else.
    if !rest.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let rest = rest.strip_prefix("Exec").unwrap_or(rest);
    let is_of_other = OTHER_NODES.iter().any(|it| rest.starts_with(it)) && rest.contains("Node");
    !is_of_other && !KEEPS.iter().any(|it| plain.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::starts_elsewhere;

    #[test]
    fn what_changes_launches_is_told_from_what_keeps_them() {
        for changes in [
            "cudaGraphKernelNodeSetParams",
            "cudaGraphKernelNodeSetAttribute",
            "cudaGraphKernelNodeCopyAttributes",
            "cuGraphKernelNodeSetParams_v2",
            "cuGraphExecKernelNodeSetParams_v2",
            "cudaGraphExecChildGraphNodeSetParams",
            "cudaGraphExecNodeSetParams",
            "cudaGraphNodeSetParams",
            "cudaGraphExecUpdate",
            "_Z19cudaGraphExecUpdateP14CUgraphExec_stP10CUgraph_st",
            "cuLaunchKernelEx",
            "cuModuleGetFunction",
            "cudaGetDriverEntryPointByVersion",
            "cuGetProcAddress_v2",
            "dlsym",
        ] {
            assert!(starts_elsewhere(changes), "{changes}");
        }
        for keeps in [
            "cudaGraphInstantiateWithFlags",
            "_Z20cudaGraphInstantiatePP14CUgraphExec_stP10CUgraph_sty",
            "cudaGraphLaunch",
            "cudaGraphExecMemcpyNodeSetParams1D",
            "cudaGraphAddMemcpyNode",
            "cudaLaunchKernel",
            "cudaLaunchHostFunc",
            "cudaMalloc",
            "_ZN2my11cudaGraphicEv",
            "cudaGraphicsMapResources",
        ] {
            assert!(!starts_elsewhere(keeps), "{keeps}");
        }
    }
}
