// The OpenCL bitonic sort leaves out the barrier before the sorted values are stored.
// launch: grid=1 block=64
__kernel void k(__global int *data) {
  __local int s[128];
  uint t = get_local_id(0);
  s[t] = data[t];
  s[t + 64] = data[t + 64];
  for (uint size = 2; size <= 128; size <<= 1)
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint i = 2 * t - (t & (stride - 1));
      int a = s[i], b = s[i + stride];
      if ((a > b) == ((t & (size >> 1)) == 0)) {
        s[i] = b;            // ~ HD0101
        s[i + stride] = a;   // ~ HD0101
      }
    }
  data[t] = s[t];
  data[t + 64] = s[t + 64];
}
