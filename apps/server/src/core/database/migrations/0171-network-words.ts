/** What a network server has reported of an order after it was handed over, and whether it was passed on. */
export default {
  name: "0171-network-words",
  up: /* sql */ `
alter table downlink_order add column network_report text, add column is_report_new boolean not null default false;
create index downlink_order_reference on downlink_order (device_id, reference);
create index downlink_order_reported on downlink_order (id) where is_report_new;
`,
};
