import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import { exactProduct, type Ctx } from "#core";
import { deviceRatioAt, termsNow } from "../records/index.ts";
import { hasRatio } from "../days/index.ts";

/**
 * The ratio that a register of a point is multiplied by at a moment: of its transformers, else its own, else that of the
 * device, else 1, which is that of any register without transformers before it.
 */
export async function ratioAt(
  { db }: Pick<Ctx, "db">,
  pointId: AccountingPointId,
  of: { readonly at: number; readonly deviceId: DeviceId; readonly field: FieldName },
): Promise<number> {
  const { at, deviceId, field } = of;
  if (!hasRatio(field)) return 1;
  const terms = await termsNow(db, { ids: [pointId], now: at });
  const termOf = (kind: string) => terms.find((term) => term.kind === kind);
  const [current, voltage] = [
    termOf("current_transformer")?.ref_ratio,
    termOf("voltage_transformer")?.ref_ratio,
  ];
  if (current != null || voltage != null) return exactProduct(current ?? 1, voltage ?? 1);
  return termOf("ratio")?.number ?? (await deviceRatioAt(db, { deviceId, at }));
}
