import { exchangeKinds, problem, type decodeAgain, type ParsedOf } from "@metrum/contract";
import { fromHex } from "@metrum/protocols";
import { sql } from "kysely";
import { record, resolveOne, visibleDevices, type Ctx } from "#core";
import { askedDevice, unpackSteps, type AskedDevice, type LoggedStep } from "#headend/exchanges";
import { decodedAgain, ingest, withRecords, type Incoming } from "#metering/messages";
import { decode } from "./decode.ts";

/** Payloads of one call, which must stay short; `next` leads on. */
const atOnce = 200;

type Asked = ParsedOf<typeof decodeAgain.run>["body"];

interface KeptPayload {
  readonly device_id: number;
  readonly started_ms: number;
  readonly received_at: number | null;
  readonly steps: readonly LoggedStep[];
}

/**
 * Reads kept payloads again with what decodes the devices now, the company's codec or the driver of the model, and stores the
 * readings as corrected data: they replace measured ones and what they replace is kept; what a person has entered or corrected
 * stays. A second run changes nothing.
 */
export async function readAgain(ctx: Ctx, asked: Asked) {
  if (asked.device_id === undefined && asked.model_id === undefined)
    throw problem("wrong_input", { attributes: { device_id: ["device_id or model_id is needed"] } });
  if (asked.device_id !== undefined) await resolveOne(ctx, "device", asked.device_id);
  const kept = await keptPayloads(ctx, asked);
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
  const decoded = await decode(ctx, device, { content, receivedAt: heardAt, isAgain: true });
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

/** Rows: `atOnce` at most, by the primary key (device_id, started_ms) of poll_log. The log has no company: it comes from the device. */
async function keptPayloads({ db, scope }: Ctx, asked: Asked): Promise<KeptPayload[]> {
  const [device = "0", started = "0"] = (asked.after ?? "0:0").split(":");
  const { rows } = await sql<Omit<KeptPayload, "steps"> & { readonly steps: Buffer }>`
    select l.device_id, l.started_ms, l.received_at, l.steps
    from poll_log l join device d on d.id = l.device_id
    where ${visibleDevices(scope, { as: "d" })}
      and (${asked.device_id ?? null}::int is null or d.id = ${asked.device_id ?? null}::int)
      and (${asked.model_id ?? null}::int is null or d.model_id = ${asked.model_id ?? null}::int)
      and l.kind = ${exchangeKinds.uplink.id}
      and l.started_ms >= ${asked.start_date * 1000} and l.started_ms < ${(asked.stop_date + 1) * 1000}
      and (l.device_id, l.started_ms) > (${Number(device)}::int, ${Number(started)}::bigint)
    order by l.device_id, l.started_ms limit ${atOnce}`.execute(db);
  return rows.map((row) => ({ ...row, steps: unpackSteps(row.steps) }));
}
