// What nvcc reads and clang does not is checked: here all blocks write to the same places.
// launch: as-launched
__device__ void set(int *p, int v) {
  register unsigned smid;
  asm volatile("mov.u32 %0, %smid;" : "=r"(smid));
  asm volatile("st.global.u32 [%1], %0;" ::"r"(v) "l"(p) : "memory"); // ~ HD0102
}
__global__ void k(int *out) { set(out + threadIdx.x, blockIdx.x); }

int main() {
  int *out;
  cudaMalloc(&out, 256 * sizeof(int));
  k << < 4, 256 >> > (out);
}
