// The additions of one block fill the counter exactly: the last ticket ends where the first began.
// launch: grid=1 block=256
__global__ void k(int *out, unsigned *counter) {
  unsigned ticket = atomicAdd(counter, 1u << 24);
  if (ticket == 0xff000000u)
    out[0] = 1; // ~ HD0101 HD0002
  if (ticket == 0)
    out[0] = 2;
}
