/**
 * Devices whose stored numbers were found wrong are recounted by the worker that recounts days in another zone, their
 * latest values and times too.
 */
export default {
  name: "0150-whole-recounts",
  up: /* sql */ `
alter table zone_due add column is_whole boolean not null default false;
`,
};
