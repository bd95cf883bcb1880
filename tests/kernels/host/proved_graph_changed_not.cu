// The launch that was recorded is launched as it was recorded.
// launch: as-launched
__global__ void graph(int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = blockIdx.x * 1024 + threadIdx.x;
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
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g);
  cudaGraphLaunch(e, s);
}
