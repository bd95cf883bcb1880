// Offsets below zero are places like others: the consumers add to what the producers stored before the barrier.
// launch: grid=1 block=64
__global__ void k(int *x) {
  int t = threadIdx.x;
  if (t < 32) {
    x[t - 40] = t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    x[t - 72] += 1;
  }
}
