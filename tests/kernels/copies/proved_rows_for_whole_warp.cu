// Lanes wait, meet in a warp barrier of all of them, and read rows that others have copied.
// launch: grid=1 block=32
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void k(const float4 *in, unsigned *out) {
  __shared__ alignas(128) float4 s[32];
  int t = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(&s[t])), "l"(&in[t]) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at(&s[t])) : "memory");
  out[t] = a + b + c + d;
}
