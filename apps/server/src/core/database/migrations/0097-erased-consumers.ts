/**
 * A consumer whose data were erased on request: every field is emptied, a number replaces the name, the history of
 * points stays.
 */
export default {
  name: "0097-erased-consumers",
  up: /* sql */ `
alter table consumer add column erased_at timestamptz;
`,
};
