import type { ObjectAddress } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";

interface Found {
  readonly node: ObjectAddress | null;
  readonly city: string | null;
  readonly street: string | null;
  readonly house: string | null;
  readonly place: string;
}

/**
 * The address of a device that came through `resolve`: of its node or the nearest above that has one, else of the
 * accounting point that it measures, else its place. Rows: the levels above, by primary key.
 */
export async function addressOfDevice(db: Db, scope: Scope, id: DeviceId): Promise<ObjectAddress> {
  const { rows } = await sql<Found>`
    with recursive up as (
      select n.parent_id, n.address, 0 as distance from object_item i join object_node n on n.id = i.object_id
      where i.device_id = ${id}::int
      union all
      select n.parent_id, n.address, distance + 1 from up join object_node n on n.id = up.parent_id
      where up.address is null
    )
    select (select address from up where address is not null order by distance limit 1) as node,
      p.city, p.street, p.house, d.place
    from device d
      left join point_device pd on pd.device_id = d.id and pd.to_ts is null
      left join accounting_point p on p.id = pd.point_id
    where d.id = ${id}::int and d.company_id = ${scope.companyId}::int
    order by p.id limit 1`.execute(db);
  const [row] = rows;
  if (!row) return {};
  if (row.node) return row.node;
  const parts = Object.entries({ city: row.city, street: row.street, house: row.house }).filter(
    ([, part]) => part !== null && part !== "",
  );
  if (parts.length > 0)
    return {
      ...(Object.fromEntries(parts) as ObjectAddress),
      unrestricted_value: parts.map(([, part]) => part).join(", "),
    };
  return row.place === "" ? {} : { unrestricted_value: row.place };
}
