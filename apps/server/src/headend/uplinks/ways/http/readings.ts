import { problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { push } from "@metrum/contract/metering";
import { ProtocolError } from "@metrum/protocols/core";
import { readPush, type PushedItem } from "@metrum/protocols/push";
import { readSenml } from "@metrum/protocols/senml";
import { faultOfMessage, placeOfFault, resolve, type Ctx } from "#core";
import { takeUplink, unknownDevice } from "../../intake.ts";
import type { Content, UplinkOutcome, Uplink } from "../../uplink.ts";
import type { PushReader } from "./networkMessages.ts";
import { numbersOf, visibleNumbers } from "./numberStore.ts";

type Pushed = ReplyOf<typeof push.readings>;

/** Takes one message of a network server. Answers after COMMIT; a malformed message is refused. */
export async function pushMessage(
  ctx: Ctx,
  message: Readonly<Record<string, unknown>>,
  { way, read }: PushReader,
): Promise<Pushed> {
  const received = understood(() => read(message));
  if (!received) return answerOf([]);
  const uplink = {
    ...received,
    companyId: ctx.scope.companyId,
    way,
    topic: `http/${way}`,
    raw: bytesOf(message),
  };
  return answerOf(await takeAll(ctx, [uplink]));
}

/**
 * Takes readings in the platform's own JSON. One foreign or unknown device id refuses the whole push; an
 * unknown identifier does not.
 */
export async function pushReadings(ctx: Ctx, body: ParsedOf<typeof push.readings>["body"]): Promise<Pushed> {
  const items = understood(() => readPush(body));
  const ids = items.flatMap(({ device }) => ("id" in device ? [device.id] : []));
  const numbers = ids.length === 0 ? new Map<number, string>() : await numbersOfPush(ctx, ids);
  const uplinks = items.map((item, at) =>
    uplinkOfItem(ctx, item, { numbers, raw: bytesOf(body.readings[at]) }),
  );
  return answerOf(await takeAll(ctx, uplinks));
}

/** Problem: not_found, if one of the ids is none that the session sees. */
async function numbersOfPush(
  { database, scope }: Ctx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  return database.scoped(scope, async (db) => {
    // Asked at once: what is not of the session is not used.
    const [, numbers] = await Promise.all([resolve({ db, scope }, "device", ids), numbersOf(db, ids)]);
    return numbers;
  });
}

interface Known {
  readonly numbers: ReadonlyMap<number, string>;
  readonly raw: Uint8Array;
}

function uplinkOfItem(ctx: Ctx, { device, at, name, content }: PushedItem, { numbers, raw }: Known): Uplink {
  const named = "id" in device ? { deviceId: device.id } : {};
  return {
    ...named,
    companyId: ctx.scope.companyId,
    networkId: "id" in device ? (numbers.get(device.id) ?? "") : device.number,
    way: "http",
    ...(name === "" ? {} : { deduplicationId: `push:${name}` }),
    at,
    content: content satisfies Content,
    topic: "http/readings",
    raw,
  };
}

/** Takes a SenML pack: one uplink per device and time. */
export async function pushSenml(ctx: Ctx, body: ParsedOf<typeof push.senml>["body"]): Promise<Pushed> {
  const found = understood(() => readSenml(body, ctx.clock.now()));
  const uplinks = found.map(({ device, reading, units, unknown }): Uplink => ({
    companyId: ctx.scope.companyId,
    networkId: device,
    way: "senml",
    at: reading.at,
    content: { kind: "readings", readings: [reading], units, unknown },
    topic: "http/senml",
    raw: bytesOf({ device, ...reading, units }),
  }));
  return answerOf(await takeAll(ctx, uplinks));
}

interface Outcome extends UplinkOutcome {
  readonly device: string;
}

/**
 * A user tied to devices writes only to them: identifiers of other devices count as unknown. No database
 * connection of the call is held while the batches are written.
 */
async function takeAll(ctx: Ctx, uplinks: readonly Uplink[]): Promise<Outcome[]> {
  const hidden = ctx.scope.onlyTiedDevices ? await hiddenOf(ctx, uplinks) : new Set<string>();
  return Promise.all(
    uplinks.map(async (uplink) => {
      const isHidden = hidden.has(uplink.networkId.toLowerCase());
      const outcome = isHidden ? hiddenDevice : await takeUplink(ctx, uplink);
      return { device: uplink.networkId, ...outcome };
    }),
  );
}

const hiddenDevice: UplinkOutcome = { result: "aside", message: unknownDevice };

async function hiddenOf({ database, scope }: Ctx, uplinks: readonly Uplink[]): Promise<Set<string>> {
  const networkIds = [...new Set(uplinks.map(({ networkId }) => networkId.toLowerCase()))];
  const seen = await database.scoped(scope, (db) => visibleNumbers(db, scope, networkIds));
  return new Set(networkIds.filter((number) => !seen.has(number)));
}

function answerOf(outcomes: readonly Outcome[]): Pushed {
  const taken = outcomes.filter(({ result }) => result === "taken" || result === "repeated").length;
  const results = outcomes.map(({ device, result, message }) => ({
    device,
    result,
    ...(message === "" ? {} : { message }),
  }));
  return { taken, results };
}

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Parses a message. Problem: wrong_input with the path of the fault. */
function understood<Meaning>(read: () => Meaning): Meaning {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtocolError)
      throw problem("wrong_input", {
        attributes: { [placeOfFault(error)]: [faultOfMessage(error, "elsewhere")] },
      });
    throw error;
  }
}
