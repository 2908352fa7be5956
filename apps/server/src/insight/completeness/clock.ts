import type { ParsedOf, ReplyOf } from "@metrum/contract/core";
import type { completeness } from "@metrum/contract/insight";
import { quarantineReasons, type QuarantineReason } from "@metrum/contract/metering";
import { dayOf, dayText, startOfDay, type Ctx } from "#core";
import { mainType } from "#metering/messages";
import { askedDevices, shownDevice } from "./board.ts";
import { grouped } from "./grouped.ts";
import { lastOfDays } from "#metering/messages";
import { quarantinedByQuarter } from "./store.ts";

type Reply = ReplyOf<typeof completeness.time>;
type ClockDay = Reply["devices"]["data"][number]["days"][number];

const quarterSec = 900;
const reasons = new Map(
  (Object.keys(quarantineReasons) as QuarantineReason[]).map((key) => [
    quarantineReasons[key] as number,
    key,
  ]),
);

/** The clocks of the devices by calendar day, as their last readings of each day and the quarantine show them. */
export async function clocks(ctx: Ctx, body: ParsedOf<typeof completeness.time>["body"]): Promise<Reply> {
  const { period, devices, page } = await askedDevices(ctx, body);
  const ranges = devices.map((device) => ({
    device,
    first: dayOf(device.zone, period.start_date),
    last: dayOf(device.zone, period.stop_date),
  }));
  const read = await lastOfDays(
    ctx.db,
    ranges.map(({ device, first, last }) => ({
      id: device.id,
      msgType: mainType(device.model_id),
      first: dayText(first),
      last: dayText(last),
    })),
  );
  const quarantined = await quarantinedByQuarter(
    ctx.db,
    ranges.map(({ device, first, last }) => ({
      deviceId: device.id,
      from: startOfDay(device.zone, first),
      to: startOfDay(device.zone, last + 1),
    })),
  );
  const lastOf = new Map(read.map((row) => [`${String(row.device_id)} ${String(row.day)}`, row]));
  const ofDevices = grouped(quarantined, ({ device_id }) => device_id);
  const data = ranges.map(({ device, first, last }) => {
    const ofDays = grouped(ofDevices.get(device.id) ?? [], ({ quarter }) =>
      dayOf(device.zone, quarter * quarterSec),
    );
    return {
      ...shownDevice(device),
      days: Array.from({ length: last - first + 1 }, (_, at): ClockDay => {
        const day = first + at;
        const row = lastOf.get(`${String(device.id)} ${String(day)}`);
        return {
          day: dayText(day),
          read_at: row?.ts ?? null,
          clock_off: row && row.real !== null ? row.real - row.received : null,
          delay: row?.received ?? null,
          quarantined: countedByReason(ofDays.get(day) ?? []),
        };
      }),
    };
  });
  return { ...period, devices: { data, ...page } };
}

function countedByReason(
  rows: readonly { readonly reason: number; readonly n: number }[],
): ClockDay["quarantined"] {
  const counts = new Map<QuarantineReason, number>();
  for (const { reason, n } of rows) {
    const name = reasons.get(reason);
    if (name) counts.set(name, (counts.get(name) ?? 0) + n);
  }
  return [...counts].map(([reason, count]) => ({ reason, count }));
}
