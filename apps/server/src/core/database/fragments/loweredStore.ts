import { sql } from "kysely";
import type { Db } from "../database.ts";

/** Texts in lower case as the database compares them: letters of some languages differ from those of the program. */
export async function loweredTexts(db: Db, texts: readonly string[]): Promise<(text: string) => string> {
  const wanted = [...new Set(texts)];
  if (wanted.length === 0) return (text) => text;
  const { rows } = await sql<{ lower: string }>`
    select lower(text) as lower from unnest(${wanted}::text[]) with ordinality as t (text, place) order by place`.execute(
    db,
  );
  const found = new Map(wanted.map((text, at) => [text, rows[at]?.lower ?? text]));
  return (text) => found.get(text) ?? text;
}
