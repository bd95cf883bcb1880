// The address of shared memory is where an assembly stores, so what is read from memory points elsewhere.
// launch: grid=1 block=64
struct Pair {
  int *first;
  int *second;
};
__global__ void k(Pair *pair, int *out) {
  __shared__ int own;
  unsigned at = (unsigned)__cvta_generic_to_shared(&own);
  if (threadIdx.x == 0)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(3) : "memory");
  if (threadIdx.x == 32)
    out[0] = *pair->second;
}
