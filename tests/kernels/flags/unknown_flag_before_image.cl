// A flag in global memory orders global memory, and no writes of images.
// launch: grid=2 block=1 passes=inter-block-race
__kernel void k(write_only image2d_t image, __global atomic_int *flag) {
  if (get_group_id(0) == 0) {
    write_imagei(image, (int2)(0, 0), (int4)(1, 2, 3, 4)); // ~ HD0002
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  } else if (get_group_id(0) == 1) {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != 1) {
    }
    write_imagei(image, (int2)(0, 0), (int4)(5, 2, 3, 4));
  }
}
