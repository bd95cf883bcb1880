// A store of both words at once gives the lock free.
// launch: grid=any block=any passes=races
struct __align__(8) Lock {
  unsigned next, serving;
};
__global__ void k(Lock *lock, int *data) {
  if (threadIdx.x == 0) {
    unsigned ticket = atomicAdd(&lock->next, 1u);  // ~ HD0002
    while (atomicAdd(&lock->serving, 0u) != ticket) {  // ~ HD0002
    }
    __threadfence();
    data[0] += 1;  // ~ HD0002
    __threadfence();
    *(volatile unsigned long long *)lock = (unsigned long long)(ticket + 1) << 32;  // ~ HD0002
  }
}
