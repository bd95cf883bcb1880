// The second eight bytes of a structure are padding, which no register holds: the number after it is 0.
// launch: as-launched
struct alignas(16) Start {
  int at;
};
__global__ void k(int *out, Start s, char step, bool fast) {
  out[s.at + step * threadIdx.x] = threadIdx.x; // ~ HD0101
}
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  k<<<1, 64>>>(out, Start{3}, 0, true);
}
