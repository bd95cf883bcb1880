// A block waits by plain loads for what a bulk copy of another block writes.
// launch: grid=2 block=32 passes=progress
__global__ void k(int *flag, int *out) {
  __shared__ alignas(16) int one[4];
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    one[0] = 1;
    unsigned from = (unsigned)__cvta_generic_to_shared(one);
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(flag), "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  } else {
    while (*flag == 0) { // ~ HD0002
    }
    out[0] = 1;
  }
}
