/** Losses belong to what a version bills: digests of intact versions with losses are those of totals and losses. */
export default {
  name: "0145-digest-of-losses",
  up: /* sql */ `
update period_version v set digest = d.with_losses
from (
  select period_id, version,
    encode(sha256(convert_to(string_agg(total, E'\\n' order by point_id, field), 'UTF8')), 'hex') as without_losses,
    encode(sha256(convert_to(string_agg(concat_ws('|', total, 'loss ' || trim_scale(loss)::text), E'\\n'
      order by point_id, field), 'UTF8')), 'hex') as with_losses
  from (
    select period_id, version, point_id, field, loss, concat_ws('|', point_id, field, resource_type_id, timezone,
      coalesce(trim_scale(amount)::text, '-'), trim_scale(estimated)::text, covered_sec, length_sec,
      coalesce(start_value::text, '-'), coalesce(end_value::text, '-'), flags, coalesce(status::text, '-'),
      trim_scale(nullif(carried, 0))::text) as total
    from period_total
  ) t
  group by period_id, version having bool_or(loss is not null)
) d
where d.period_id = v.period_id and d.version = v.version and d.without_losses = v.digest;
`,
};
