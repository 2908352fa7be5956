import { allows, problem, type Call, type ParsedOf } from "@metrum/contract/core";
import {
  baseStations,
  deviceRecord,
  gateways,
  type NewDeviceInput,
  type ThingKind,
} from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { checked, type Ctx } from "#core";
import { refuseNewDevices } from "#access/licence";
import { createStation, discardStations, editStation, returnStations } from "#metering/base-stations";
import { changeDevice, createDevices, discardDevices, returnDevices } from "#metering/devices";
import { createGateway, discardGateways, editGateway, returnGateways } from "#metering/gateways";

/** Values of a row by the fields of its call. */
export type RowValues = Readonly<Record<string, unknown>>;

/** How things of a kind are made, changed and taken back: by the functions that their own calls use. */
export interface KindOfThing {
  /** Makes a thing after `before` others that no transaction has committed yet; returns its id. */
  readonly make: (ctx: Ctx, values: RowValues, before: number) => Promise<number>;
  readonly change: (ctx: Ctx, id: number, values: RowValues) => Promise<unknown>;
  /** Removes things for good. */
  readonly discard: (ctx: Ctx, ids: readonly number[]) => Promise<void>;
  /** Of things whose columns have just been put back. */
  readonly announce: (ctx: Ctx, ids: readonly number[]) => Promise<void>;
}

type Body<C extends Call> = ParsedOf<C>["body"];

/** Right and input of a call, as for a request. Problems: right_missing, wrong_input. */
export function admitted<C extends Call>(ctx: Ctx, call: C, values: RowValues): Body<C> {
  if (!allows(call.right, ctx.scope.access)) throw problem("right_missing");
  return checked(call, values);
}

/** Makes devices, all or none, after `before` others that no transaction has committed yet. Ids in the order given. */
export async function makeDevices(
  ctx: Ctx,
  bodies: readonly NewDeviceInput[],
  before: number,
): Promise<readonly DeviceId[]> {
  await refuseNewDevices(ctx, before + bodies.length);
  return createDevices(ctx, bodies);
}

export const kindsOfThings: Readonly<Record<ThingKind, KindOfThing>> = {
  devices: {
    async make(ctx, values, before) {
      const body = admitted(ctx, deviceRecord.create, values);
      const [id] = await makeDevices(ctx, [body], before);
      if (id === undefined) throw new Error("a device was added without an id");
      return id;
    },
    change: (ctx, id, values) => changeDevice(ctx, admitted(ctx, deviceRecord.edit, { ...values, id })),
    discard: discardDevices,
    announce: returnDevices,
  },
  gateways: {
    make: async (ctx, values) => (await createGateway(ctx, admitted(ctx, gateways.create, values))).id,
    change: (ctx, id, values) => editGateway(ctx, admitted(ctx, gateways.edit, { ...values, id })),
    discard: discardGateways,
    announce: returnGateways,
  },
  base_stations: {
    make: async (ctx, values) => (await createStation(ctx, admitted(ctx, baseStations.create, values))).id,
    change: (ctx, id, values) => editStation(ctx, admitted(ctx, baseStations.edit, { ...values, id })),
    discard: discardStations,
    announce: returnStations,
  },
};
