import { Problem } from "@metrum/contract/core";
import type { HoleSelection } from "@metrum/contract/metering";
import { isArchiveType, type DeviceId } from "@metrum/vocabulary";
import { offsetSec, type Ctx } from "#core";
import { askHoles } from "./askHoles.ts";
import { requestReading } from "./requests.ts";

const profileType = 5;
const titles = { title: "Запрос значений заново", titleEn: "Values requested again" };

interface Slots {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/**
 * Requests values of a meter again: missing rows as holes, rows that stand from its archive. Returns the task;
 * undefined if the meter does not keep them. Problems: licence_expired, task_limit.
 */
export async function askSlots(ctx: Ctx, slots: Slots): Promise<number | undefined> {
  const { deviceId, msgType, from, to } = slots;
  const selection: HoleSelection = {
    device_ids: [deviceId],
    msg_types: [msgType],
    start_date: from,
    stop_date: to,
  };
  return (await unlessRefused(() => askHoles(ctx, selection)))?.device_task?.id ?? askArchive(ctx, slots);
}

async function askArchive(
  ctx: Ctx,
  { deviceId, msgType, from, to, zone }: Slots,
): Promise<number | undefined> {
  const management =
    msgType === profileType
      ? { archive_profile: localText(zone, from) }
      : isArchiveType(msgType)
        ? { archive: msgType, archiveTime: localText(zone, from), archiveTimeEnd: localText(zone, to) }
        : undefined;
  if (!management) return undefined;
  const task = await unlessRefused(() =>
    requestReading(ctx, { commandType: "control", deviceIds: [deviceId], management, ...titles }),
  );
  return task?.id;
}

/** `2026-11-19 12:30:00` on the clock of a zone. */
const localText = (zone: string, at: number): string =>
  new Date((at + offsetSec(zone, at)) * 1000).toISOString().slice(0, 19).replace("T", " ");

/** A meter that cannot answer is no fault of the request. */
const refusals: readonly string[] = [
  "request_refused",
  "command_unsupported",
  "device_put_away",
  "wrong_input",
  "request_in_flight",
];

async function unlessRefused<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Problem && refusals.includes(error.code)) return undefined;
    throw error;
  }
}
