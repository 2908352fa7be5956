import type { Transformer, transformers } from "@metrum/contract/accounting";
import { problem, type ParsedOf } from "@metrum/contract/core";
import type { TransformerId } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import { differing } from "./differing.ts";
import { directoryPage, lockParty, refuseNew, refuseUsed } from "./pages.ts";
import { pointsInHistory } from "./pageStore.ts";
import * as store from "./transformerStore.ts";

const subjectOf = (id: number): string => `transformer ${String(id)}`;

export async function transformerList(ctx: Ctx, body: ParsedOf<typeof transformers.list>["body"]) {
  const { kind: value } = body;
  return directoryPage(ctx, body, {
    kind: "transformer",
    usualSort: "title",
    only: value === undefined ? undefined : { column: "kind", value },
    rowsOf: (ids) => store.transformersOf(ctx.db, ctx.scope, { ids, now: ctx.clock.now() }),
  });
}

/** Problem: not_found. */
export async function openTransformer(ctx: Ctx, given: number): Promise<Transformer> {
  return shown(ctx, await resolveOne(ctx, "transformer", given));
}

async function shown({ db, scope, clock }: Ctx, id: TransformerId): Promise<Transformer> {
  const [row] = await store.transformersOf(db, scope, { ids: [id], now: clock.now() });
  if (!row) throw problem("not_found");
  return row;
}

/** Problems: tied_devices_only, party_limit, wrong_input. */
export async function addTransformer(
  ctx: Ctx,
  { title, kind, primary_value, secondary_value, ...fields }: ParsedOf<typeof transformers.create>["body"],
): Promise<Transformer> {
  await refuseNew(ctx, "transformer");
  refuseOrder(fields);
  const row = {
    title,
    kind,
    primary_value,
    secondary_value,
    ...differing({}, fields).after,
  };
  const id = await store.insertTransformer(ctx.db, ctx.scope, row);
  await record(ctx, { action: "transformer.create", subject: subjectOf(id), after: row });
  return shown(ctx, id);
}

/** Problems: not_found, tied_devices_only, transformer_ratio_in_use, wrong_input. */
export async function changeTransformer(
  ctx: Ctx,
  { id: given, ...fields }: ParsedOf<typeof transformers.update>["body"],
): Promise<Transformer> {
  const id = await lockParty(ctx, "transformer", given);
  const row = await shown(ctx, id);
  const { isNone, before, after } = differing(row, fields);
  if (isNone) return row;
  refuseOrder({ ...row, ...after });
  if ("kind" in after || "primary_value" in after || "secondary_value" in after) await refuseRatio(ctx, id);
  await store.changeTransformer(ctx.db, ctx.scope, id, after);
  await record(ctx, { action: "transformer.update", subject: subjectOf(id), before, after });
  return shown(ctx, id);
}

/** Problems: not_found, tied_devices_only, party_in_use. */
export async function removeTransformer(ctx: Ctx, given: number): Promise<void> {
  const id = await lockParty(ctx, "transformer", given);
  await refuseUsed(ctx, "transformer", [id]);
  const { title, kind, primary_value, secondary_value, number } = await shown(ctx, id);
  await store.deleteTransformer(ctx.db, ctx.scope, id);
  const before = { title, kind, primary_value, secondary_value, number };
  await record(ctx, { action: "transformer.delete", subject: subjectOf(id), before });
}

/** Amounts of the past rest on the ratio: it is never changed under them. */
async function refuseRatio(ctx: Ctx, id: TransformerId): Promise<void> {
  const count = await pointsInHistory(ctx.db, "transformer", [id]);
  if (count > 0) throw problem("transformer_ratio_in_use", { params: { count } });
}

/** Problem: wrong_input, for a verification that ends before it was made. */
function refuseOrder(of: {
  readonly verified_at?: string | null | undefined;
  readonly verified_until?: string | null | undefined;
}): void {
  if (of.verified_at && of.verified_until && of.verified_until < of.verified_at)
    throw problem("wrong_input", { attributes: { verified_until: ["before_start"] } });
}
