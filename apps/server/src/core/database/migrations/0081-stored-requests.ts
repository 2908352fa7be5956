/** Requests of archives, profiles and journals: how many rows the meter of a device has delivered so far. */
export default {
  name: "0081-stored-requests",
  up: /* sql */ `
alter table device_task_item add column rows_received int;
`,
};
