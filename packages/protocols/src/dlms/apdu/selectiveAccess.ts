import { formatObis, parseObis } from "../data/axdr.ts";
import type { CaptureObject, DlmsData, EntryDescriptor, RangeDescriptor, SelectiveAccess } from "../types.ts";

const rangeSelector = 1;
const entrySelector = 2;

/** The time of the clock, the usual column for selecting rows of a profile. */
export const clockColumn: CaptureObject = { classId: 8, obis: "0.0.1.0.0.255", attribute: 2, index: 0 };

/**
 * A column of capture lists and ranges: class, OBIS code, attribute, index. Source: Blue Book 4.3.6
 * (capture_object_definition).
 */
export function captureObjectData({ classId, obis, attribute, index }: CaptureObject): DlmsData {
  return {
    type: "structure",
    items: [
      { type: "uint16", value: classId },
      { type: "octets", value: parseObis(obis) },
      { type: "int8", value: attribute },
      { type: "uint16", value: index },
    ],
  };
}

/** The inverse of `captureObjectData`; null when the value is not of that shape. */
export function captureObjectOf(data: DlmsData): CaptureObject | null {
  if (data.type !== "structure" || data.items.length !== 4) return null;
  const [classId, obis, attribute, index] = data.items;
  if (classId?.type !== "uint16" || obis?.type !== "octets" || obis.value.length !== 6) return null;
  if (attribute?.type !== "int8" || index?.type !== "uint16") return null;
  return {
    classId: classId.value,
    obis: formatObis(obis.value),
    attribute: attribute.value,
    index: index.value,
  };
}

/**
 * Rows of a profile by the value of a column. Source: Blue Book 4.3.6 (range_descriptor). Errors:
 * ProtocolError "unsupported" for a bad OBIS code.
 */
export function rangeAccess({ restricting, from, to, columns }: RangeDescriptor): SelectiveAccess {
  const selected: DlmsData = { type: "array", items: columns.map(captureObjectData) };
  return {
    selector: rangeSelector,
    parameters: { type: "structure", items: [captureObjectData(restricting), from, to, selected] },
  };
}

/** The inverse of `rangeAccess`; null when it is not a range selection. */
export function rangeOf({ selector, parameters }: SelectiveAccess): RangeDescriptor | null {
  if (selector !== rangeSelector || parameters.type !== "structure") return null;
  const [first, from, to, list] = parameters.items;
  const restricting = first === undefined ? null : captureObjectOf(first);
  if (restricting === null || from === undefined || to === undefined || list?.type !== "array") return null;
  const columns = list.items.map(captureObjectOf).filter((column) => column !== null);
  return columns.length === list.items.length ? { restricting, from, to, columns } : null;
}

/** Rows of a profile by their position. Source: Blue Book 4.3.6 (entry_descriptor). */
export function entryAccess(entry: EntryDescriptor): SelectiveAccess {
  return {
    selector: entrySelector,
    parameters: {
      type: "structure",
      items: [
        { type: "uint32", value: entry.fromEntry },
        { type: "uint32", value: entry.toEntry },
        { type: "uint16", value: entry.fromColumn },
        { type: "uint16", value: entry.toColumn },
      ],
    },
  };
}

/** The inverse of `entryAccess`; null when it is not an entry selection. */
export function entryOf({ selector, parameters }: SelectiveAccess): EntryDescriptor | null {
  if (selector !== entrySelector || parameters.type !== "structure") return null;
  const [fromEntry, toEntry, fromColumn, toColumn] = parameters.items;
  if (fromEntry?.type !== "uint32" || toEntry?.type !== "uint32") return null;
  if (fromColumn?.type !== "uint16" || toColumn?.type !== "uint16") return null;
  return {
    fromEntry: fromEntry.value,
    toEntry: toEntry.value,
    fromColumn: fromColumn.value,
    toColumn: toColumn.value,
  };
}
