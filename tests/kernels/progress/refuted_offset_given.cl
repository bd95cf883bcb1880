// The first work-item sets what the others wait for, and a global offset leaves it out.
// launch: grid=3 block=1 passes=progress assume-progress=fair global-offset=1
kernel void k(global atomic_int *flag) {
  if (get_local_id(0) != 0)
    return;
  if (get_global_id(0) == 0)
    atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
  else
    while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) == 0) // ~ HD0503
      ;
}
