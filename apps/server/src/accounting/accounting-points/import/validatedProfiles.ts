import { validatedProfileBounds, type pointData } from "@metrum/contract/accounting";
import { problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { isFieldName, type AccountingPointId } from "@metrum/vocabulary";
import { product, resolve, type Ctx } from "#core";
import {
  lossOf,
  piecesOfPoint,
  ratioOf,
  rowsFor,
  sourceName,
  statusName,
  trustedValues,
  within,
  type LossStep,
  type Piece,
  type SeriesRow,
} from "#metering/messages";
import { findPoints } from "../records/index.ts";

type Body = ParsedOf<typeof pointData.validatedPowerProfile>["body"];
type Row = ReplyOf<typeof pointData.validatedPowerProfile>[number];

const profileType = 5;
const daySec = 86_400;
/** Its rows cover half an hour from their time on. */
const halfHourSec = 1800;

const powers = ["power_a_plus", "power_a_minus", "power_r_plus", "power_r_minus"] as const;

/**
 * Power profiles of points from trusted values alone, with the ratio valid at each time. Problems: not_found,
 * too_large for more than a year or more rows than one answer holds.
 */
export async function validatedProfiles(ctx: Ctx, body: Body): Promise<Row[]> {
  const { startDate, stopDate } = body;
  if (stopDate - startDate > validatedProfileBounds.days * daySec) throw problem("too_large");
  const rows: Row[] = [];
  for (const id of await chosen(ctx, body.accounting_point_ids)) {
    const { pieces, losses } = await piecesOfPoint(ctx, id);
    for (const piece of pieces) {
      const span = within(piece, body);
      if (!span) continue;
      const wanted = { msgType: profileType, profile_type: body.profile_type, ...span };
      const read = await rowsFor(ctx, piece.device, { ...wanted, limit: validatedProfileBounds.rows });
      rows.push(...shownRows(read.rows, { id, piece, losses, withLoss: body.with_loss_factor ?? false }));
      if (read.truncated || rows.length > validatedProfileBounds.rows) throw problem("too_large");
    }
  }
  return rows;
}

/** The points that are named, else the first of the company by name. Problem: not_found. */
async function chosen(ctx: Ctx, given: readonly number[] | undefined): Promise<AccountingPointId[]> {
  if (given !== undefined) return [...new Set(await resolve(ctx, "accountingPoint", given))];
  const { ids } = await findPoints(ctx, ctx.scope, {
    filter: { resource_type_id: 3 },
    sort_field: "name",
    sort: "asc",
    limit: validatedProfileBounds.points,
    offset: 0,
    now: ctx.clock.now(),
  });
  return ids;
}

interface Of {
  readonly id: AccountingPointId;
  readonly piece: Piece;
  readonly losses: readonly LossStep[];
  readonly withLoss: boolean;
}

function shownRows(rows: readonly SeriesRow[], { id, piece, losses, withLoss }: Of): Row[] {
  const [ratioOver, lossOver] = [ratioOf(piece)("both"), lossOf(losses)];
  return rows.flatMap((row) => {
    const known = trustedValues(row);
    const span = { from: row.ts, to: row.ts + halfHourSec };
    const ratio = ratioOver ? ratioOver(span) : 1;
    if (ratio === null) return [];
    const loss = lossOver?.(span) ?? null;
    const lossFactor = withLoss ? 1 + (loss ?? 0) : 1;
    const values = powers.map((name) => {
      const value = isFieldName(name) ? (known[row.set.fields.indexOf(name)] ?? null) : null;
      return [name, value === null ? null : product(value, ratio, lossFactor)] as const;
    });
    if (values.every(([, value]) => value === null)) return [];
    return [
      {
        accounting_point_id: id,
        device_id: piece.device.id,
        datetime: row.ts,
        ...(Object.fromEntries(values) as Pick<Row, (typeof powers)[number]>),
        ratio,
        loss_factor: loss,
        status: statusName(row.status),
        source: sourceName(row.source),
      },
    ];
  });
}
