// A sum without a sign is compared with what was added: where it wrapped around, threads share a place.
// launch: grid=1 block=64
__global__ void k(unsigned *x, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned sum = t + n;
    x[sum < t ? 64 : t] = sum; // ~ HD0101
}
