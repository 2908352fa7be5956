import { accountingPoints } from "@metrum/contract/accounting";
import { fieldFault, problem } from "@metrum/contract/core";
import type { AccountingPointId, DeviceId, ObjectId } from "@metrum/vocabulary";
import { startOfDay, type Ctx } from "#core";
import {
  createPoints,
  reasonIn,
  refuseDoubtedTie,
  tieDevices,
  updatePoint,
} from "#accounting/accounting-points";
import { admitted, type RowValues } from "#metering/sheets";
import { given, type Row } from "./known.ts";
import type { PartiesOfRow } from "./parties.ts";
import type { Picture } from "./pictureStore.ts";
import { ofEach, ofRow, renamed } from "./stages.ts";

const pointColumns = {
  name: "point_name",
  consumer_id: "consumer",
  supplier_id: "supplier",
  device_id: "deviceID",
};

/** A row, the node at which its point is, and its parties. */
export interface PlacedRow extends Row {
  readonly object: ObjectId;
  readonly parties: PartiesOfRow | undefined;
}

/** Makes and changes the points of rows. Problems: those of the calls. */
export async function pointsFor(
  ctx: Ctx,
  rows: readonly PlacedRow[],
): Promise<(AccountingPointId | undefined)[]> {
  return renamed(pointColumns, async () => {
    const wanted = ofEach(rows, (row) => wantedPoint(ctx, row));
    const bodies = wanted.flatMap((each) => each.made ?? []);
    const ids = bodies.length === 0 ? [] : await createPoints(ctx, bodies);
    const made = new Map<object, AccountingPointId | undefined>(bodies.map((body, at) => [body, ids[at]]));
    for (const { changed } of wanted) if (changed) await updatePoint(ctx, changed);
    return rows.map(({ point }, at) => point ?? made.get(wanted[at]?.made ?? {}));
  });
}

/** The point of a row as it is to be made or changed. Problems: right_missing, wrong_input. */
function wantedPoint(ctx: Ctx, row: PlacedRow) {
  const columns = columnsOf(ctx, row);
  if (!columns) return {};
  if (row.point === undefined)
    return { made: admitted(ctx, accountingPoints.create, { ...columns, parent_id: row.object }) };
  return { changed: admitted(ctx, accountingPoints.update, { ...columns, id: row.point }) };
}

/** Fields of the point that a row names, without its place; undefined if it names none. Problem: wrong_input. */
function columnsOf(ctx: Ctx, { values, parties }: PlacedRow): RowValues | undefined {
  const { point_name: name, resource_type_id, transformation_ratio, city, street, house } = values;
  const terms = given({
    consumer_id: parties?.consumer?.id,
    supplier_id: parties?.supplier?.id,
    transformation_ratio,
    valid_from: momentOf(ctx, values),
  });
  if (name !== undefined) return given({ name, resource_type_id, city, street, house, ...terms });
  if (resource_type_id !== undefined || Object.keys(terms).some((field) => field !== "valid_from"))
    throw problem("wrong_input", { attributes: { point_name: [fieldFault("required")] } });
  return undefined;
}

/** The start of the given day in the zone of the company. */
function momentOf({ session }: Ctx, { valid_from }: RowValues): number | undefined {
  return typeof valid_from === "number" ? startOfDay(session.companyTimeZone, valid_from) : undefined;
}

/** A point and the device that is to measure it. */
export interface MeasuredRow {
  /** Its place among the rows. */
  readonly row: number;
  /** The device was there before the rows, so it may have readings. */
  readonly isKnown: boolean;
  readonly values: RowValues;
  readonly point: AccountingPointId;
  readonly device: DeviceId;
}

/** The devices measure the points, unless they do so already. Problems: those of `tieDevices`. */
export async function tieRows(
  ctx: Ctx,
  rows: readonly MeasuredRow[],
  before: readonly Picture[],
): Promise<void> {
  const present = new Map(
    before.flatMap(({ t, image }) =>
      t === "point_device" && image["to_ts"] === null ? [[image["point_id"], image["device_id"]]] : [],
    ),
  );
  const wanted = rows.filter(({ point, device }) => present.get(point) !== device);
  const ties = ofEach(wanted, (row) => wantedTie(ctx, row));
  await renamed(
    { ...pointColumns, from: "valid_from", opening: "starting_value", accounting_point_id: "point_name" },
    async () => {
      for (const [nth, tied] of (await tieDevices(ctx, ties)).entries()) {
        const { row, isKnown, values } = wanted[nth] ?? { row: nth, isKnown: false, values: {} };
        if (isKnown) await ofRow(row, () => refuseDoubtedTie(ctx, tied, startingValue(values)));
      }
    },
  );
}

/** Problem: wrong_input. */
function wantedTie(ctx: Ctx, { values, point, device }: MeasuredRow) {
  const confirmed = reasonIn(values["confirm_reason"]);
  const { starting_value } = startingValue(values);
  return {
    accounting_point_id: point,
    device_id: device,
    from: momentOf(ctx, values),
    ...(starting_value === undefined ? {} : { starting_value }),
    ...(starting_value === undefined || confirmed === undefined ? {} : { confirmed }),
  };
}

const startingValue = ({ starting_value }: RowValues): { readonly starting_value?: number } =>
  typeof starting_value === "number" ? { starting_value } : {};
