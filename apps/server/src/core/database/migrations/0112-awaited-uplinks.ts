/** Commands that are handed over only right after an uplink of their device, which listens at no other time. */
export default {
  name: "0112-awaited-uplinks",
  up: /* sql */ `
alter table device_command add column awaits_uplink boolean not null default false;
`,
};
