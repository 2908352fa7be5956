/**
 * A point without a zone of its own has that of its company, and moves with it: its days are computed anew, closed months
 * stay as they were billed.
 */
export default {
  name: "0146-zones-of-points",
  up: /* sql */ `
alter table accounting_point add column has_own_zone boolean not null default true;
alter table accounting_point disable trigger user;
update accounting_point p set has_own_zone = false from company c where c.id = p.company_id and c.timezone = p.timezone;
alter table accounting_point enable trigger user;

create function move_points() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update accounting_point set timezone = new.timezone where company_id = new.id and not has_own_zone;
  return null;
end $$;
create trigger move_points after update of timezone on company for each row
  when (old.timezone is distinct from new.timezone) execute function move_points();
`,
};
