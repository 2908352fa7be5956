import type { AccountingPointId, ObjectId } from "@metrum/vocabulary";
import { lockTree, type Ctx } from "#core";
import { removePoints } from "#accounting/accounting-points";
import { dropNodes } from "#accounting/objects";
import { removeConsumers, removeSuppliers } from "#accounting/parties";
import {
  deleteRows,
  insertRowsAgain,
  kindsOfThings,
  putBackRows,
  refuseChanged,
  usedDevices,
  type ComposedKind,
  type Step,
  type StepsOfRow,
} from "#metering/sheets";
import { refuseBilledRows } from "./billedRows.ts";
import { hashesOf, pictureTables, usedSince, type PictureTable } from "./pictureStore.ts";

/** What an import has done with one row of a table, by all rows of the file together. */
export interface Touched extends Step {
  readonly t: PictureTable;
  /** The last row of the file that changed it. */
  readonly row: number;
  readonly name: string;
}

/**
 * Takes an import back, or refuses with the rows whose things were changed or used since, or are billed. What hangs on others goes
 * before them, and what was moved is back before its places go.
 */
export const undoRows: ComposedKind["undo"] = async (ctx, rows) => {
  await lockTree(ctx.db, ctx.scope);
  const touched = touchedBy(rows);
  await refuseOthers(ctx, touched);
  await refuseBilledRows(ctx, touched);
  const made = madeBy(touched);
  await removePoints(ctx, made.accounting_point as readonly AccountingPointId[]);
  for (const table of ["point_event", "point_device", "point_term", "object_item"] as const)
    await deleteRows(ctx.db, ctx.scope, { table, ids: made[table] });
  for (const table of pictureTables) {
    const former = touched.filter(({ t, b }) => t === table && b !== null);
    const imagesOf = (isGone: boolean) =>
      former.filter(({ h }) => (h === null) === isGone).flatMap(({ b }) => (b ? [b] : []));
    await putBackRows(ctx.db, ctx.scope, { table, images: imagesOf(false) });
    await insertRowsAgain(ctx.db, { table, images: imagesOf(true) });
  }
  const devices = touched.filter(({ t, b }) => t === "device" && b !== null).map(({ i }) => i);
  if (devices.length > 0) await kindsOfThings.devices.announce(ctx, devices);
  if (made.device.length > 0) await kindsOfThings.devices.discard(ctx, made.device);
  await removeConsumers(ctx, made.consumer);
  await removeSuppliers(ctx, made.supplier);
  await dropNodes(ctx, made.object_node as readonly ObjectId[]);
};

function touchedBy(rows: readonly StepsOfRow[]): Touched[] {
  const all = new Map<string, Touched>();
  for (const { row, name, steps } of rows)
    for (const step of steps) {
      const t = pictureTables.find((table) => table === step.t);
      if (t === undefined) continue;
      const key = `${t} ${String(step.i)}`;
      const first = all.get(key);
      all.set(key, { ...step, t, row, name, b: first ? first.b : step.b });
    }
  // What came and went within the file is nowhere.
  return [...all.values()].filter(({ b, h }) => b !== null || h !== null);
}

/** Problem: sheet_changed_since. */
async function refuseOthers({ db, scope }: Ctx, touched: readonly Touched[]): Promise<void> {
  const others = new Set<Touched>();
  for (const table of pictureTables) {
    const mine = touched.filter(({ t }) => t === table);
    const now = await hashesOf(
      db,
      scope,
      table,
      mine.map(({ i }) => i),
    );
    for (const each of mine) if ((now.get(each.i) ?? null) !== each.h) others.add(each);
  }
  const used = await usedSince(db, madeBy(touched), idsOf(touched));
  const devices = await usedDevices(db, madeBy(touched).device);
  for (const { t, i } of [...used, ...devices.map((id) => ({ t: "device" as const, i: id }))]) {
    const found = touched.find((each) => each.t === t && each.i === i);
    if (found) others.add(found);
  }
  const rows = new Map([...others].map(({ row, name }) => [row, { row, name }]));
  refuseChanged(
    [...rows.values()].toSorted((a, b) => a.row - b.row),
    rows.size,
  );
}

type Ids = Readonly<Record<PictureTable, readonly number[]>>;

function idsOf(touched: readonly Touched[]): Ids {
  const found = Object.fromEntries(pictureTables.map((table) => [table, []])) as unknown as Record<
    PictureTable,
    number[]
  >;
  for (const { t, i } of touched) found[t].push(i);
  return found;
}

const madeBy = (touched: readonly Touched[]): Ids => idsOf(touched.filter(({ b }) => b === null));
