import {
  accountingPoints,
  fieldFault,
  objectBounds,
  objects,
  problem,
  type ObjectAddress,
} from "@metrum/contract";
import type { AccountingPointId, ConsumerId, DeviceId, ObjectId, SupplierId } from "@metrum/vocabulary";
import { lockTree, startOfDay, type Ctx } from "#core";
import { createPoint, tieDevice, updatePoint } from "#accounting/accounting-points";
import { extendPath, nodesOfPath, place, updateNode } from "#accounting/objects";
import {
  admitted,
  kindsOfThings,
  thingsNumbered,
  type ComposedKind,
  type RowValues,
  type Step,
} from "#metering/sheets";
import { consumerOf, supplierOf } from "./parties.ts";
import { picturesOf, pointNamed, type Concerned, type Picture } from "./pictureStore.ts";
import { renamed } from "./stages.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const given = (values: RowValues): RowValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** What exists already of a row. */
interface Known {
  readonly names: readonly string[];
  readonly nodes: readonly ObjectId[];
  readonly device: DeviceId | undefined;
  readonly point: AccountingPointId | undefined;
  readonly before: readonly Picture[];
}

/** Stores a row: its nodes, device, parties and accounting point. What it does is found by comparing pictures. */
export const storeRow: ComposedKind["store"] = async (ctx, values, made) => {
  await lockTree(ctx.db, ctx.scope);
  const known = await knownOf(ctx, values);
  const nodes = await nodesFor(ctx, values, known);
  const object = nodes.at(-1);
  if (object === undefined) throw problem("wrong_input", { attributes: { path: ["required"] } });
  const device = await deviceFor(ctx, values, { known, made });
  if (device !== undefined) await placeDevice(ctx, known, { object, device });
  const parties = await partiesOf(ctx, values);
  const point = await pointFor(ctx, values, { known, object, parties });
  if (point !== undefined && device !== undefined) await tie(ctx, values, { known, point, device });
  const after = await picturesOf(ctx.db, {
    nodes,
    devices: device === undefined ? [] : [device],
    points: point === undefined ? [] : [point],
    consumers: parties.made.consumers,
    suppliers: parties.made.suppliers,
  });
  const steps = stepsBetween(known.before, after);
  const isMade = steps.some(
    ({ t, b }) => b === null && ["object_node", "device", "accounting_point"].includes(t),
  );
  return { outcome: steps.length === 0 ? "same" : isMade ? "made" : "changed", steps };
};

async function knownOf(ctx: Ctx, values: RowValues): Promise<Known> {
  const { db, scope } = ctx;
  const names = textOf(values["path"])
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0 || names.length > objectBounds.depth || names.some((name) => name.length > 255))
    throw problem("wrong_input", {
      attributes: { path: [fieldFault("path_deep", { most: objectBounds.depth })] },
    });
  const nodes = await nodesOfPath(ctx, names);
  const number = textOf(values["deviceID"]).toLowerCase();
  const device = (
    number === "" ? undefined : (await thingsNumbered(db, scope, "devices", [number])).get(number)
  ) as DeviceId | undefined;
  const last = nodes.length === names.length ? nodes.at(-1) : undefined;
  const name = textOf(values["point_name"]);
  const point =
    last === undefined || name === "" ? undefined : await pointNamed(db, scope, { object: last, name });
  const concerned: Concerned = {
    nodes,
    devices: device === undefined ? [] : [device],
    points: point === undefined ? [] : [point],
    consumers: [],
    suppliers: [],
  };
  return { names, nodes, device, point, before: await picturesOf(db, concerned) };
}

/** Problems: right_missing, wrong_input, object_limit, object_depth. */
async function nodesFor(
  ctx: Ctx,
  values: RowValues,
  { names, nodes, before }: Known,
): Promise<readonly ObjectId[]> {
  const fields = { "address.unrestricted_value": "address", "address.coordinates": "latitude", name: "path" };
  const columns = { "address.coordinates.0": "latitude", "address.coordinates.1": "longitude" };
  return renamed({ ...fields, ...columns }, async () => {
    const type = textOf(values["type"]) || undefined;
    const address = addressOf(values);
    const [, last] = [names.length, nodes.length === names.length ? nodes.at(-1) : undefined];
    if (last === undefined) {
      const body = admitted(
        ctx,
        objects.add,
        given({ name: names.at(-1), type, address: address ?? undefined }),
      );
      return extendPath(ctx, { names, found: nodes, type: body.type, address: body.address ?? null });
    }
    const image = before.find(({ t, i }) => t === "object_node" && i === last)?.image;
    const former = image?.["address"] as ObjectAddress | null | undefined;
    if (type !== undefined || address !== null) {
      const merged = address && { ...former, ...address };
      await updateNode(
        ctx,
        admitted(ctx, objects.update, given({ _id: last, type, address: merged ?? undefined })),
      );
    }
    return nodes;
  });
}

/** Null without any part; coordinates are complete or refused. */
function addressOf(values: RowValues): ObjectAddress | null {
  const { latitude, longitude, address: unrestricted_value, city, street, house } = values;
  if ((latitude === undefined) !== (longitude === undefined))
    throw problem("wrong_input", {
      attributes: { [latitude === undefined ? "latitude" : "longitude"]: [fieldFault("required")] },
    });
  const parts = given({
    unrestricted_value,
    city,
    street,
    house,
    coordinates: latitude === undefined ? undefined : [latitude, longitude],
  });
  return Object.keys(parts).length === 0 ? null : parts;
}

