/** Until when the uplinks of a device were looked at for the proof of a command, in milliseconds. */
export default {
  name: "0116-judged-commands",
  up: /* sql */ `
alter table device_command add column judged_ms bigint;
`,
};
