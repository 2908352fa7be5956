import { isDeepStrictEqual } from "node:util";
import { objects, type ObjectAddress } from "@metrum/contract/accounting";
import { fieldFault, problem } from "@metrum/contract/core";
import type { ObjectId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { extendPaths, updateNode, type ExtendedPath, type NewPath } from "#accounting/objects";
import { admitted, type RowValues } from "#metering/sheets";
import { given, textOf, type Known, type Row } from "./known.ts";
import type { Picture } from "./pictureStore.ts";
import { ofEach, renamed } from "./stages.ts";

const columns = {
  "address.unrestricted_value": "address",
  "address.coordinates": "latitude",
  "address.coordinates.0": "latitude",
  "address.coordinates.1": "longitude",
  name: "path",
};

/** The node of a row, and those that the row has made or changed. */
export interface NodesOfRow {
  readonly object: ObjectId;
  readonly touched: readonly ObjectId[];
}

/**
 * Makes and changes the nodes of rows. Undefined: a row changes a node that another has just made or changed. Problems:
 * right_missing, wrong_input, object_limit.
 */
export async function nodesFor(ctx: Ctx, { rows, before }: Known): Promise<NodesOfRow[] | undefined> {
  return renamed(columns, async () => {
    const paths = ofEach(rows, (row) => newPath(ctx, row));
    const extended = await extendPaths(ctx, paths);
    const nodes = new Map<ObjectId, Stated>(
      before.flatMap(({ t, i, image }) => (t === "object_node" ? [[i as ObjectId, statedIn(image)]] : [])),
    );
    for (const [at, each] of extended.entries()) noteMade(nodes, paths[at], each);
    const touched: NodesOfRow[] = [];
    for (const [at, { values }] of rows.entries()) {
      const { nodes: way = [], made = [] } = extended[at] ?? {};
      const object = way.at(-1);
      if (object === undefined) throw problem("wrong_input", { attributes: { path: ["required"] } });
      const stated = made.includes(object) ? undefined : nodes.get(object);
      const change = stated && changeOf(ctx, values, { object, stated });
      if (change === "early") return undefined;
      if (change) {
        await updateNode(ctx, change);
        nodes.set(object, { ...statedIn({}), isFresh: true });
      }
      touched.push({ object, touched: change ? [...made, object] : made });
    }
    return touched;
  });
}

/** What is stated of a node. */
interface Stated {
  readonly type: string;
  readonly address: ObjectAddress | null;
  /** A row of these has changed it: what it says now is not here. */
  readonly isFresh: boolean;
  /** A row of these has made it. */
  readonly isMade: boolean;
}

const statedIn = ({ type, address }: Picture["image"]): Stated => ({
  type: textOf(type),
  address: address ?? null,
  isFresh: false,
  isMade: false,
});

/** Only the last node of a path has what its row states. */
function noteMade(
  nodes: Map<ObjectId, Stated>,
  path: NewPath | undefined,
  { nodes: way, made }: ExtendedPath,
): void {
  for (const id of made) {
    const stated = id === way.at(-1) ? { type: path?.type ?? "", address: path?.address ?? null } : {};
    nodes.set(id, { ...statedIn({}), ...stated, isMade: true });
  }
}

/** The path of a row; what it states is that of its last node, if that is to be made. Problems: right_missing, wrong_input. */
function newPath(ctx: Ctx, { values, path }: Row): NewPath {
  const address = addressOf(values);
  if (path.found.length === path.names.length) return { ...path, type: undefined, address: null };
  const type = textOf(values["type"]) || undefined;
  const name = path.names.at(-1);
  const body = admitted(ctx, objects.add, given({ name, type, address: address ?? undefined }));
  return { ...path, type: body.type, address: body.address ?? null };
}

/**
 * What a row changes of a node that exists: nothing, or too early to be known, because another row of these has made or
 * changed the node. Problems: right_missing, wrong_input.
 */
function changeOf(
  ctx: Ctx,
  values: RowValues,
  { object, stated }: { readonly object: ObjectId; readonly stated: Stated },
) {
  const type = textOf(values["type"]) || undefined;
  const address = addressOf(values);
  if (type === undefined && address === null) return undefined;
  if (stated.isFresh) return "early";
  const merged = address && { ...stated.address, ...address };
  const body = admitted(ctx, objects.update, given({ _id: object, type, address: merged ?? undefined }));
  const isKept =
    (body.type === undefined || body.type === stated.type) &&
    (body.address === undefined || isDeepStrictEqual(body.address, stated.address));
  if (isKept) return undefined;
  return stated.isMade ? "early" : body;
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
