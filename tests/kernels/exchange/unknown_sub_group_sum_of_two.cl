// Each sub-group's sum goes to the element of its number, which groups share.
// launch: grid=4 block=64 passes=barrier-divergence,races
kernel void sums(global const float *in, global float *out) {
  float sum = sub_group_reduce_add(in[get_global_id(0)]);
  out[get_local_id(0)] = sum; // ~ HD0002
}
