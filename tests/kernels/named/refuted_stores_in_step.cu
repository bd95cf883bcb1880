// Lanes that run in step store different values to one word by one instruction: which of them stays is left open.
// launch: grid=1 block=64 warp-sync
__global__ void k(int *out) {
    __shared__ int word[2];
    int t = threadIdx.x;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    word[t / 32] = t; // ~ HD0104
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = word[1 - t / 32];
}
