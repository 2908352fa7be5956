import { ProtocolError } from "../core/errors.ts";
import type { MbusRecord, RecordList } from "../mbus/records.ts";
import { isCounted } from "../mbus/vif.ts";
import { blockBytes } from "./crypto.ts";

/** What no meter sends, and what only a meter with codes of its own sends. */
type Mark = "hard" | "soft";

const fewestSoft = 2;

/**
 * The records before the first damaged block of a telegram whose encryption verifies its first block only
 * (security mode 5): of a block that was damaged on the air nothing but noise is decrypted, which often looks
 * like records. Noise is recognised by what no meter sends: a counter far below zero, or a list that breaks off
 * inside the encrypted part; or by several records that are unusual (`isUnusual`). Noise may look usual at
 * first, so the block before its first mark is left out too. Source: EN 13757-7, 7.6.3 (CBC: a block damages
 * itself and the next). `encrypted`: bytes from the beginning, of `total`. Without places the list is returned
 * as it is. Errors: none.
 */
export function soundRecords(list: RecordList, of: { encrypted: number; total: number }): RecordList {
  const { records, places, unread = 0 } = list;
  const { encrypted, total } = of;
  if (places === undefined) return list;
  const marks = marksOf(records).map((mark, at) =>
    (places[at]?.from ?? encrypted) < encrypted ? mark : undefined,
  );
  const breakAt = list.broken === undefined ? encrypted : total - unread;
  const softMarks = marks.filter((mark) => mark === "soft").length;
  const isDamaged = breakAt < encrypted || marks.includes("hard") || softMarks >= fewestSoft;
  if (!isDamaged) return list;
  const first = marks.findIndex((mark) => mark !== undefined);
  const markAt = Math.min(breakAt, places[first]?.from ?? breakAt);
  const cut = Math.max(markAt - (markAt % blockBytes) - blockBytes, blockBytes);
  const kept = records.filter((_, at) => (places[at]?.to ?? Infinity) <= cut);
  const broken = new ProtocolError("unexpected", "the telegram is damaged behind its first blocks");
  return { records: kept, isMoreFollowing: false, broken };
}

function marksOf(records: readonly MbusRecord[]): (Mark | undefined)[] {
  const counters = new Map<string, MbusRecord["value"]>();
  return records.map((record) => {
    if (record.kind !== "value") return undefined;
    if (isFarBelowZero(record)) return "hard";
    return isRepeated(counters, record) || isUnusual(record) ? "soft" : undefined;
  });
}

/** A register that ran backwards a little is below zero too. */
const isFarBelowZero = ({ quantity, modifiers, value, raw }: MbusRecord): boolean =>
  isCounted(quantity) &&
  modifiers.length === 0 &&
  typeof value === "number" &&
  value < 0 &&
  raw.length >= 4 &&
  (raw.at(-1) ?? 0xff) < 0xff;

const mostStorage = 128;

/** Codes that no standard knows, no data, digits that are none, a text for a number, the maximum of a counter. */
function isUnusual(record: MbusRecord): boolean {
  const { quantity, modifiers, value, raw, unit, error, doubtful, storage, function: role } = record;
  const isNumber = unit !== "" && unit !== "-";
  return (
    quantity === "Reserved" ||
    modifiers.some((word) => word.startsWith("reserved ")) ||
    error !== undefined ||
    doubtful !== undefined ||
    (raw.length === 0 && value === null) ||
    (isNumber && typeof value === "string") ||
    storage >= mostStorage ||
    (isCounted(quantity) && role !== "instantaneous" && modifiers.length === 0)
  );
}

/** A counter that comes twice with different values. */
function isRepeated(counters: Map<string, MbusRecord["value"]>, record: MbusRecord): boolean {
  const { function: role, storage, tariff, subunit, quantity, unit, modifiers, value } = record;
  if (!isCounted(quantity)) return false;
  const key = [role, storage, tariff, subunit, quantity, unit, ...modifiers].join("|");
  const before = counters.get(key);
  if (before === undefined) counters.set(key, value);
  return typeof before === "number" && typeof value === "number" && before !== value;
}
