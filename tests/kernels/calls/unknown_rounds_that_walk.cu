// An assembly reads a word in each round, and the last round's word is not the only one.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[80];
  unsigned at = __cvta_generic_to_shared(s), last;
  s[threadIdx.x] = 1;                    
  asm volatile("{ .reg .pred p; .reg .u32 a, end; mov.u32 a, %1; add.u32 end, a, 256;\n"  // ~ HD0001
               "next: ld.shared.u32 %0, [a]; add.u32 a, a, 4; setp.lt.u32 p, a, end; @p bra next; }"
               : "=r"(last) : "r"(at) : "memory");
  out[threadIdx.x] = last;
}
