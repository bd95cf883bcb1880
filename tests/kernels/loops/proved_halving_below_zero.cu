// A negative number that is halved towards zero takes four steps from -8, and none of them is at -3.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int i = -8; i < 0; i /= 2)
    out[i == -3 ? 0 : t] = t;
}
__global__ void least(int *out) {
  int t = threadIdx.x, steps = 0;
  for (long long i = -9223372036854775807LL - 1; i < -1; i /= 4)
    steps++;
  out[steps == 32 ? t : 0] = t;
}
