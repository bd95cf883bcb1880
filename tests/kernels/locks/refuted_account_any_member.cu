// What is written may be the lock itself.
// launch: grid=any block=any passes=races
struct Account {
  int lock, count;
  float total;
  int last;
};
__global__ void k(Account *accounts, const int *of, const float *amount, int n, int field) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = of[i];
  bool done = false;
  while (!done) {
    if (atomicCAS(&accounts[a].lock, 0, 1) == 0) { // ~ HD0101
      __threadfence();
      (&accounts[a].lock)[field] = i; // ~ HD0101
      __threadfence();
      atomicExch(&accounts[a].lock, 0);
      done = true;
    }
  }
}
