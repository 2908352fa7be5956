/**
 * Marks of readings are leased by their time, a few at a turn. Without an index by it each turn read the marks of all
 * devices: with 10,000 of them 280 rows for each one that was taken.
 */
export default {
  name: "0123-due-by-time",
  up: /* sql */ `
create index reading_due_by_time on reading_due (kind, due_at, device_id);
`,
};
