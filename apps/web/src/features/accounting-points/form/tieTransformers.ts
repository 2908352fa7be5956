import { pointTransformers, type AccountingPoint } from "@metrum/contract/accounting";
import { ApiError, exchange, type Answer } from "#lib/call";
import { transformerChanges, type PointValues } from "./pointForm.ts";

type Saved = Answer<{ readonly accounting_point: AccountingPoint }> | undefined;

/** The point is saved by then: a refusal is shown, and the transformer can be tied again. */
export async function tieTransformers(saved: Saved, values: PointValues, stored: PointValues): Promise<void> {
  if (saved === undefined) return;
  const point = { accounting_point_id: saved.data.accounting_point.id };
  const { valid_from: at } = values;
  for (const { was, is } of transformerChanges(values, stored)) {
    try {
      if (is)
        await exchange(pointTransformers.tie, {
          body: { ...point, transformer_id: Number(is.id), ...(at === null ? {} : { from: at }) },
        });
      else if (was)
        await exchange(pointTransformers.untie, {
          body: { ...point, transformer_id: Number(was.id), ...(at === null ? {} : { to: at }) },
        });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
