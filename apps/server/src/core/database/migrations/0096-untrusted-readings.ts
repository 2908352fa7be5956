/**
 * Suspect (3) and rejected (4) readings are few among many: found by an index that holds them alone, so that storing
 * all others costs only the test of its condition.
 */
export default {
  name: "0096-untrusted-readings",
  up: /* sql */ `
create index message_untrusted on message (device_id, ts)
  where status in (3, 4) or by_field @? '$.*.status ? (@ == 3 || @ == 4)';
`,
};
