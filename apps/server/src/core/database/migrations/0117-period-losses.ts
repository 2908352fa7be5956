/** The losses of a point in a closed month are stored with its total, so that they stay what was billed. */
export default {
  name: "0117-period-losses",
  up: /* sql */ `
-- Exact decimal in the unit of the point, of the main register. Null: no share of losses held, or the version is older.
alter table period_total add column loss numeric;
`,
};
