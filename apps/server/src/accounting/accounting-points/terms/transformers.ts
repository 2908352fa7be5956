import { problem } from "@metrum/contract/core";
import { resolveOne, type Ctx } from "#core";
import { lockPoint, momentOf, transformerKind } from "../records/index.ts";
import { changeTerm } from "./terms.ts";
import { termsOf } from "./termStore.ts";

interface TieTransformer {
  readonly accounting_point_id: number;
  readonly transformer_id: number;
  readonly from?: number | undefined;
  readonly to?: number | null | undefined;
  readonly reading?: Readonly<Record<string, number>> | undefined;
  readonly note?: string | undefined;
}

/** A transformer stands at a point from a moment on, or for an interval. Problems: not_found, point_moment. */
export async function tieTransformer(ctx: Ctx, given: TieTransformer): Promise<void> {
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  const transformer_id = await resolveOne(ctx, "transformer", given.transformer_id);
  const from = momentOf(ctx, given.from, "from");
  if (typeof given.to === "number") momentOf(ctx, given.to, "to");
  const kind = await transformerKind(ctx.db, transformer_id);
  const { to, reading, note } = given;
  await changeTerm(ctx, pointId, {
    kind: `${kind}_transformer`,
    value: { transformer_id },
    from,
    to,
    reading,
    note,
  });
}

/** The transformer stands at the point no longer. Problems: not_found, point_moment, point_transformer_absent. */
export async function untieTransformer(
  ctx: Ctx,
  given: Pick<TieTransformer, "accounting_point_id" | "transformer_id" | "note"> & {
    readonly to?: number | undefined;
  },
): Promise<void> {
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  const id = await resolveOne(ctx, "transformer", given.transformer_id);
  const from = momentOf(ctx, given.to, "to");
  const standing = (await termsOf(ctx.db, { pointId })).find(
    (term) => term.transformer_id === id && term.from_ts <= from && (term.to_ts ?? Infinity) > from,
  );
  if (!standing)
    throw problem("point_transformer_absent", {
      attributes: { transformer_id: ["point_transformer_absent"] },
    });
  const { kind, to_ts: to } = standing;
  await changeTerm(ctx, pointId, { kind, value: null, from, to, note: given.note });
}
