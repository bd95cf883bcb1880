// An address in shared memory has 32 bits, and each thread its word.
// launch: grid=1 block=32
__global__ void k() {
  __shared__ int bytes[10240];
  unsigned t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(bytes);
  at += 33000 + 4 * t;
  asm volatile("st.shared.u32 [%0],%1;" ::"r"(at), "r"(t) : "memory");
}
