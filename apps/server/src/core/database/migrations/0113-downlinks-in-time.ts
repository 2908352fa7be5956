/** Downlinks that a network server drops from the queue of their device after a time. */
export default {
  name: "0113-downlinks-in-time",
  up: /* sql */ `
-- Epoch seconds; null: it keeps them.
alter table downlink_order add column valid_until bigint;
`,
};
