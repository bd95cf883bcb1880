// A spin lock whose holder publishes nothing: the counter it guards is not ordered.
// run: grid=8 block=1 | lock=i32[1] counter=i32[1] | HD0102
// check: grid=8 block=1 | HD0102
__global__ void k(int *lock, int *counter) {
  while (atomicExch(lock, 1) != 0) {}
  counter[0] += 1;
  atomicExch(lock, 0);
}
