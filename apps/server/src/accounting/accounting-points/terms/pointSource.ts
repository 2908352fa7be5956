import type { AccountingPointId } from "@metrum/vocabulary";
import { resolveOne, textOf, type Db, type Decimal } from "#core";
import type { MeasuredPoint, PointSource } from "#metering/messages";
import { currentPointOf, devicesOf, termsNow } from "../records/index.ts";
import { lossSteps } from "./losses.ts";
import { ratiosOf } from "../days/index.ts";

/** Points as the calls of messages see them: which devices measured, with which ratio and losses. */
export function createPointSource(): PointSource {
  return {
    point: async (ctx, given) => {
      const id = await resolveOne(ctx, "accountingPoint", given);
      return measuredPoint(ctx.db, id, ctx.clock.now());
    },
    ofDevice: async ({ db, clock }, deviceId) => {
      const now = clock.now();
      const id = await currentPointOf(db, { deviceId, now });
      if (id === undefined) return { losses: [], voltageLevel: 0 };
      const [losses, voltageLevel] = await Promise.all([lossSteps(db, id), levelOf(db, id, now)]);
      return { losses, voltageLevel };
    },
  };
}

/** A point that came through `resolve`. */
export async function measuredPoint(db: Db, id: AccountingPointId, now: number): Promise<MeasuredPoint> {
  const [ratios, devices, losses, voltageLevel] = await Promise.all([
    ratiosOf(db, [id]),
    devicesOf(db, id),
    lossSteps(db, id),
    levelOf(db, id, now),
  ]);
  const steps = ratios.get(id) ?? [];
  return {
    devices: devices.map(({ device_id, from_ts, to_ts, opening, closing }) => ({
      deviceId: device_id,
      from: from_ts,
      to: to_ts,
      opening,
      closing,
    })),
    ratios: steps.map(({ from, ratio, current, voltage }) => ({
      from,
      ratio: numberOf(ratio),
      current: numberOf(current),
      voltage: numberOf(voltage),
    })),
    losses,
    voltageLevel,
  };
}

const numberOf = (ratio: Decimal): number => Number(textOf(ratio));

async function levelOf(db: Db, id: AccountingPointId, now: number): Promise<number> {
  const terms = await termsNow(db, { ids: [id], now });
  return terms.find(({ kind }) => kind === "voltage_level")?.voltage_level_id ?? 0;
}
