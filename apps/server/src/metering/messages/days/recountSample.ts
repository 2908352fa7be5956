import { dayText, type Services } from "#core";
import { compareDays, dayKeyOf } from "./days.ts";
import { recountDays } from "./recount.ts";
import { sampledDays, storedDays, type CountedDay } from "./sampleStore.ts";

/** Outcome of counting a sample again. */
export interface SampleVerdict {
  readonly checked: number;
  /** What differs from what is stored: "device 7, type 1, 2026-03-01". */
  readonly differing: readonly string[];
}

const sample = { devices: 40, days: 100 };

/**
 * Counts some past days of some devices again from their messages and compares them with what is stored. Changes
 * nothing: the transaction is rolled back.
 */
export async function recountSample({ database, parts }: Services): Promise<SampleVerdict> {
  const { sets } = parts.readingStore;
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    const days = (await sampledDays(client, sample)).sort(compareDays);
    await sets.load(days.map(({ setId }) => setId));
    const before = new Map((await storedDays(client, days)).map((day) => [keyOf(day), day]));
    const wanted = days.flatMap(({ setId, companyId, zone, ...key }) => {
      const set = sets.byId(setId);
      return set ? [{ ...key, of: { device: { companyId, zone }, set } }] : [];
    });
    await recountDays(client, sets, wanted);
    const after = await storedDays(client, days);
    const differing = after.filter((day) => !isSame(day, before.get(keyOf(day))));
    return { checked: days.length, differing: differing.map(nameOf) };
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const keyOf = ({ device_id, msg_type, day }: CountedDay): string =>
  dayKeyOf({ deviceId: device_id, msgType: msg_type, day });

const nameOf = ({ device_id, msg_type, day }: CountedDay): string =>
  `device ${String(device_id)}, type ${String(msg_type)}, ${dayText(day)}`;

const exact = ["hours", "n", "first_ts", "last_ts"] as const;
const lists = ["first", "last", "sum", "min", "max"] as const;

/** Sums of floats in another order may differ in their last digits. */
function isSame(a: CountedDay, b: CountedDay | undefined): boolean {
  if (!b) return false;
  return (
    exact.every((name) => a[name] === b[name]) &&
    lists.every(
      (name) =>
        a[name].length === b[name].length && a[name].every((value, at) => isNear(value, b[name][at] ?? null)),
    )
  );
}

function isNear(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
