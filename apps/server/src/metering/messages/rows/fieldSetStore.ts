import type pg from "pg";
import { int4Array, textArray } from "./arrays.ts";

/** Adds field sets, each as its sorted names joined by commas and the company whose readings need it. */
export async function addFieldSets(
  pool: pg.Pool,
  sets: readonly (readonly [string, number | null])[],
): Promise<void> {
  await pool.query(
    `insert into field_set (fields, made_by)
      select string_to_array(k, ','), c from unnest($1::text[], $2::int4[]) as t(k, c) on conflict (fields) do nothing`,
    [textArray(sets.map(([key]) => key)), int4Array(sets.map(([, companyId]) => companyId))],
  );
}

export interface FieldSetRow {
  readonly id: number;
  readonly fields: readonly string[];
}

/** Sets by their key: the sorted names joined by commas. */
export async function fieldSetsByKey(pool: pg.Pool, keys: readonly string[]): Promise<FieldSetRow[]> {
  const { rows } = await pool.query<FieldSetRow>({
    name: "messages-sets-find",
    text: `select s.id, s.fields from unnest($1::text[]) k join field_set s on s.fields = string_to_array(k, ',')`,
    values: [textArray(keys)],
  });
  return rows;
}

export async function fieldSetsById(pool: pg.Pool, ids: readonly number[]): Promise<FieldSetRow[]> {
  const { rows } = await pool.query<FieldSetRow>(
    "select id, fields from field_set where id = any($1::int4[])",
    [int4Array(ids)],
  );
  return rows;
}

/** How many sets each of these companies has added. Index: field_set_made_by. */
export async function setsMadeBy(
  pool: pg.Pool,
  companyIds: ReadonlySet<number>,
): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ made_by: number; n: number }>(
    "select made_by, count(*)::int as n from field_set where made_by = any($1::int4[]) group by made_by",
    [int4Array([...companyIds])],
  );
  return new Map(rows.map(({ made_by, n }) => [made_by, n]));
}
