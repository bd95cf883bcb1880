// A structure of twelve bytes comes in registers that hold more: all of its members are read.
// launch: as-launched
struct Steps {
  int start;
  bool fast;
  short rows;
  char step;
};
__global__ void k(int *out, Steps s) {
  out[s.start + s.rows + s.step * threadIdx.x] = threadIdx.x;
}
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  k<<<1, 64>>>(out, Steps{6, true, 7, 1});
}
