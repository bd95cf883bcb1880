// The grid-stride loop of OpenCL with a counter of 32 bits: its sum of 64 bits is cut, and keeps its number.
// launch: grid=any block=any
kernel void add(global float *out, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    out[i] += 1.0f;
}
