import { meterModels, type MeterModel } from "@metrum/catalogue";
import type { InboxPreview } from "@metrum/contract/headend";
import { finiteReadings, ProtocolError, toHex, type Reading } from "@metrum/protocols/core";
import { readPush } from "@metrum/protocols/push";
import { z } from "zod/mini";
import type { Services } from "#core";
import { dropMessages, keptMessages, type KeptMessage, type KeptSender } from "#headend/channels";
import { takeUplink } from "./intake.ts";
import type { Content, Uplink } from "./uplink.ts";
import { uplinkDriver } from "./read/decode.ts";
import { readChirpStackPush, readActilityPush, readThingsPush } from "./ways/http/networkMessages.ts";
import { readMqttMessage } from "./ways/mqttMessages.ts";

/** Messages that are taken over at the same time. */
const atOnce = 100;

/**
 * Takes the quarantined messages of a sender that has been registered into the store and the log, as of the
 * time they were received, and returns their number. Those that cannot be read again stay in quarantine.
 */
export async function takeKept(services: Services, sender: KeptSender): Promise<number> {
  const { system } = services.database;
  const kept = await keptMessages(system, sender);
  const taken: KeptMessage[] = [];
  for (let from = 0; from < kept.length; from += atOnce)
    await Promise.all(
      kept.slice(from, from + atOnce).map(async (message) => {
        const uplink = await uplinkOf(services, sender, message);
        const outcome = uplink && (await takeUplink(services, uplink));
        if (outcome && outcome.result !== "aside") taken.push(message);
      }),
    );
  await dropMessages(system, sender, taken);
  return taken.length;
}

/** Newest messages shown of a sender, and the bytes shown of each. */
const mostShown = 10;
const mostBytes = 256;

/** The newest messages of a sender, and the models that read the last payload among them. */
export async function previewKept(services: Services, sender: KeptSender): Promise<InboxPreview> {
  const kept = (await keptMessages(services.database.system, sender)).slice(-mostShown).reverse();
  const uplinks = await Promise.all(kept.map((message) => uplinkOf(services, sender, message)));
  const content = uplinks.map((uplink) => uplink?.content).find((each) => each?.kind === "payload");
  return {
    messages: kept.map(({ receivedAt, topic, reason, payload }) => ({
      at: receivedAt,
      topic,
      reason,
      bytes: payload.length,
      hex: toHex(payload.subarray(0, mostBytes)),
    })),
    models: content === undefined ? [] : readersOf(content, sender.networkId),
  };
}

/** Models whose driver reads the payload without keys, those with the most values first. */
function readersOf(content: Extract<Content, { kind: "payload" }>, deviceID: string): InboxPreview["models"] {
  return meterModels
    .flatMap((model) => {
      const values = valuesBy(model, content, deviceID);
      return values === undefined ? [] : [{ model_id: model.id, values }];
    })
    .sort((a, b) => Object.keys(b.values).length - Object.keys(a.values).length);
}

function valuesBy(
  { id }: MeterModel,
  { bytes, fPort }: Extract<Content, { kind: "payload" }>,
  deviceID: string,
): Record<string, number> | undefined {
  const driver = uplinkDriver(id);
  if (!driver) return undefined;
  try {
    const of = { impulseWeight: 1, startingValue: 0, deviceID, utcOffsetMinutes: 0 };
    const values = numbersIn(finiteReadings(driver.decode(bytes, fPort, of)));
    return Object.keys(values).length === 0 ? undefined : values;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

const numbersIn = (readings: readonly Reading[]): Record<string, number> =>
  Object.fromEntries(
    readings.flatMap(({ values }) =>
      Object.entries(values).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])),
    ),
  );

/**
 * A quarantined message as an uplink of its time; undefined: it cannot be read again. Paths for downlinks and
 * frame counters are those of the next message.
 */
async function uplinkOf(
  services: Services,
  { companyId, networkId }: KeptSender,
  { receivedAt, id, topic, payload }: KeptMessage,
): Promise<Uplink | undefined> {
  const read = await contentOf(services, companyId, { topic, payload });
  if (!read) return undefined;
  const { way, at, content } = read;
  return {
    ...{ companyId, networkId, way, content, topic },
    at: at ?? receivedAt,
    raw: payload,
    // Several within a second keep their order.
    keptMs: receivedAt * 1000 + (id % 1000),
  };
}

type Read = Pick<Uplink, "way" | "at" | "content">;
type Message = Pick<KeptMessage, "topic" | "payload">;

async function contentOf(services: Services, companyId: number, message: Message): Promise<Read | undefined> {
  const { topic, payload } = message;
  const [, receiver] = /^(wmbus|p1)\//.exec(topic) ?? [];
  if (receiver !== undefined)
    return { way: receiver, at: null, content: { kind: "payload", bytes: payload, fPort: 0, fCnt: 0 } };
  try {
    if (topic.startsWith("http/")) return pushedContent(topic, payload);
    const uplink = await readMqttMessage(services, { companyId, ...message });
    return typeof uplink === "string" ? undefined : uplink;
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const Pushed = z.record(z.string(), z.unknown());

/** Bodies of calls push/*, which are kept as JSON. */
function pushedContent(topic: string, payload: Uint8Array): Read | undefined {
  const body = Pushed.safeParse(JSON.parse(new TextDecoder().decode(payload)));
  if (!body.success) return undefined;
  if (topic === "http/readings") {
    const [item] = readPush({ readings: [body.data] });
    return item && { way: "http", at: item.at, content: item.content };
  }
  const reader = readers.find(({ way }) => topic === `http/${way}`);
  const uplink = reader?.read(body.data);
  return reader && uplink && { way: reader.way, at: uplink.at, content: uplink.content };
}

/** The kind of a ChirpStack event is not kept: those with a payload are uplinks. */
const readers = [readChirpStackPush("up"), readThingsPush, readActilityPush(undefined)];
