import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { deviceRatioAt } from "./deviceStore.ts";
import { termsNow } from "./listStore.ts";

/** The ratio of a point at a moment: of its transformers, else its own, else that of the device, else 1. */
export async function ratioAt(
  { db }: Pick<Ctx, "db">,
  pointId: AccountingPointId,
  { at, deviceId }: { readonly at: number; readonly deviceId: DeviceId },
): Promise<number> {
  const terms = await termsNow(db, { ids: [pointId], now: at });
  const of = (kind: string) => terms.find((term) => term.kind === kind);
  const [current, voltage] = [of("current_transformer")?.ref_ratio, of("voltage_transformer")?.ref_ratio];
  if (current != null || voltage != null) return (current ?? 1) * (voltage ?? 1);
  return of("ratio")?.number ?? (await deviceRatioAt(db, { deviceId, at }));
}
