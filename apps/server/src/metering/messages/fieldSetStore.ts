import type pg from "pg";
import { int4Array, textArray } from "./arrays.ts";

/** Adds sets of fields, each as its sorted names with commas between and the company whose readings need it. */
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
