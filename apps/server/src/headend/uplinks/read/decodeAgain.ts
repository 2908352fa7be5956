import { problem, type ParsedOf } from "@metrum/contract/core";
import type { decodeAgain } from "@metrum/contract/metering";
import { fromHex } from "@metrum/protocols/core";
import { record, resolveOne, type Ctx } from "#core";
import { askedDevice, type AskedDevice } from "#headend/exchanges";
import { decodedAgain, ingest, withRecords, type Incoming } from "#metering/messages";
import { decode } from "./decode.ts";
import { keptPayloads, type KeptPayload } from "./payloadStore.ts";

/** Payloads per call, which must stay short; `next` continues. */
const atOnce = 200;

type Asked = ParsedOf<typeof decodeAgain.run>["body"];

/**
 * Re-decodes stored payloads with the present decoder of the devices, the company's codec or the driver of
 * the model, and stores the readings as corrected data: they replace measured ones, which are kept as
 * revisions; values entered or corrected by a user stay. A second run changes nothing.
 */
export async function redecode(ctx: Ctx, asked: Asked) {
  if (asked.device_id === undefined && asked.model_id === undefined)
    throw problem("wrong_input", { attributes: { device_id: ["device_id or model_id is needed"] } });
  if (asked.device_id !== undefined) await resolveOne(ctx, "device", asked.device_id);
  const kept = await keptPayloads(ctx, asked, atOnce);
  const incoming: Incoming[] = [];
  let failed = 0;
  let device: AskedDevice | undefined;
  for (const row of kept) {
    if (device?.id !== row.device_id) device = await askedDevice(ctx.database.system, row.device_id);
    const readings = device ? await readingsOf(ctx, device, row) : undefined;
    if (readings) incoming.push(...withRecords(readings));
    else failed += 1;
  }
  const { stored, replaced } = await ingest(ctx, incoming);
  const last = kept.length === atOnce ? kept.at(-1) : undefined;
  await record(ctx, {
    action: "codec.decodeAgain",
    subject: asked.device_id === undefined ? `model ${asked.model_id ?? ""}` : `device ${asked.device_id}`,
    after: { payloads: kept.length, failed, readings: stored + replaced },
  });
  const next = last ? `${last.device_id}:${last.started_ms}` : null;
  return { payloads: kept.length, failed, readings: stored + replaced, next };
}

async function readingsOf(ctx: Ctx, device: AskedDevice, row: KeptPayload): Promise<Incoming[] | undefined> {
  const [step] = row.steps;
  if (step?.fport === undefined) return undefined;
  const heardAt = step.heardAt ?? row.received_at ?? Math.floor(row.started_ms / 1000);
  const content = { kind: "payload", bytes: fromHex(step.received), fPort: step.fport, fCnt: 0 } as const;
  const decoded = await decode(ctx, device, { content, receivedAt: heardAt, isRedecoding: true });
  if (decoded.result !== "ok") return undefined;
  return decoded.readings.map((reading) => ({
    deviceId: device.id,
    msgType: reading.msgType,
    ts: reading.at ?? heardAt,
    receivedAt: row.received_at ?? heardAt,
    source: "pushed",
    status: "corrected",
    isDecodedAgain: true,
    extra: decodedAgain,
    userId: ctx.scope.userId,
    reason: "decoded again",
    values: reading.values,
    ...(reading.meterAt === undefined ? {} : { meterAt: reading.meterAt }),
  }));
}
