/**
 * A step over a change of the ratio counts nothing, and registers that pass no transformers are multiplied by no ratio: all
 * points are computed again. Closed months show what differs.
 */
export default {
  name: "0155-ratios-of-registers",
  up: /* sql */ `
select mark_point(id, 0, null) from accounting_point order by id;
`,
};
