// Philox4x32 of ten rounds with counter and key zero, and with all bits (Random123's known answers).
// run: grid=1 block=2 gives 6627e8d5 e169c58d bc57ac4c 9b00dbd8 408f276d 41c83b0e a20bc7c6 6d5451fd
__global__ void philox(unsigned *out) {
  unsigned all = threadIdx.x ? ~0u : 0u, c[4] = {all, all, all, all}, k[2] = {all, all};
  for (int round = 0; round < 10; round++) {
    unsigned a = __umulhi(0xd2511f53u, c[0]), b = __umulhi(0xcd9e8d57u, c[2]);
    unsigned low_a = 0xd2511f53u * c[0], low_b = 0xcd9e8d57u * c[2];
    c[0] = b ^ c[1] ^ k[0];
    c[2] = a ^ c[3] ^ k[1];
    c[1] = low_b;
    c[3] = low_a;
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = c[i];
}
