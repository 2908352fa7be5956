import { allows, fieldFault, problem } from "@metrum/contract/core";
import { deviceRecord, type NewDeviceInput } from "@metrum/contract/metering";
import type { AccountingPointId, ConsumerId, DeviceId, ObjectId, SupplierId } from "@metrum/vocabulary";
import { lockTree, type Ctx } from "#core";
import { placeMany } from "#accounting/objects";
import {
  admitted,
  kindsOfThings,
  makeDevices,
  type ComposedKind,
  type RowValues,
  type Step,
  type StoredSteps,
} from "#metering/sheets";
import { given, knownOf, textOf, type Known, type Row } from "./known.ts";
import { nodesFor } from "./nodes.ts";
import { partiesFor } from "./parties.ts";
import { picturesOf, type Picture } from "./pictureStore.ts";
import { pointsFor, tieRows, type MeasuredRow } from "./points.ts";
import { ofEach, renamed } from "./stages.ts";

/**
 * Stores rows: their nodes, devices, parties and accounting points, each in a few statements for all rows. What a row
 * has done is found by comparing pictures.
 */
export const storeRows: ComposedKind["store"] = async (ctx, all, made) => {
  await lockTree(ctx.db, ctx.scope);
  const known = await knownOf(ctx, all);
  if (known.isRepeated) return undefined;
  const nodes = await nodesFor(ctx, known);
  if (!nodes) return undefined;
  const devices = await devicesFor(ctx, known.rows, made);
  const objects = nodes.map(({ object }) => object);
  await placeDevices(ctx, known, { objects, devices });
  const parties = await partiesFor(ctx, all);
  if (!parties) return undefined;
  const placed = known.rows.flatMap((row, at) => {
    const object = objects[at];
    return object === undefined ? [] : [{ ...row, object, parties: parties[at] }];
  });
  const points = await pointsFor(ctx, placed);
  await tieRows(
    ctx,
    known.rows.flatMap(({ values, device: known }, row): MeasuredRow[] => {
      const [point, device] = [points[row], devices[row]];
      const isKnown = known !== undefined;
      return point === undefined || device === undefined ? [] : [{ row, isKnown, values, point, device }];
    }),
    known.before,
  );
  return outcomesOf(
    ctx,
    known.before,
    known.rows.map((_, at) => {
      const { consumer, supplier } = parties[at] ?? {};
      return {
        nodes: nodes[at]?.touched ?? [],
        device: devices[at],
        point: points[at],
        consumer: consumer?.isNew ? consumer.id : undefined,
        supplier: supplier?.isNew ? supplier.id : undefined,
      };
    }),
  );
};

/** Makes and changes the devices of rows. Problems: those of the calls that make or change a device. */
async function devicesFor(ctx: Ctx, rows: readonly Row[], made: number): Promise<(DeviceId | undefined)[]> {
  return renamed({ name: "device_name" }, async () => {
    const named = ofEach(rows, (row) => wantedDevice(ctx, row));
    const missing = named.flatMap(({ body }, at) => (body ? [{ body, at }] : []));
    // All rows before the last new device may have made something.
    const others = (missing.at(-1)?.at ?? -1) + 1 - missing.length;
    const bodies = missing.map(({ body }) => body);
    const ids = bodies.length === 0 ? [] : await makeDevices(ctx, bodies, made + others);
    const added = new Map(missing.map(({ at }, nth) => [at, ids[nth]]));
    for (const [at, { device }] of rows.entries()) {
      const changed = named[at]?.changed;
      if (device !== undefined && changed) await kindsOfThings.devices.change(ctx, device, changed);
    }
    return rows.map(({ device }, at) => device ?? added.get(at));
  });
}

/** Some right on devices; which one is needed depends on the row. */
const namesDevices = "4:read|4:create|4:update|4:access_all";

/** The device of a row as it is to be made, or what is to be changed of it. Problems: right_missing, wrong_input. */
function wantedDevice(
  ctx: Ctx,
  { values, device, path: { names } }: Row,
): { readonly body?: NewDeviceInput; readonly changed?: RowValues } {
  const { deviceID, device_name, model_id, interface_id, gatewayID, inside_addr, timezone_name } = values;
  const own = given({ name: device_name, model_id, interface_id, gatewayID, inside_addr, timezone_name });
  const [named] = Object.keys(given({ deviceID, ...own }));
  const isNamed = Object.keys(own).length > 0;
  if (named !== undefined && !allows(namesDevices, ctx.scope.access))
    throw problem("wrong_input", { attributes: { [named]: [fieldFault("no_device_rights")] } });
  if (deviceID === undefined && isNamed)
    throw problem("wrong_input", { attributes: { deviceID: [fieldFault("required")] } });
  if (deviceID === undefined) return {};
  if (device !== undefined) return isNamed ? { changed: own } : {};
  const place = textOf(values["address"]) || names.join(", ").slice(0, 255);
  const body = { name: names.at(-1), place, ...own, deviceID };
  return { body: admitted(ctx, deviceRecord.create, body) };
}

