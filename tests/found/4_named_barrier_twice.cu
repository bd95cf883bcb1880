// Two pairs of warps use one barrier with different counts; the last two wait for ever.
// run: grid=1 block=128 | out=i32[128] | HD0202
// check: grid=1 block=128 | HD0202
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else if (t >= 96)
    asm volatile("bar.sync 2, 64;" ::: "memory");
  out[t] = t;
}
