// An address in shared memory is cut to 16 bits: what is added may lead back into the array.
// launch: grid=1 block=32
__global__ void k() {
  __shared__ int bytes[10240];
  unsigned t = threadIdx.x;
  unsigned short at = (unsigned)__cvta_generic_to_shared(bytes);
  at += 33000;
  asm volatile("st.shared.u32 [%0],%1;" ::"r"((unsigned)at), "r"(t) : "memory"); // ~ HD0002
}
