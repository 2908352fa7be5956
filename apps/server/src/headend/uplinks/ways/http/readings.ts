import { problem, type ParsedOf, type push, type ReplyOf } from "@metrum/contract";
import { ProtocolError, readPush, readSenml, type PushedItem } from "@metrum/protocols";
import { resolve, type Ctx } from "#core";
import { deliver, unknownDevice } from "../../intake.ts";
import type { Content, Delivered, Delivery } from "../../delivery.ts";
import type { PushReader } from "./networkMessages.ts";
import { numbersOf, visibleNumbers } from "./numberStore.ts";

type Pushed = ReplyOf<typeof push.readings>;

/** Takes one message of a network server. Answers after COMMIT; a message that cannot be used is refused. */
export async function pushMessage(
  ctx: Ctx,
  message: Readonly<Record<string, unknown>>,
  { way, read }: PushReader,
): Promise<Pushed> {
  const told = understood(() => read(message));
  if (!told) return answerOf([]);
  const delivery = {
    ...told,
    companyId: ctx.scope.companyId,
    way,
    topic: `http/${way}`,
    raw: bytesOf(message),
  };
  return answerOf(await deliverAll(ctx, [delivery]));
}

/** Takes our own JSON. One device that is foreign or unknown by its id refuses the whole push; an unknown number does not. */
export async function pushReadings(ctx: Ctx, body: ParsedOf<typeof push.readings>["body"]): Promise<Pushed> {
  const items = understood(() => readPush(body));
  const ids = items.flatMap(({ device }) => ("id" in device ? [device.id] : []));
  const numbers = await ctx.database.scoped(ctx.scope, async (db) =>
    numbersOf(db, await resolve({ db, scope: ctx.scope }, "device", ids)),
  );
  const deliveries = items.map((item, at) =>
    deliveryOf(ctx, item, { numbers, raw: bytesOf(body.readings[at]) }),
  );
  return answerOf(await deliverAll(ctx, deliveries));
}

interface Known {
  readonly numbers: ReadonlyMap<number, string>;
  readonly raw: Uint8Array;
}

function deliveryOf(ctx: Ctx, { device, at, name, content }: PushedItem, { numbers, raw }: Known): Delivery {
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

/** Takes a SenML pack: one delivery a device and moment. */
export async function pushSenml(ctx: Ctx, body: ParsedOf<typeof push.senml>["body"]): Promise<Pushed> {
  const found = understood(() => readSenml(body, ctx.clock.now()));
  const deliveries = found.map(({ device, reading, units, unknown }): Delivery => ({
    companyId: ctx.scope.companyId,
    networkId: device,
    way: "senml",
    at: reading.at,
    content: { kind: "readings", readings: [reading], units, unknown },
    topic: "http/senml",
    raw: bytesOf({ device, ...reading, units }),
  }));
  return answerOf(await deliverAll(ctx, deliveries));
}

interface Outcome extends Delivered {
  readonly device: string;
}

/**
 * Who is tied to devices writes only theirs: to him another's number is that of nobody. No connection of the call is held
 * while the batches are written.
 */
async function deliverAll(ctx: Ctx, deliveries: readonly Delivery[]): Promise<Outcome[]> {
  const hidden = ctx.scope.onlyTiedDevices ? await hiddenOf(ctx, deliveries) : new Set<string>();
  return Promise.all(
    deliveries.map(async (delivery) => {
      const isHidden = hidden.has(delivery.networkId.toLowerCase());
      const delivered = isHidden ? hiddenDevice : await deliver(ctx, delivery);
      return { device: delivery.networkId, ...delivered };
    }),
  );
}

const hiddenDevice: Delivered = { result: "aside", message: unknownDevice };

async function hiddenOf({ database, scope }: Ctx, deliveries: readonly Delivery[]): Promise<Set<string>> {
  const asked = [...new Set(deliveries.map(({ networkId }) => networkId.toLowerCase()))];
  const seen = await database.scoped(scope, (db) => visibleNumbers(db, scope, asked));
  return new Set(asked.filter((number) => !seen.has(number)));
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

/** What a message means. Problem: wrong_input with the place that cannot be used. */
function understood<Meaning>(read: () => Meaning): Meaning {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtocolError)
      throw problem("wrong_input", { attributes: { [placeOf(error.message)]: [error.message] } });
    throw error;
  }
}

/** The field that a reader complains of ("readings[0].time is not ..."), as other wrong input names it ("readings.0.time"). */
function placeOf(message: string): string {
  const [, path = ""] = /^([\w.[\]]+):? (?:is|has|names) /.exec(message) ?? [];
  const isPlace = /^(?:\[\d+\]|\w+[.[]|readings$)/.test(path);
  return isPlace ? path.replaceAll(/\[(\d+)\]/g, ".$1").replace(/^\.|\.$/g, "") : "body";
}
