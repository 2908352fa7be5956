import type { ParsedOf, ReplyOf } from "@metrum/contract/core";
import { completenessBounds, holeReasons, type completeness } from "@metrum/contract/insight";
import type { Ctx } from "#core";
import { chosenDevices } from "#metering/devices";
import { percentOf } from "#metering/messages";
import { askedPeriod, boardRow, chosenBy, countsOf, shownTypes, type BoardType } from "./board.ts";

type Reply = ReplyOf<typeof completeness.totals>;
type Totals = NonNullable<Reply["totals"]>;

/** Devices whose slots are held in memory at a time. */
const atOnce = 100;

/** Completeness of all devices of a filter together; only their number if there are too many. */
export async function totals(ctx: Ctx, body: ParsedOf<typeof completeness.totals>["body"]): Promise<Reply> {
  const period = askedPeriod(ctx, body);
  const limit = completenessBounds.totalled;
  const { rows, total } = await chosenDevices(ctx, chosenBy(body), { limit, offset: 0 });
  if (total > limit) return { ...period, total, totals: null };
  const devices = rows.map(boardRow);
  const shown: BoardType[] = [];
  for (let at = 0; at < devices.length; at += atOnce) {
    const part = { devices: devices.slice(at, at + atOnce), types: [body.msg_type], period };
    shown.push(...[...(await shownTypes(ctx, part)).values()].flat());
  }
  return { ...period, total, totals: together(ctx, shown) };
}

function together({ language }: Ctx, types: readonly BoardType[]): Totals {
  const days = new Map<string, { expected: number; received: number }>();
  for (const { day, expected, received } of types.flatMap((type) => type.days)) {
    const known = days.get(day) ?? { expected: 0, received: 0 };
    days.set(day, { expected: known.expected + expected, received: known.received + received });
  }
  const sum = (of: "expected" | "received") => types.reduce((total, type) => total + type[of], 0);
  const counted = { expected: sum("expected"), received: sum("received") };
  return {
    devices: types.length,
    ...counted,
    missing: counted.expected - counted.received,
    received_share: percentOf(counted),
    reasons: countsOf(types.flatMap((type) => type.reasons)).map(([reason, missing]) => ({
      reason,
      title: holeReasons[reason][language],
      missing,
    })),
    days: [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, each]) => ({ day, ...each, received_share: percentOf(each) })),
  };
}
