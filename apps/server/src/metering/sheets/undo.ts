import { allows, fieldFault, problem } from "@metrum/contract/core";
import { sheetRights, type ThingKind } from "@metrum/contract/metering";
import { record, type Ctx } from "#core";
import type { StepsOfRow } from "./composed.ts";
import { lockedImport } from "./imports.ts";
import { kindsOfThings } from "./kinds.ts";
import { stepsOf } from "./listStore.ts";
import { putUndone } from "./store.ts";
import { changedSince, lockThings, putBack, storedThings } from "./thingStore.ts";

/** Things that a refusal lists. */
const mostListed = 100;

/** Problem: sheet_changed_since, with rows of the file whose things were changed or used since, if there are any. */
export function refuseChanged(
  others: readonly { readonly row: number; readonly name: string }[],
  count: number,
): void {
  if (others.length > 0)
    throw problem("sheet_changed_since", {
      params: { count },
      attributes: Object.fromEntries(
        others
          .slice(0, mostListed)
          .map(({ row, name }) => [String(row), [fieldFault("changed_since", { name })]]),
      ),
    });
}

/**
 * Removes what an import has made and puts back what it has changed. Problems: not_found, sheet_state,
 * sheet_changed_since with the rows of the file whose things were changed or used since.
 */
export async function undoImport(ctx: Ctx, given: number): Promise<number> {
  const { db, clock } = ctx;
  const { id, kind, state, file_name, counts } = await lockedImport(ctx, given, "undoes");
  if (state !== "done" && state !== "interrupted") throw problem("sheet_state");
  if (kind === "objects") await undoObjects(ctx, await stepsOf(db, id));
  else await undoThings(ctx, kind, id);
  await putUndone(db, id, clock.now());
  await record(ctx, { action: "sheet.undo", subject: `sheet ${String(id)}`, after: { file_name, counts } });
  return id;
}

/** Problems: right_missing, if it has made or changed devices, sheet_changed_since. */
async function undoObjects(ctx: Ctx, rows: readonly StepsOfRow[]): Promise<void> {
  const hasDevices = rows.some(({ steps }) => steps.some(({ t }) => t === "device"));
  if (hasDevices && !allows(sheetRights.devices.undoes, ctx.scope.access)) throw problem("right_missing");
  await ctx.parts.objectSheets.undo(ctx, rows);
}

/** Problem: sheet_changed_since. */
async function undoThings(ctx: Ctx, kind: ThingKind, id: number): Promise<void> {
  const { db } = ctx;
  const made = await storedThings(db, id, "made");
  const changed = await storedThings(db, id, "changed");
  await lockThings(db, kind, [...made, ...changed]);
  const others = await changedSince(db, kind, id, mostListed);
  refuseChanged(others, others[0]?.count ?? 0);
  if (made.length > 0) await kindsOfThings[kind].discard(ctx, made);
  await putBack(db, kind, id);
  if (changed.length > 0) await kindsOfThings[kind].announce(ctx, changed);
}
