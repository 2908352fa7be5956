import { statuses, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import type { Services } from "#core";
import { parseValues, statusOfValue, type ByField, type FieldSet } from "../rows/index.ts";
import { rowsOfPeriod, type PeriodRow } from "../read/index.ts";

/** A message with its values in the order of its set. */
export interface Message extends Omit<PeriodRow, "field_set_id" | "v"> {
  readonly set: FieldSet;
  readonly v: readonly (number | null)[];
  readonly by_field: ByField | null;
}

/** The messages of a device in a part, both ends inclusive, by time and type. */
export async function messagesOf(
  services: Services,
  client: pg.ClientBase,
  { id, from, to }: { readonly id: number; readonly from: number; readonly to: number },
): Promise<Message[]> {
  const { sets } = services.parts.readingStore;
  const found = await rowsOfPeriod(client, { deviceIds: [id], from, to });
  await sets.load(new Set(found.map((row) => row.field_set_id)));
  return found.flatMap(({ field_set_id, v, ...row }) => {
    const set = sets.byId(field_set_id);
    return set ? [{ ...row, set, v: parseValues(v) }] : [];
  });
}

/** Adds the fields in which messages have a value that is not rejected, by type. */
export function nameFields(named: Map<number, Set<FieldName>>, messages: readonly Message[]): void {
  for (const message of messages) {
    const { msg_type: type, set, v } = message;
    let names = named.get(type);
    if (!names) named.set(type, (names = new Set()));
    for (const [at, name] of set.fields.entries())
      if (
        !names.has(name) &&
        (v[at] ?? null) !== null &&
        statusOfValue(message, name) !== statuses.rejected.id
      )
        names.add(name);
  }
}
