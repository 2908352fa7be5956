/** Token of the held attachment of a line. */
export default {
  name: "0039-line-tokens",
  up: /* sql */ `
-- Incremented with every attachment of the line in the process that holds it: releasing an earlier one keeps the row.
alter table line_holder add column token bigint not null default 0;
`,
};
