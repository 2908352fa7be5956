import { modelById } from "@metrum/catalogue";
import { pollResults, type PollResult } from "@metrum/contract";
import {
  parseChirpStackEvent,
  parseChirpStackTopic,
  ProtocolError,
  toHex,
  type Reading,
  type UpEvent,
  type UplinkDevice,
  type UplinkDriver,
} from "@metrum/protocols";
import type { Services } from "#core";
import { companyPrefix, putAside, type MqttMessage } from "#channels";
import { ingest } from "#messages";
import { secretsOf } from "./secrets.ts";
import { deviceByNetworkId, logExchanges, noteResult, type AskedDevice } from "./store.ts";

/**
 * Takes one message of a network server: into the store and the log, or into quarantine. Resolves when that is committed, so the
 * sender may be told. Rejects only when the database is away.
 */
export async function takeMqttMessage(services: Services, message: MqttMessage): Promise<void> {
  const { database, clock } = services;
  const event = parse(message);
  // Joins, acknowledgements and the like carry no readings.
  if (event === "other") return;
  const device =
    typeof event === "string"
      ? undefined
      : await deviceByNetworkId(database.system, message.companyId, event.devEui);
  const driver = device && uplinkDriver(device.modelId);
  if (typeof event === "string" || !device || !driver) {
    const reason =
      typeof event === "string" ? event : device ? "the model takes no uplinks" : "unknown device";
    await putAside(database, { ...message, receivedAt: clock.now(), reason });
    return;
  }
  if (device.isPolled) await takeUplink(services, { device, driver, event });
}

function parse({ companyId, topic, payload }: MqttMessage): UpEvent | "other" | (string & {}) {
  const parts = parseChirpStackTopic(topic);
  if (!parts || `${parts.prefix}/` !== companyPrefix(companyId)) return "not a topic of a network server";
  if (parts.event !== "up") return "other";
  try {
    const event = parseChirpStackEvent("up", new TextDecoder().decode(payload));
    if (event.event !== "up") return "other";
    return event.devEui === parts.devEui ? event : "topic and message name different devices";
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  }
}

function uplinkDriver(modelId: number): UplinkDriver | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" && model.driver.kind === "uplink" ? model.driver : undefined;
}

interface Uplink {
  readonly device: AskedDevice;
  readonly driver: UplinkDriver;
  readonly event: UpEvent;
}

async function takeUplink(services: Services, { device, driver, event }: Uplink): Promise<void> {
  const { database, clock, bus } = services;
  const receivedAt = clock.now();
  const startedMs = clock.nowMs();
  const decoded = decode(driver, event, { ...device, ...openedKeys(services, device) });
  if (decoded.readings.length > 0)
    await ingest(
      services,
      decoded.readings.map((reading) => ({
        deviceId: device.id,
        msgType: reading.msgType,
        ts: reading.at ?? event.at ?? receivedAt,
        receivedAt,
        source: "pushed" as const,
        values: reading.values,
        ...(reading.meterAt === undefined ? {} : { meterAt: reading.meterAt }),
      })),
    );
  await database.system.transaction().execute(async (db) => {
    await logExchanges(db, [
      {
        deviceId: device.id,
        startedMs,
        receivedAt,
        kind: "uplink",
        result: decoded.result,
        tries: 1,
        durationMs: 0,
        line: "mqtt",
        readings: decoded.readings.length,
        message: decoded.message,
        taskId: null,
        steps: [
          {
            label: `Uplink ${event.fCnt}, port ${event.fPort}`,
            try: 1,
            tries: 1,
            at: 0,
            answered: 0,
            ended: 0,
            sent: "",
            received: toHex(event.payload),
            fport: event.fPort,
            ...(decoded.error ? { error: decoded.error } : {}),
          },
        ],
      },
    ]);
    await noteResult(db, [device.id], decoded.result);
  });
  bus.publish("pollEnded", {
    companyId: device.companyId,
    deviceId: device.id,
    result: pollResults[decoded.result].id,
  });
}

interface Decoded {
  readonly result: PollResult;
  readonly message: string;
  readonly readings: readonly Reading[];
  readonly error?: { readonly kind: string; readonly message: string; readonly offset?: number };
}

/** Keys that do not open are as good as none: what is encrypted fails to decode and says so in the log. */
function openedKeys({ config, log }: Services, device: AskedDevice): Pick<UplinkDevice, "keys"> {
  try {
    const { keys } = secretsOf(config, device);
    return keys === undefined ? {} : { keys };
  } catch (error) {
    log.error({ err: error, device: device.id }, "secrets of a device do not open");
    return {};
  }
}

/** A payload that cannot be read is an outcome for the log, with its bytes. */
function decode(driver: UplinkDriver, event: UpEvent, device: UplinkDevice): Decoded {
  const { impulseWeight, startingValue, deviceID, keys } = device;
  try {
    const readings = driver.decode(event.payload, event.fPort, {
      impulseWeight,
      startingValue,
      ...(deviceID === undefined ? {} : { deviceID }),
      ...(keys === undefined ? {} : { keys }),
    });
    return { result: "ok", message: "", readings };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { kind, message, offset } = error;
    return {
      result: kind,
      message,
      readings: [],
      error: { kind, message, ...(offset === undefined ? {} : { offset }) },
    };
  }
}
