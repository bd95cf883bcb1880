// Lanes that run in step store to one word one after the other: the last instruction's value stays.
// launch: grid=1 block=64 warp-sync
__global__ void k(int *out) {
    __shared__ int word[2];
    int t = threadIdx.x;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t % 32 == 0)
        word[t / 32] = t;
    if (t % 32 == 5)
        word[t / 32] = 2 * t;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = word[1 - t / 32];
}
