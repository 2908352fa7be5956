/** Token of the held attachment of a line. */
export default {
  name: "0039-line-tokens",
  up: /* sql */ `
-- Grows with every attachment of the line in the process that holds it: who gives back an earlier one leaves the row alone.
alter table line_holder add column token bigint not null default 0;
`,
};
