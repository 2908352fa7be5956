import { fields, isFieldName, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import type { FieldSet } from "./types.ts";

/** The field sets of the database, cached: they are only ever added. */
export interface FieldSets {
  /** By names joined with a comma in any order; undefined until `learn` has seen it. */
  known(key: string): FieldSet | undefined;
  byId(id: number): FieldSet | undefined;
  /** Finds or makes the sets with these keys. */
  learn(keys: Iterable<string>): Promise<void>;
  /** Reads the sets with these ids that are not known yet. */
  load(ids: Iterable<number>): Promise<void>;
}

export function createFieldSets(pool: pg.Pool): FieldSets {
  const byKey = new Map<string, FieldSet>();
  const byId = new Map<number, FieldSet>();

  const remember = (id: number, names: readonly string[]): FieldSet => {
    const known = byId.get(id);
    if (known) return known;
    const set = makeSet(id, names.filter(isFieldName));
    byId.set(id, set);
    byKey.set(names.join(","), set);
    return set;
  };
  const find = async (names: readonly string[]): Promise<FieldSet> => {
    // Looked for first: every insert that meets a conflict would use up a number of the sequence.
    for (let tried = 0; tried < 3; tried++) {
      const { rows } = await pool.query<{ id: number }>(
        "select id from field_set where fields = $1::text[]",
        [names],
      );
      if (rows[0]) return remember(rows[0].id, names);
      await pool.query("insert into field_set (fields) values ($1::text[]) on conflict (fields) do nothing", [
        names,
      ]);
    }
    throw new Error("a field set could neither be found nor made");
  };

  return {
    known: (key) => byKey.get(key),
    byId: (id) => byId.get(id),
    async learn(keys) {
      for (const key of keys) {
        if (byKey.has(key)) continue;
        const sorted = key === "" ? [] : key.split(",").sort();
        byKey.set(key, byKey.get(sorted.join(",")) ?? (await find(sorted)));
      }
    },
    async load(ids) {
      const missing = [...new Set(ids)].filter((id) => !byId.has(id));
      if (missing.length === 0) return;
      const { rows } = await pool.query<{ id: number; fields: string[] }>(
        "select id, fields from field_set where id = any($1::smallint[])",
        [missing],
      );
      for (const row of rows) remember(row.id, row.fields);
    },
  };
}

function makeSet(id: number, names: readonly FieldName[]): FieldSet {
  const positions = names.map((_, at) => at);
  const isCounter = (at: number): boolean => {
    const name = names[at];
    return name !== undefined && fields[name].kind === "counter";
  };
  return {
    id,
    fields: names,
    counters: positions.filter(isCounter),
    moving: positions.filter((at) => !isCounter(at)),
  };
}
