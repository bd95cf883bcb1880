// A product is divided again to see whether it overflowed, and where it did, threads share a place.
// launch: grid=1 block=64
__global__ void k(unsigned *x, unsigned n) {
    unsigned t = threadIdx.x + 1;
    unsigned all = t * n;
    x[all / t != n ? 0 : t] = all; // ~ HD0101
}
