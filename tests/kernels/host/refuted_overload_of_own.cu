// An overload of a name of the runtime is the program's own, and may change what it is given.
// launch: as-launched
struct State {
  int n;
};
void cudaEventRecord(State &state);
__global__ void k(int *out, int m) {
  out[m == 7 ? 0 : threadIdx.x] = threadIdx.x;  // ~ HD0101
}
void run(int *out) {
  State state{4};
  cudaEventRecord(state);
  k<<<1, 64>>>(out, state.n);
}
