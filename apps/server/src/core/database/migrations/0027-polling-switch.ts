/** Polling of a device is switched separately from the device: its uplinks are still accepted. */
export default {
  name: "0027-polling-switch",
  up: /* sql */ `
alter table device add column is_polled boolean not null default true;
`,
};
