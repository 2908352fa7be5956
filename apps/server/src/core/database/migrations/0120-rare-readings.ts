/**
 * Days are now divided between readings that are more than six hours apart where the meter is read rarely: points with a
 * gap that this may close are computed again from the first one on.
 */
export default {
  name: "0120-rare-readings",
  up: /* sql */ `
select mark_point(point_id, min(gap_from), max(gap_from + gap_sec)) from point_day
  where gap_sec <= 48 * 3600 group by point_id;

comment on column point_day.flags is
  'Bits: 1 replaced, 2 ratio changed, 4 rollover, 8 reset, 16 interpolated over more than an hour, 32 over more than six';
`,
};
