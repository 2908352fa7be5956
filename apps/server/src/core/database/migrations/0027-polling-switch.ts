/** Polling of a device is switched apart from the device: what it sends by itself is taken all the same. */
export default {
  name: "0027-polling-switch",
  up: /* sql */ `
alter table device add column is_polled boolean not null default true;
`,
};
