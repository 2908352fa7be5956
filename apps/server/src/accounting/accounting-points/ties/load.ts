import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { forever } from "#metering/messages";
import { countedAt, countedFrom, type Counted } from "../days/index.ts";
import { ratioAt } from "../terms/index.ts";
import type { Swap } from "./swap.ts";

const daySec = 86_400;

interface RegistersAt {
  readonly deviceId: DeviceId;
  readonly names: readonly FieldName[];
  readonly at: number;
}

/** The last readings of registers of a device before a moment, at it included, archives too. */
export const valuesAt = (ctx: Ctx, { at, ...of }: RegistersAt): Promise<Counted> => countedAt(ctx, of, at);

/** The first readings of registers of a device after a moment, archives too. */
export const valuesAfter = (ctx: Ctx, { at, ...of }: RegistersAt): Promise<Counted> =>
  countedFrom(ctx, of, { from: at + 1, to: forever });

/**
 * Mean load of the point over the last day before a removal, in its units an hour, by the trusted readings of
 * the old device: the closing one says nothing about when it was consumed. Null if they tell none: fewer than
 * two in the last two days, or a decrease between them.
 */
export async function loadBefore(
  ctx: Ctx,
  { pointId, old, removed }: Swap & { readonly pointId: AccountingPointId },
): Promise<number | null> {
  const of = { deviceId: old.device_id, names: [old.field] };
  const last = (await valuesAt(ctx, { ...of, at: removed })).get(old.field);
  if (!last || removed - last.ts > daySec) return null;
  const first = (await valuesAt(ctx, { ...of, at: last.ts - daySec })).get(old.field);
  if (!first || last.ts - first.ts > 2 * daySec || first.ts < old.from_ts || last.value < first.value)
    return null;
  const ratio = await ratioAt(ctx, pointId, { at: removed, deviceId: old.device_id, field: old.field });
  return ((last.value - first.value) * ratio * 3600) / (last.ts - first.ts);
}
