// The runtime's own function leaves the program's variables alone.
// launch: as-launched
struct State {
  int n;
};
__global__ void k(int *out, int m) {
  out[m == 7 ? 0 : threadIdx.x] = threadIdx.x;
}
void run(int *out, cudaEvent_t event) {
  State state{4};
  cudaEventRecord(event);
  k<<<1, 64>>>(out, state.n);
}
