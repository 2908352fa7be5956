import { addressBounds, type ObjectAddress } from "@metrum/contract/accounting";
import { sql, type RawBuilder } from "kysely";
import { containing, tiedObjects, visiblePoints, type Db, type Scope } from "#core";

const most = addressBounds.suggestions;

const seen = (scope: Scope): RawBuilder<unknown> =>
  scope.onlyTiedDevices
    ? sql`n.company_id = ${scope.companyId}::int and n.id in (${tiedObjects(scope.userId)})`
    : sql`n.company_id = ${scope.companyId}::int`;

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .slice(0, 8);

/**
 * Addresses of objects that contain every word, the shortest first. The longest word finds them by
 * object_node_search.
 */
export async function addressesOfObjects(db: Db, scope: Scope, text: string): Promise<ObjectAddress[]> {
  const all = words(text).toSorted((a, b) => b.length - a.length);
  const [longest, ...others] = all;
  if (longest === undefined) return [];
  const { rows } = await sql<{ address: ObjectAddress }>`
    select n.address from object_node n
    where n.id in (select id from object_found(${containing(longest)}) as id) and ${seen(scope)}
      and (n.address ? 'unrestricted_value' or n.address ? 'street' or n.address ? 'city')
      and n.search like all(${others.map(containing)}::text[])
    order by length(n.search), n.id limit ${most}`.execute(db);
  return rows.map(({ address }) => address);
}

/** Addresses of accounting points that contain every word. Rows: points of the company until there are enough. */
export async function addressesOfPoints(db: Db, scope: Scope, text: string): Promise<ObjectAddress[]> {
  const all = words(text);
  if (all.length === 0) return [];
  const { rows } = await sql<{ city: string; street: string; house: string }>`
    select distinct p.city, p.street, p.house from (
      select * from accounting_point p
      where ${visiblePoints(scope)} and p.search like all(${all.map(containing)}::text[])
        and p.street <> '' limit 200
    ) p
    where lower(concat_ws(' ', p.city, p.street, p.house)) like all(${all.map(containing)}::text[])
    order by 1, 2, 3 limit ${most}`.execute(db);
  return rows.map(({ city, street, house }) => ({
    unrestricted_value: [city, street, house].filter((part) => part !== "").join(", "),
    ...(city === "" ? {} : { city }),
    street,
    ...(house === "" ? {} : { house }),
  }));
}

/** Objects with an address within some 500 m, the nearest first. Index object_node_place. */
export async function addressesNear(
  db: Db,
  scope: Scope,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): Promise<ObjectAddress[]> {
  const squeezed = Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const reach = 0.0045;
  const x = (longitude + 180) / 360;
  const { rows } = await sql<{ address: ObjectAddress }>`
    select n.address from object_node n
    where ${seen(scope)} and n.map_x between ${x - reach / 360 / squeezed}::float8 and ${x + reach / 360 / squeezed}::float8
      and abs((n.address -> 'coordinates' ->> 0)::float8 - ${latitude}::float8) <= ${reach}::float8
      and (n.address ? 'unrestricted_value' or n.address ? 'street' or n.address ? 'city')
    order by ((n.address -> 'coordinates' ->> 0)::float8 - ${latitude}::float8) ^ 2
      + (((n.address -> 'coordinates' ->> 1)::float8 - ${longitude}::float8) * ${squeezed}::float8) ^ 2, n.id
    limit ${most}`.execute(db);
  return rows.map(({ address }) => address);
}
