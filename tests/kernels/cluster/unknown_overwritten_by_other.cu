// Another block of the cluster overwrites what a block has stored, and all its threads race: the values of other blocks are not followed.
// launch: grid=2 block=64 cluster=2 passes=races
#define sync() asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory")

__global__ void k(int *g, int *out) {
  int block = blockIdx.x;
  if (threadIdx.x == 0)
    g[block] = 0;
  sync();
  if (threadIdx.x == 0)
    g[block ^ 1] = 1;
  sync();
  if (g[block] == 1)
    out[block] = threadIdx.x; // ~ HD0002
}
