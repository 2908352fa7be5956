/**
 * Where objects with coordinates lie on the plane of a web map, both ways from 0 to 1, so that a viewport is a range
 * and a cluster a cell. Kept by a trigger and not generated: that would write the table anew under an exclusive
 * lock. Devices that are switched off have an index of their own, because an object counts without them.
 */
export default {
  name: "0102-object-places",
  up: /* sql */ `
alter table object_node add column map_x double precision, add column map_y double precision;

create function object_place() returns trigger language plpgsql as $$
declare
  place jsonb := new.address -> 'coordinates';
  s double precision;
begin
  new.map_x := null;
  new.map_y := null;
  if jsonb_typeof(place -> 0) = 'number' and jsonb_typeof(place -> 1) = 'number' then
    -- The plane ends at 85 degrees: what lies beyond is shown at its edge.
    s := sin(radians(greatest(-85.05112878, least(85.05112878, (place ->> 0)::double precision))));
    new.map_x := ((place ->> 1)::double precision + 180) / 360;
    new.map_y := 0.5 - ln((1 + s) / (1 - s)) / (4 * pi());
  end if;
  return new;
end $$;
create trigger object_place before insert or update of address on object_node
  for each row execute function object_place();
update object_node set address = address where jsonb_typeof(address -> 'coordinates') = 'array';

create index object_node_place on object_node (company_id, map_x, map_y) where map_x is not null;
create index device_switched_off on device (company_id, id) where deleted_at is null and not is_active;
`,
};
