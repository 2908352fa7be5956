/**
 * The list of devices leaves the archive out, so each index that it is read in holds that mark. New orders: by
 * creation and by address.
 */
export default {
  name: "0046-device-lists",
  up: /* sql */ `
drop index device_by_model, device_by_group, device_by_interface, device_by_place, device_by_number;
create index device_by_model on device (company_id, model_title, id) include (model_id, is_archived) where deleted_at is null;
create index device_by_group on device (company_id, device_group_id, id) include (is_archived) where deleted_at is null;
create index device_by_interface on device (company_id, interface_id, id) include (is_archived) where deleted_at is null;
create index device_by_place on device (company_id, place, id) include (is_archived) where deleted_at is null;
create index device_by_number on device (company_id, "deviceID", id) include (is_archived) where deleted_at is null;
create index device_by_creation on device (company_id, created_at, id) include (is_archived) where deleted_at is null;
create index device_by_address on device (company_id, inside_addr, id) include (is_archived) where deleted_at is null;
create index device_archived on device (company_id, name, id) where deleted_at is null and is_archived;
`,
};
