/**
 * Commands sent as downlinks: the order that carries one (headend/uplinks/orders), and when it was written, in
 * milliseconds. It stays in "sending" until an uplink received since proves it, or none does in time.
 */
export default {
  name: "0079-command-downlinks",
  up: /* sql */ `
alter table device_command add column order_id bigint, add column order_ms bigint;
create index device_command_ordered on device_command (id) where order_id is not null and state = 'sending';
`,
};
