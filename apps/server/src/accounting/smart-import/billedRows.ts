import { contentText } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { refuseBilledChanges } from "#accounting/accounting-points";
import { changedSpans, type Held } from "./changedSpans.ts";
import { imagesOf, type Picture } from "./pictureStore.ts";
import type { Touched } from "./undo.ts";

type Image = Picture["image"];

/** Intervals of one point that exclude each other: of its devices, or of its terms of one kind. */
interface Lane {
  readonly pointId: AccountingPointId;
  /** The last row of the file that changed one of them. */
  row: number;
  readonly before: Held[];
  readonly after: Held[];
}

/**
 * Refuses to take back terms and ties of points that are billed: the import may be older than the closing. Of points
 * that the import has made, only what was measured counts, as in their removal. Problem: period_closed, with the row of
 * the file.
 */
export async function refuseBilledRows(ctx: Ctx, touched: readonly Touched[]): Promise<void> {
  const made = new Set(
    touched.filter(({ t, b }) => t === "accounting_point" && b === null).map(({ i }) => i),
  );
  const lanes = new Map<string, Lane>();
  const laneOf = (table: Interval, image: Image, row: number): Lane | undefined => {
    const pointId = Number(image["point_id"]) as AccountingPointId;
    if (table === "point_term" && made.has(pointId)) return undefined;
    const key = `${table} ${String(pointId)} ${String(image["kind"])}`;
    const lane = lanes.get(key) ?? { pointId, row, before: [], after: [] };
    lanes.set(key, lane);
    lane.row = Math.max(lane.row, row);
    return lane;
  };
  for (const table of ["point_device", "point_term"] as const) {
    const mine = touched.filter(({ t }) => t === table);
    const rowOf = new Map(mine.map(({ i, row }) => [i, row]));
    for (const { b, row } of mine) if (b) laneOf(table, b, row)?.before.push(held(table, b));
    for (const image of await imagesOf(ctx.db, ctx.scope, table, [...rowOf.keys()]))
      laneOf(table, image, rowOf.get(Number(image["id"])) ?? 0)?.after.push(held(table, image));
  }
  const changes = [...lanes.values()].flatMap(({ pointId, row, before, after }) =>
    changedSpans(before, after).map((span) => ({ ...span, pointId, field: String(row) })),
  );
  await refuseBilledChanges(ctx, changes);
}

type Interval = "point_device" | "point_term";

/** Columns that say what held. */
const values = {
  point_device: ["device_id", "field"],
  point_term: ["number", "voltage_level_id", "consumer_id", "supplier_id", "transformer_id", "standard"],
} as const;

/** Columns with the readings at the ends. */
const readings = {
  point_device: { opening: "opening", closing: "closing" },
  point_term: { opening: "reading", closing: undefined },
} as const;

function held(table: Interval, image: Image): Held {
  const { opening, closing } = readings[table];
  const to = image["to_ts"];
  return {
    from: Number(image["from_ts"]),
    to: typeof to === "number" ? to : null,
    value: contentText(values[table].map((name) => image[name] ?? null)),
    opening: contentText(image[opening]),
    closing: closing === undefined ? "{}" : contentText(image[closing]),
  };
}
