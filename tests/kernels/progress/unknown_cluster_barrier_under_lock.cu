// A lock is held across the barrier of the cluster: whoever comes second never gets there.
// launch: grid=2 block=32 cluster=2
__global__ void k(int *lock) {
  if (threadIdx.x == 0)
    while (atomicCAS(lock, 0, 1) != 0) {
    }
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); // ~ HD0002
  if (threadIdx.x == 0)
    atomicExch(lock, 0);
}
