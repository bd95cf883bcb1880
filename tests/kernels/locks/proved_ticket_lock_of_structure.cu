// Both words of a ticket lock are in one structure.
// launch: grid=any block=any passes=races
struct Lock {
  unsigned next, serving;
};
__global__ void k(Lock *lock, int *data) {
  if (threadIdx.x == 0) {
    unsigned ticket = atomicAdd(&lock->next, 1u);
    while (atomicAdd(&lock->serving, 0u) != ticket) {
    }
    __threadfence();
    data[0] += 1;
    __threadfence();
    atomicAdd(&lock->serving, 1u);
  }
}
