/**
 * Monthly archives count in the days of points, and gaps are divided at midnights close to the readings around them: all
 * points are computed again.
 */
export default {
  name: "0135-months-read-seldom",
  up: /* sql */ `
select mark_point(id, 0, null) from accounting_point order by id;
`,
};
