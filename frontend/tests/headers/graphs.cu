// Graphs: nodes that are added, asked and changed; capture; memory of other interfaces.
#include <cuda_runtime.h>
#include <vector>

__global__ void k(int *p, int n) {
  cudaGridDependencySynchronize();
  p[threadIdx.x] = n;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void again(cudaGraphConditionalHandle handle, int *p) {
  cudaGraphSetConditional(handle, *p);
  cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

void built(cudaGraph_t graph, cudaStream_t stream, int *p) {
  cudaGraphNode_t first, next;
  cudaGraphExec_t runs;
  int n = 3;
  void *arguments[] = {&p, &n};
  cudaKernelNodeParams params = {};
  params.func = (void *)k;
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  std::vector<cudaGraphNode_t> before;
  cudaGraphAddKernelNode(&first, graph, before.data(), before.size(), &params);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(p, 4, 4, 1);
  cudaGraphAddMemcpyNode(&next, graph, &first, 1, &copy);
  cudaMemsetParams set = {};
  cudaGraphAddMemsetNode(&next, graph, nullptr, 0, &set);
  cudaHostNodeParams host = {};
  cudaGraphAddHostNode(&next, graph, nullptr, 0, &host);
  size_t count;
  cudaGraphGetEdges(graph, nullptr, nullptr, &count);
  cudaGraphNodeGetDependencies(next, nullptr, &count);
  cudaGraphInstantiateParams how = {};
  cudaGraphInstantiateWithParams(&runs, graph, &how);
  cudaGraphExecMemcpyNodeSetParams(runs, next, &copy);
  cudaGraphExecMemsetNodeSetParams(runs, next, &set);
  cudaGraphExecHostNodeSetParams(runs, next, &host);
  cudaGraphNodeSetEnabled(runs, next, 1);
  cudaGraphKernelNodeCopyAttributes(first, first);
  cudaLaunchAttributeValue value = {};
  cudaGraphKernelNodeSetAttribute(first, cudaKernelNodeAttributePriority, &value);
  cudaGraphDestroyNode(next);
  cudaUserObject_t kept;
  cudaUserObjectCreate(&kept, p, nullptr, 1, cudaUserObjectNoDestructorSync);
  cudaGraphRetainUserObject(graph, kept, 1, cudaGraphUserObjectMove);
  cudaStreamCaptureStatus status;
  unsigned long long id;
  cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, nullptr, nullptr);
}

void shared(int fd, cudaStream_t stream) {
  cudaExternalMemoryHandleDesc memory = {};
  memory.type = cudaExternalMemoryHandleTypeOpaqueFd;
  memory.handle.fd = fd;
  cudaExternalMemory_t imported;
  cudaImportExternalMemory(&imported, &memory);
  cudaExternalMemoryBufferDesc buffer = {};
  void *p;
  cudaExternalMemoryGetMappedBuffer(&p, imported, &buffer);
  cudaExternalSemaphore_t semaphore;
  cudaExternalSemaphoreHandleDesc which = {};
  cudaImportExternalSemaphore(&semaphore, &which);
  cudaExternalSemaphoreWaitParams wait = {};
  wait.params.fence.value = 1;
  cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream);
  cudaFunction_t function;
  cudaGetFuncBySymbol(&function, k);
  cudaStreamGetId(stream, nullptr);
}
