// Modifiers stand in the order that libraries write them in: votes, and matrices by rows of 16 bytes.
// launch: grid=1 block=32
__global__ void k(int *p) {
  __shared__ __align__(16) int s[128];
  unsigned at = (unsigned)__cvta_generic_to_shared(s + 4 * threadIdx.x), all, a, b, c, d;
  asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.ballot.sync.b32 %0, q, -1; }" : "=r"(all) : "r"(threadIdx.x));
  asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1, %1, %1, %1};" :: "r"(at), "r"(all));
  __syncwarp();
  asm volatile("ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
  p[threadIdx.x] = a + b + c + d;
}
