// The launch that was recorded is given a larger block, for which half of the threads write the places of the next block.
// launch: as-launched
__global__ void graph(int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = blockIdx.x * 1024 + threadIdx.x; // ~ HD0102
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 20);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  graph<<<4, 64, 0, s>>>(out);
  cudaGraph_t g;
  cudaStreamEndCapture(s, &g);
  cudaGraphNode_t node;
  size_t n = 1;
  cudaGraphGetNodes(g, &node, &n);
  cudaKernelNodeParams p;
  cudaGraphKernelNodeGetParams(node, &p);
  p.blockDim = dim3(128);
  cudaGraphKernelNodeSetParams(node, &p);
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g);
  cudaGraphLaunch(e, s);
}
