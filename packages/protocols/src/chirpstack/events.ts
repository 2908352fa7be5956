import { fromBase64 } from "../core/base64.ts";
import { fieldsOf, parseJson, secondsOf, type Fields } from "../core/json.ts";
import {
  checkedPayload,
  devEuiOf,
  loraRate,
  strongestFirst,
  widestCounter,
  widestPort,
  type Reception,
} from "../lorawan/event.ts";
import type { ChirpStackEventName } from "./topic.ts";

/** Fields of every event. `at`: epoch seconds UTC at which the server created the event; null if absent. */
interface Common {
  readonly deduplicationId: string;
  readonly at: number | null;
  readonly devEui: string;
  readonly deviceName: string;
  readonly applicationId: string;
}

export interface UpEvent extends Common {
  readonly event: "up";
  readonly devAddr: string;
  readonly fCnt: number;
  readonly fPort: number;
  readonly dr: number;
  /** "SF7BW125"; absent when the message does not describe the modulation. */
  readonly dataRate?: string | undefined;
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
 * Source: ChirpStack v4 documentation, Event types. Layout: proto3 JSON, in which a missing field is zero,
 * empty or false. `event` is named by the topic (MQTT) or the query parameter `event` (HTTP), never by the
 * body.
 * Errors: ProtocolError "unexpected" for other JSON, a missing or malformed devEui, or a payload that is not
 * base64.
 */
export function parseChirpStackEvent(event: ChirpStackEventName, body: string): ChirpStackEvent {
  const fields = fieldsOf(parseJson(body));
  const common = commonOf(fields);
  switch (event) {
    case "up":
      return upOf(common, fields);
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

function commonOf(fields: Fields): Common {
  const info = fields.inner("deviceInfo");
  return {
    deduplicationId: fields.text("deduplicationId"),
    at: secondsOf(fields.text("time")),
    devEui: devEuiOf(info, "devEui", "deviceInfo.devEui"),
    deviceName: info.text("deviceName"),
    applicationId: info.text("applicationId"),
  };
}

/** Written without spreads, as this runs for every uplink: spreads took a tenth of its time. */
function upOf({ deduplicationId, at, devEui, deviceName, applicationId }: Common, fields: Fields): UpEvent {
  const dataRate = rateOf(fields);
  const receptions = fields.list("rxInfo").map((each) => ({
    gatewayId: each.text("gatewayId"),
    rssi: each.number("rssi"),
    snr: each.number("snr"),
  }));
  return {
    deduplicationId,
    at,
    devEui,
    deviceName,
    applicationId,
    event: "up",
    devAddr: fields.text("devAddr"),
    fCnt: fields.integer("fCnt", 0, widestCounter),
    fPort: fields.integer("fPort", 0, widestPort),
    dr: fields.integer("dr", 0, 255),
    dataRate,
    confirmed: fields.flag("confirmed"),
    payload: checkedPayload(fromBase64(fields.text("data"))),
    receptions: strongestFirst(receptions),
  };
}

function rateOf(fields: Fields): string | undefined {
  const lora = fields.inner("txInfo").inner("modulation").inner("lora");
  const dataRate = loraRate(lora.number("spreadingFactor"), lora.number("bandwidth"));
  return dataRate === "" ? undefined : dataRate;
}

function downOf(fields: Fields): { queueItemId: string; fCntDown: number } {
  return { queueItemId: fields.text("queueItemId"), fCntDown: fields.integer("fCntDown", 0, widestCounter) };
}
