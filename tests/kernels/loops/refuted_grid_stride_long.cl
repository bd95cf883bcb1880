// The same loop, which begins with the index in the group.
// launch: grid=any block=any
kernel void add(global float *out, int n) {
  for (size_t i = get_local_id(0); i < n; i += get_global_size(0))
    out[i] += 1.0f; // ~ HD0102
}
