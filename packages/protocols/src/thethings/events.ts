import { fromBase64 } from "../core/base64.ts";
import { ProtocolError } from "../core/errors.ts";
import { fieldsOf, secondsOf, type Fields } from "../core/json.ts";
import {
  checkedPayload,
  devEuiOf,
  loraRate,
  strongestFirst,
  widestCounter,
  widestPort,
  type DownlinkOutcome,
  type LoraDownlink,
  type LoraEvent,
  type LoraUp,
} from "../lorawan/event.ts";

/** A message of The Things Stack in the common form of all network servers. */
export type ThingsEvent = LoraEvent & {
  /** Device id at the server, which is part of its topics and URLs. */
  readonly deviceId: string;
};

/** Downlink messages by their field. */
const outcomes: Readonly<Record<string, DownlinkOutcome>> = {
  downlink_queued: "queued",
  downlink_sent: "sent",
  downlink_ack: "acknowledged",
  downlink_nack: "not_acknowledged",
  downlink_failed: "failed",
};

/**
 * Reads one message, as webhooks and MQTT of The Things Stack v3 send it, once it is JSON. The kind of a
 * message follows from its field; undefined for those without device data (places, service data).
 * Source: The Things Stack documentation, Data Formats. Layout: fields with a value of "", 0 or false are
 * left out.
 * Errors: ProtocolError "unexpected" for other JSON, a missing or malformed dev_eui, or a payload that is not
 * base64.
 */
export function readThings(message: unknown): ThingsEvent | undefined {
  const fields = fieldsOf(message);
  const ids = fields.inner("end_device_ids");
  const common = {
    devEui: devEuiOf(ids, "dev_eui", "end_device_ids.dev_eui"),
    deviceId: ids.text("device_id"),
    application: ids.inner("application_ids").text("application_id"),
    at: secondsOf(fields.text("received_at")),
    deduplicationId: "",
  };
  const devAddr = ids.text("dev_addr").toLowerCase();
  if (fields.has("uplink_message"))
    return { ...common, ...upOf(fields.inner("uplink_message"), { ...common, devAddr }) };
  if (fields.has("join_accept")) {
    const accept = fields.inner("join_accept");
    return {
      ...common,
      event: "join",
      devAddr,
      at: secondsOf(accept.text("received_at")) ?? common.at,
      deduplicationId: nameOf(common.devEui, "join", accept.text("session_key_id")),
    };
  }
  for (const [name, outcome] of Object.entries(outcomes))
    if (fields.has(name)) return { ...common, ...downlinkOf(fields.inner(name), outcome) };
  return undefined;
}

/**
 * Webhook and MQTT deliver the same message: session and counter identify the frame, and the time of its
 * reception a restart.
 */
function nameOf(...parts: readonly (string | number)[]): string {
  const [, , session] = parts;
  return session === "" ? "" : parts.join(":");
}

function upOf(
  up: Fields,
  of: { readonly devEui: string; readonly devAddr: string; readonly at: number | null },
): Omit<LoraUp, "application"> {
  const fCnt = up.integer("f_cnt", 0, widestCounter);
  const receivedAt = up.text("received_at");
  const lora = up.inner("settings").inner("data_rate").inner("lora");
  const receptions = up.list("rx_metadata").map((each) => ({
    gatewayId: each.inner("gateway_ids").text("gateway_id"),
    rssi: each.has("rssi") ? each.number("rssi") : each.number("channel_rssi"),
    snr: each.number("snr"),
  }));
  return {
    event: "up",
    devEui: of.devEui,
    devAddr: of.devAddr,
    at: secondsOf(receivedAt) ?? of.at,
    deduplicationId: nameOf(of.devEui, "up", up.text("session_key_id") || of.devAddr, fCnt, receivedAt),
    fCnt,
    fPort: up.integer("f_port", 0, widestPort),
    dataRate: loraRate(lora.number("spreading_factor"), lora.number("bandwidth")),
    confirmed: up.flag("confirmed"),
    payload: checkedPayload(fromBase64(up.text("frm_payload"))),
    receptions: strongestFirst(receptions),
    ...batteryOf(up),
  };
}

/**
 * The last battery status of the device, repeated in each uplink (Data Formats, `last_battery_percentage`).
 */
function batteryOf(up: Fields): { battery?: number } {
  const last = up.inner("last_battery_percentage");
  const battery = last.number("value");
  return last.has("value") && battery >= 0 && battery <= 100 ? { battery } : {};
}

type Outcome = Pick<LoraDownlink, "event" | "outcome" | "reference" | "fCntDown" | "reason">;

/** Prefix of own downlink references: the server adds its own ids to the same list. */
export const referencePrefix = "metrum:";

function downlinkOf(message: Fields, outcome: DownlinkOutcome): Outcome {
  const isFailed = outcome === "failed";
  const downlink = isFailed ? message.inner("downlink") : message;
  const error = isFailed ? message.inner("error") : undefined;
  const own = downlink.texts("correlation_ids").find((each) => each.startsWith(referencePrefix));
  return {
    event: "downlink",
    outcome,
    reference: own?.slice(referencePrefix.length) ?? "",
    fCntDown: downlink.has("f_cnt") ? downlink.integer("f_cnt", 0, widestCounter) : null,
    reason: error ? error.text("message_format") || error.text("name") : "",
  };
}

/** The event of a topic and that of its message. Errors: ProtocolError "unexpected" when they differ. */
export function agreeing(event: ThingsEvent, topic: { deviceId: string }): ThingsEvent {
  if (event.deviceId !== topic.deviceId)
    throw new ProtocolError("unexpected", "topic and message name different devices");
  return event;
}
