// The graph that runs is given a larger block, of which not all threads come to the barrier.
// launch: as-launched
__global__ void graph_exec(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t % 64] = t; // ~ HD0101
  if (t < 64) __syncthreads(); // ~ HD0201
  out[blockIdx.x * blockDim.x + t] = s[63 - t % 64];
}
void run(int *out, cudaStream_t s, cudaGraphExec_t e, cudaGraphNode_t node, const cudaKernelNodeParams *p) {
  graph_exec<<<4, 64, 0, s>>>(out);
  cudaGraphExecKernelNodeSetParams(e, node, p);
}
