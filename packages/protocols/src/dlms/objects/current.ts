import { fieldOf, type MessageTypeId, type ResourceKey } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Reading } from "../../core/reading.ts";
import type { Session } from "../session/session.ts";
import { instantOf, type ClockOptions } from "./clock.ts";
import { isClock, readCaptures, readScalerProfile, type ProfileColumn } from "./profile.ts";
import { readScales, type Scales } from "./registers.ts";
import { inUnitOf, unitRatio } from "./units.ts";
import { itemsOf, numberOf } from "./values.ts";

/** A profile whose single row contains all current values. */
export interface CurrentTable {
  readonly obis: string;
  readonly scalerProfile?: string;
  readonly columns: readonly (ProfileColumn & { readonly msgType: MessageTypeId })[];
}

/**
 * All current values from the single row of a profile.
 * Source: Blue Book 4.3.6; STO 34.01-5.1-006 (profile of current values), from experience. A column that the
 * meter lacks is absent, null-data is null.
 * Errors: ProtocolError "unexpected" for a row of another shape or a unit that does not fit its field; as
 * `Session.value`.
 */
export function* readCurrent(
  session: Session,
  of: { table: CurrentTable; resource: ResourceKey; clock: ClockOptions },
): Conversation<Reading[]> {
  const { table, resource, clock } = of;
  const scales: Scales = new Map();
  const captures = yield* readCaptures(session, table.obis);
  const buffer = yield* session.value({ classId: 7, obis: table.obis, attribute: 2 });
  const cells = itemsOf(itemsOf(buffer, "buffer").at(-1), "row");
  if (cells.length !== captures.length)
    throw new ProtocolError("unexpected", `${table.obis} has a row of another shape than its columns`);
  if (table.scalerProfile !== undefined) yield* readScalerProfile(session, table.scalerProfile, scales);
  const places = table.columns.flatMap((column) => {
    const at = captures.findIndex(
      ({ obis, attribute }) => obis === column.obis && attribute === (column.attribute ?? 2),
    );
    const object = captures[at];
    return object === undefined ? [] : [{ at, column, object }];
  });
  yield* readScales(
    session,
    places.map(({ object }) => object).filter(({ classId }) => classId !== 1),
    scales,
  );
  const meterAt = instantOf(cells[captures.findIndex(isClock)], clock);
  const found = places.map(({ at, column: { field, msgType }, object: { obis } }) => {
    const ratio = unitRatio(scales.get(obis) ?? { scaler: 0, unit: 255 }, fieldOf(field, resource).unit);
    if (ratio === undefined)
      throw new ProtocolError("unexpected", `${obis} is in a unit that ${field} is not`);
    const raw = numberOf(cells[at]);
    return { msgType, field, value: raw === null ? null : inUnitOf(field, raw, ratio) };
  });
  return [...new Set(found.map(({ msgType }) => msgType))].map((msgType) => ({
    msgType,
    at: null,
    ...(meterAt === null ? {} : { meterAt }),
    values: Object.fromEntries(
      found.filter((each) => each.msgType === msgType).map(({ field, value }) => [field, value]),
    ),
  }));
}
