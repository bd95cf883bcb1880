// The addition releases and acquires by itself, and the last work group sets the counter back by a plain store.
// launch: grid=4 block=1
kernel void k(global const int *in, global int *partial, global int *out, global atomic_uint *count) {
  partial[get_group_id(0)] = in[get_group_id(0)];
  uint ticket = atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, memory_scope_device);
  if (ticket == get_num_groups(0) - 1) {
    int sum = 0;
    for (uint b = 0; b < get_num_groups(0); b++) sum += partial[b];
    out[0] = sum;
    *(global uint *)count = 0;
  }
}
