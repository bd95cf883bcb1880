// The same loop, which goes on by the size of the group: groups meet.
// launch: grid=2 block=8
kernel void add(global float *out, int n) {
  for (int i = get_global_id(0); i < n; i += get_local_size(0))
    out[i] += 1.0f; // ~ HD0102
}