/** Places the devices of rows at their nodes, unless they stand there. */
async function placeDevices(
  ctx: Ctx,
  { before }: Known,
  {
    objects,
    devices,
  }: { readonly objects: readonly ObjectId[]; readonly devices: readonly (DeviceId | undefined)[] },
): Promise<void> {
  const standing = new Map(
    before.flatMap(({ t, image }) => (t === "object_item" ? [[image["device_id"], image["object_id"]]] : [])),
  );
  const placed = devices.flatMap((device, at) => {
    const object = objects[at];
    return device === undefined || object === undefined || standing.get(device) === object
      ? []
      : [{ device, object }];
  });
  if (placed.length === 0) return;
  await placeMany(ctx, {
    object_ids: placed.map(({ object }) => object),
    device_ids: placed.map(({ device }) => device),
  });
}

/** The things that a row has made or may have changed. */
interface Concern {
  readonly nodes: readonly ObjectId[];
  readonly device: DeviceId | undefined;
  readonly point: AccountingPointId | undefined;
  readonly consumer: ConsumerId | undefined;
  readonly supplier: SupplierId | undefined;
}

/** What rows have done, by the differences of the pictures; a thing is of one row at most. */
async function outcomesOf(
  ctx: Ctx,
  before: readonly Picture[],
  concerns: readonly Concern[],
): Promise<StoredSteps[]> {
  const owners = new Map<string, number>();
  for (const [at, { nodes, device, point, consumer, supplier }] of concerns.entries()) {
    const own = { device, accounting_point: point, consumer, supplier };
    for (const id of nodes) owners.set(`object_node ${String(id)}`, at);
    for (const [t, id] of Object.entries(own)) if (id !== undefined) owners.set(`${t} ${String(id)}`, at);
  }
  const present = <Id>(ids: readonly (Id | undefined)[]): Id[] => ids.filter((id) => id !== undefined);
  const after = await picturesOf(ctx.db, {
    nodes: concerns.flatMap(({ nodes }) => nodes),
    devices: present(concerns.map(({ device }) => device)),
    points: present(concerns.map(({ point }) => point)),
    consumers: present(concerns.map(({ consumer }) => consumer)),
    suppliers: present(concerns.map(({ supplier }) => supplier)),
  });
  const [former, now] = [before, after].map((pictures) => {
    const byRow = concerns.map((): Picture[] => []);
    for (const picture of pictures) byRow[owners.get(ownerOf(picture)) ?? -1]?.push(picture);
    return byRow;
  });
  return concerns.map((_, at) => {
    const steps = stepsBetween(former?.[at] ?? [], now?.[at] ?? []);
    const isMade = steps.some(
      ({ t, b }) => b === null && ["object_node", "device", "accounting_point"].includes(t),
    );
    return { outcome: steps.length === 0 ? "same" : isMade ? "made" : "changed", steps };
  });
}

/** The thing that a row of a table belongs to. */
function ownerOf({ t, i, image }: Picture): string {
  if (t === "object_item") return `device ${String(image["device_id"])}`;
  return t.startsWith("point_") ? `accounting_point ${String(image["point_id"])}` : `${t} ${String(i)}`;
}

function stepsBetween(before: readonly Picture[], after: readonly Picture[]): Step[] {
  const keyOf = ({ t, i }: Picture) => `${t} ${String(i)}`;
  const [former, present] = [
    new Map(before.map((each) => [keyOf(each), each])),
    new Map(after.map((each) => [keyOf(each), each])),
  ];
  return [
    ...after.flatMap((picture): Step[] => {
      const { t, i, h } = picture;
      const was = former.get(keyOf(picture));
      return was?.h === h ? [] : [{ t, i, b: was?.image ?? null, h }];
    }),
    ...before
      .filter((picture) => !present.has(keyOf(picture)))
      .map(({ t, i, image }): Step => ({ t, i, b: image, h: null })),
  ];
}
