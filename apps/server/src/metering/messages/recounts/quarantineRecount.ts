import type pg from "pg";
import type { DeviceMetadata } from "../rows/index.ts";
import { differing, timeText, type Difference } from "./difference.ts";
import { waitingInQuarantine } from "./recountStore.ts";

const kind = "quarantine count";

export const isOfQuarantine = (difference: Difference): boolean => difference.kind === kind;

/** How many readings of a device wait in quarantine: as many are refused room for others. */
export async function differingQuarantine(
  client: pg.ClientBase,
  { id }: Pick<DeviceMetadata, "id">,
): Promise<Difference[]> {
  const counts = await waitingInQuarantine(client, id);
  const found = differing(new Map([["waiting", counts.stored]]), new Map([["waiting", counts.counted]]));
  if (!found) return [];
  const from = counts.first ?? 0;
  return [{ kind, id: `device ${String(id)}`, at: timeText(from), ...found, from, to: from, waits: false }];
}
