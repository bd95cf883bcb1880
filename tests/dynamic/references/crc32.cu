// CRC-32 of "123456789" (the check value of ISO 3309 and of PNG), from a table that the threads make.
// run: grid=1 block=256 gives cbf43926
__global__ void crc32(unsigned *out) {
  __shared__ unsigned table[256];
  unsigned entry = threadIdx.x;
  for (int i = 0; i < 8; i++) entry = entry & 1 ? entry >> 1 ^ 0xedb88320u : entry >> 1;
  table[threadIdx.x] = entry;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned crc = ~0u;
    for (int i = 1; i <= 9; i++) crc = table[(crc ^ ('0' + i)) & 255] ^ crc >> 8;
    out[0] = ~crc;
  }
}