/** Problems: those of the calls that make or change a device. */
async function deviceFor(
  ctx: Ctx,
  values: RowValues,
  { known, made }: { readonly known: Known; readonly made: number },
): Promise<DeviceId | undefined> {
  const { deviceID, device_name, model_id, interface_id, gatewayID, inside_addr, timezone_name } = values;
  const own = given({ name: device_name, model_id, interface_id, gatewayID, inside_addr, timezone_name });
  if (deviceID === undefined) {
    if (Object.keys(own).length > 0)
      throw problem("wrong_input", { attributes: { deviceID: [fieldFault("required")] } });
    return undefined;
  }
  return renamed({ name: "device_name" }, async () => {
    if (known.device !== undefined) {
      if (Object.keys(own).length > 0) await kindsOfThings.devices.change(ctx, known.device, own);
      return known.device;
    }
    const place = textOf(values["address"]) || known.names.join(", ").slice(0, 255);
    const body = { name: known.names.at(-1), place, ...own, deviceID };
    return (await kindsOfThings.devices.make(ctx, body, made)) as DeviceId;
  });
}

async function placeDevice(
  ctx: Ctx,
  { before }: Known,
  { object, device }: { readonly object: ObjectId; readonly device: DeviceId },
): Promise<void> {
  const item = before.find(({ t, image }) => t === "object_item" && image["device_id"] === device);
  if (item?.image["object_id"] !== object) await place(ctx, "device", { object_id: object, ids: [device] });
}

interface Parties {
  readonly consumer: ConsumerId | undefined;
  readonly supplier: SupplierId | undefined;
  readonly made: { readonly consumers: readonly ConsumerId[]; readonly suppliers: readonly SupplierId[] };
}

async function partiesOf(ctx: Ctx, values: RowValues): Promise<Parties> {
  const named = (table: "consumer" | "supplier") => ({
    name: textOf(values[table]),
    inn: textOf(values[`${table}_inn`]),
    contract: textOf(values["number_of_contract"]),
    isMade: values["create_parties"] === true,
  });
  const isNamed = (table: "consumer" | "supplier") => named(table).name !== "" || named(table).inn !== "";
  const consumer = isNamed("consumer") ? await consumerOf(ctx, named("consumer")) : undefined;
  const supplier = isNamed("supplier") ? await supplierOf(ctx, named("supplier")) : undefined;
  return {
    consumer: consumer?.id,
    supplier: supplier?.id,
    made: {
      consumers: consumer?.isNew ? [consumer.id] : [],
      suppliers: supplier?.isNew ? [supplier.id] : [],
    },
  };
}

const pointColumns = {
  name: "point_name",
  consumer_id: "consumer",
  supplier_id: "supplier",
  device_id: "deviceID",
};

/** Problems: those of the calls that make or change a point. */
async function pointFor(
  ctx: Ctx,
  values: RowValues,
  { known, object, parties }: { readonly known: Known; readonly object: ObjectId; readonly parties: Parties },
): Promise<AccountingPointId | undefined> {
  const { point_name: name, resource_type_id, transformation_ratio, city, street, house } = values;
  const terms = given({
    consumer_id: parties.consumer,
    supplier_id: parties.supplier,
    transformation_ratio,
    valid_from: momentOf(ctx, values),
  });
  if (name === undefined) {
    if (resource_type_id !== undefined || Object.keys(terms).some((field) => field !== "valid_from"))
      throw problem("wrong_input", { attributes: { point_name: [fieldFault("required")] } });
    return undefined;
  }
  return renamed(pointColumns, async () => {
    const columns = given({ name, resource_type_id, city, street, house, ...terms });
    if (known.point === undefined)
      return createPoint(ctx, admitted(ctx, accountingPoints.create, { ...columns, parent_id: object }));
    return updatePoint(ctx, admitted(ctx, accountingPoints.update, { ...columns, id: known.point }));
  });
}

/** The start of the given day in the zone of the company. */
function momentOf({ session }: Ctx, { valid_from }: RowValues): number | undefined {
  return typeof valid_from === "number" ? startOfDay(session.companyTimeZone, valid_from) : undefined;
}

/** The device measures the point, unless it does so already. Problems: those of `tieDevice`. */
async function tie(
  ctx: Ctx,
  values: RowValues,
  {
    known,
    point,
    device,
  }: { readonly known: Known; readonly point: AccountingPointId; readonly device: DeviceId },
): Promise<void> {
  const present = known.before.find(({ t, image }) => t === "point_device" && image["to_ts"] === null);
  if (present?.image["device_id"] === device) return;
  const from = momentOf(ctx, values);
  const starting = values["starting_value"];
  await renamed(
    { ...pointColumns, from: "valid_from", opening: "starting_value", accounting_point_id: "point_name" },
    () =>
      tieDevice(ctx, {
        accounting_point_id: point,
        device_id: device,
        from,
        ...(typeof starting === "number" ? { starting_value: starting } : {}),
      }),
  );
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
