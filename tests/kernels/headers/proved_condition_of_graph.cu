// A kernel of a graph says whether the graph goes on, which touches no memory of the program.
// launch: grid=any block=any
__global__ void k(cudaGraphConditionalHandle handle, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = n;
  if (i == 0)
    cudaGraphSetConditional(handle, n > 0);
}
