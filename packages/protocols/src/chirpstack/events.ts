import { ProtocolError } from "../core/errors.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { fieldsOf, type Fields } from "./json.ts";
import type { ChirpStackEventName } from "./topic.ts";

/** What every event carries. `at`: epoch seconds UTC at which the server made the event; null when it did not say. */
interface Common {
  readonly deduplicationId: string;
  readonly at: number | null;
  readonly devEui: string;
  readonly deviceName: string;
  readonly applicationId: string;
}

/** One gateway that heard an uplink: rssi in dBm, snr in dB. */
export interface Reception {
  readonly gatewayId: string;
  readonly rssi: number;
  readonly snr: number;
}

export interface UpEvent extends Common {
  readonly event: "up";
  readonly devAddr: string;
  readonly fCnt: number;
  readonly fPort: number;
  readonly dr: number;
  readonly confirmed: boolean;
  readonly payload: Uint8Array;
  /** The strongest first. */
  readonly receptions: readonly Reception[];
}

export type ChirpStackEvent =
  | UpEvent
  | (Common & { readonly event: "join"; readonly devAddr: string })
  | (Common & {
      readonly event: "ack";
      readonly queueItemId: string;
      readonly acknowledged: boolean;
      readonly fCntDown: number;
    })
  | (Common & {
      readonly event: "txack";
      readonly queueItemId: string;
      readonly fCntDown: number;
      readonly gatewayId: string;
    })
  | (Common & {
      readonly event: "status";
      readonly margin: number;
      readonly externalPowerSource: boolean;
      /** Percent; null when the device could not measure it. */
      readonly batteryLevel: number | null;
    })
  | (Common & {
      readonly event: "log";
      readonly level: string;
      readonly code: string;
      readonly description: string;
    })
  | (Common & { readonly event: "location" | "integration" });

/**
 * Reads the JSON of one event, as MQTT and HTTP integrations of ChirpStack v4 send it.
 * Source: ChirpStack v4 documentation, Event types. Layout: proto3 JSON, in which a missing field is zero, empty or false.
 * `event` is named by the topic (MQTT) or the query parameter `event` (HTTP), never by the body.
 * Errors: ProtocolError "unexpected" for other JSON, a missing or malformed devEui, or a payload that is not base64.
 */
export function parseChirpStackEvent(event: ChirpStackEventName, body: string): ChirpStackEvent {
  const fields = fieldsOf(parseJson(body));
  const common = commonOf(fields);
  switch (event) {
    case "up":
      return { ...common, ...upOf(fields) };
    case "join":
      return { ...common, event, devAddr: fields.text("devAddr") };
    case "ack": {
      const acknowledged = fields.flag("acknowledged");
      return { ...common, event, acknowledged, ...downOf(fields) };
    }
    case "txack":
      return { ...common, event, gatewayId: fields.text("gatewayId"), ...downOf(fields) };
    case "status":
      return {
        ...common,
        event,
        margin: fields.number("margin"),
        externalPowerSource: fields.flag("externalPowerSource"),
        batteryLevel: fields.flag("batteryLevelUnavailable") ? null : fields.number("batteryLevel"),
      };
    case "log":
      return {
        ...common,
        event,
        level: fields.text("level"),
        code: fields.text("code"),
        description: fields.text("description"),
      };
    case "location":
    case "integration":
      return { ...common, event };
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProtocolError("unexpected", "not JSON");
  }
}

function commonOf(fields: Fields): Common {
  const info = fields.inner("deviceInfo");
  const devEui = info.text("devEui").toLowerCase();
  if (!/^[0-9a-f]{16}$/.test(devEui))
    throw new ProtocolError("unexpected", "deviceInfo.devEui is not 16 hexadecimal digits");
  const milliseconds = Date.parse(fields.text("time"));
  return {
    deduplicationId: fields.text("deduplicationId"),
    at: Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000),
    devEui,
    deviceName: info.text("deviceName"),
    applicationId: info.text("applicationId"),
  };
}

function upOf(fields: Fields): Omit<UpEvent, keyof Common> {
  const receptions = fields.list("rxInfo").map((each) => ({
    gatewayId: each.text("gatewayId"),
    rssi: each.number("rssi"),
    snr: each.number("snr"),
  }));
  return {
    event: "up",
    devAddr: fields.text("devAddr"),
    fCnt: fields.number("fCnt"),
    fPort: fields.number("fPort"),
    dr: fields.number("dr"),
    confirmed: fields.flag("confirmed"),
    payload: fromBase64(fields.text("data")),
    receptions: receptions.toSorted((a, b) => b.rssi - a.rssi),
  };
}

function downOf(fields: Fields): { queueItemId: string; fCntDown: number } {
  return { queueItemId: fields.text("queueItemId"), fCntDown: fields.number("fCntDown") };
}

/** Zero, empty and false are left out, as proto3 does. */
function omitZeros(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== 0 && each !== "" && each !== false && each !== null),
  );
}

/**
 * Body of an `up` event as the network server would publish it, for the simulator.
 * Source and layout: `parseChirpStackEvent`, which reads it back.
 */
export function buildChirpStackUp(up: Omit<UpEvent, "event">): string {
  const { at, devEui, deviceName, applicationId, payload, receptions, ...rest } = up;
  return JSON.stringify({
    ...omitZeros(rest),
    ...(at === null ? {} : { time: new Date(at * 1000).toISOString() }),
    deviceInfo: omitZeros({ applicationId, deviceName, devEui }),
    ...omitZeros({ data: toBase64(payload) }),
    rxInfo: receptions.map((each) => omitZeros({ ...each })),
  });
}

/** A command for a device. */
export interface ChirpStackDown {
  readonly devEui: string;
  readonly confirmed: boolean;
  /** 1 to 223. */
  readonly fPort: number;
  readonly payload: Uint8Array;
}

/**
 * Body of a `down` command. Source: ChirpStack v4 documentation, MQTT integration, scheduling a downlink.
 * Errors: RangeError when the port is outside 1 to 223 (a bug of the caller).
 */
export function buildChirpStackDown({ devEui, confirmed, fPort, payload }: ChirpStackDown): string {
  if (!(fPort >= 1 && fPort <= 223)) throw new RangeError(`port ${fPort} is not for applications`);
  return JSON.stringify({ devEui: devEui.toLowerCase(), confirmed, fPort, data: toBase64(payload) });
}

/**
 * Reads a `down` command, the network server's side of `buildChirpStackDown`.
 * Errors: ProtocolError "unexpected" as `parseChirpStackEvent`, and for a port outside 1 to 223.
 */
export function parseChirpStackDown(body: string): ChirpStackDown {
  const fields = fieldsOf(parseJson(body));
  const fPort = fields.number("fPort");
  if (!(fPort >= 1 && fPort <= 223)) throw new ProtocolError("unexpected", "fPort is not from 1 to 223");
  return {
    devEui: fields.text("devEui").toLowerCase(),
    confirmed: fields.flag("confirmed"),
    fPort,
    payload: fromBase64(fields.text("data")),
  };
}
