/**
 * The amount of a gap that began in a closed period is billed by the period in which it ends; versions keep which part
 * of a total that is.
 */
export default {
  name: "0121-carried-amounts",
  up: /* sql */ `
-- Exact decimal in the unit of the point, part of amount. Versions before this one carried nothing.
alter table period_total add column carried numeric not null default 0;
`,
};
