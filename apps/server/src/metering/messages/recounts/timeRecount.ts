import type pg from "pg";
import { together, type Services } from "#core";
import { lastReceipt } from "../read/index.ts";
import type { DeviceMetadata } from "../rows/index.ts";
import { differing, timeText, type Difference } from "./difference.ts";
import { deviceTimes } from "./recountStore.ts";

/** Times of receipt are stored within a second of the readings, or at the next start. */
const waitSec = 60;

/**
 * Times of a device in the list. A repeated reading moves the last receipt without leaving a row, so it may be later
 * than the rows prove, but neither earlier nor in the future.
 */
export async function differingTimes(
  { clock }: Services,
  client: pg.ClientBase,
  { id, isVirtual = false }: DeviceMetadata,
): Promise<Difference[]> {
  const [times, received] = await together(client, () => [
    deviceTimes(client, id),
    lastReceipt(client, { id, isVirtual }),
  ]);
  if (!times) return [];
  const { last_data_at: last, silent_at: silent, warning_sec: warning } = times;
  const now = clock.now();
  const isLate = received !== null && (last ?? 0) < received;
  const isAhead = last !== null && last > Math.max(now + waitSec, received ?? 0);
  const counted = isLate || isAhead ? received : last;
  const found = differing(
    new Map([
      ["last_data_at", last],
      ["silent_at", silent],
    ]),
    new Map([
      ["last_data_at", counted],
      ["silent_at", counted === null ? null : counted + warning],
    ]),
  );
  if (!found) return [];
  const at = received ?? last ?? 0;
  const waits = isLate && received > now - waitSec;
  return [
    { kind: "device time", id: `device ${String(id)}`, at: timeText(at), ...found, from: at, to: at, waits },
  ];
}
