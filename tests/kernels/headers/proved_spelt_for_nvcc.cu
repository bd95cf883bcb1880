// What nvcc reads and clang does not: a single `%` before a register, operands without a comma, brackets that stand apart.
// launch: as-launched
__device__ void set(int *p, int v) {
  register unsigned smid;
  asm volatile("mov.u32 %0, %smid;" : "=r"(smid));
  asm volatile("st.global.u32 [%1], %0;" ::"r"(v) "l"(p) : "memory");
}
__global__ void k(int *out) { set(out + blockIdx.x * blockDim.x + threadIdx.x, 1); }

int main() {
  int *out;
  cudaMalloc(&out, 4 * 256 * sizeof(int));
  k << < 4, 256 >> > (out);
}
