// A lane's bit of the mask is what the lane votes.
// launch: grid=1 block=128
__global__ void k(const int *__restrict__ in, int *out) {
  bool vote = in[threadIdx.x] > 0;
  unsigned mask = __ballot_sync(~0u, vote);
  out[(mask >> (threadIdx.x & 31) & 1) == vote ? threadIdx.x : 128] = threadIdx.x;
}
