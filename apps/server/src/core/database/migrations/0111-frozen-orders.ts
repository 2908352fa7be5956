/** Orders to devices that a freeze of control stops. */
export default {
  name: "0111-frozen-orders",
  up: /* sql */ `
-- Sent for a command that changes its device.
alter table downlink_order add column changes_device boolean not null default false;
-- Of orders that commands wait for it is not known what they change.
update downlink_order o set changes_device = true
where o.state in ('waiting', 'sending') and exists (select from device_command c where c.order_id = o.id);
`,
};
