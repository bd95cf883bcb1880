// The block that reads is in the cluster of the one that writes, so that the cluster's scope is enough, which is not followed.
// launch: grid=2 block=32 cluster=2 passes=inter-block-race
__device__ int flag;
__global__ void pass_on(int *data, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1; // ~ HD0002
    asm volatile("st.release.cluster.global.s32 [%0], 1;" ::"l"(&flag) : "memory"); // ~ HD0002
  } else {
    int seen;
    do
      asm volatile("ld.acquire.cluster.global.s32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
    while (seen == 0);
    out[0] = data[0];
  }
}
