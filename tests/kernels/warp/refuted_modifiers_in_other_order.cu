// A row of 16 bytes that another lane writes, whatever the order of the modifiers.
// launch: grid=1 block=32
__global__ void k(int *p) {
  __shared__ __align__(16) int s[132];
  unsigned at = (unsigned)__cvta_generic_to_shared(s + 4 * threadIdx.x), a;
  s[4 * threadIdx.x + 4] = threadIdx.x;  // ~ HD0101
  asm volatile("ldmatrix.sync.aligned.x1.m8n8.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at));
  p[threadIdx.x] = a;
}
