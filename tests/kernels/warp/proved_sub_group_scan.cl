// What a scan and a ballot give is not followed; they touch no memory, and no work-item waits in them.
// launch: grid=any block=any
kernel void scan(global int *data) {
  size_t i = get_global_id(0);
  data[i] = sub_group_scan_inclusive_add(data[i]);
}
