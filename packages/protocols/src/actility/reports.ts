import { fromHex } from "../core/bytes.ts";
import { wrongField } from "../core/errors.ts";
import { fieldsOf, secondsOf, type Fields } from "../core/json.ts";
import {
  checkedPayload,
  devEuiOf,
  loraRate,
  strongestFirst,
  widestCounter,
  widestPort,
  type LoraDownlink,
  type LoraEvent,
  type LoraUp,
} from "../lorawan/event.ts";

/** Reports of the tunnel interface that concern a device. */
export const actilityReports = ["DevEUI_uplink", "DevEUI_notification", "DevEUI_downlink_Sent"] as const;
export type ActilityReport = (typeof actilityReports)[number];

/**
 * The report in a body; undefined for other kinds (locations, multicast). Errors: ProtocolError "unexpected":
 * no object.
 */
export function actilityReportOf(body: unknown): ActilityReport | undefined {
  const fields = fieldsOf(body);
  return actilityReports.find((each) => fields.has(each));
}

/**
 * Reads one report of Actility ThingPark ("LRC to AS tunnel", JSON), already parsed. Undefined for reports
 * without device data: notifications other than joins, locations.
 * Source: ThingPark LRC-AS tunnel interface as published by KPN (DevEUI_uplink, DevEUI_downlink_Sent) and
 * Actility (DevEUI_notification). Layout: one object named after the report; numbers may be strings. A failed
 * downlink gives its causes by receive window ("D0", "E1"); 00 is none. The bandwidth of the data rate is not
 * sent and taken as 125 kHz, which it is at every spreading factor above 7 in Europe.
 * Errors: ProtocolError "unexpected" for other JSON, a malformed DevEUI or a payload that is not hexadecimal.
 */
export function readActility(body: unknown): LoraEvent | undefined {
  const report = actilityReportOf(body);
  if (report === undefined) return undefined;
  const fields = fieldsOf(body).inner(report);
  const devEui = devEuiOf(fields, "DevEUI", `${report}.DevEUI`);
  const common = { devEui, at: secondsOf(fields.text("Time")), deduplicationId: "", application: "" };
  switch (report) {
    case "DevEUI_uplink":
      return { ...common, ...upOf(fields, devEui) };
    case "DevEUI_notification":
      return fields.text("Type").toLowerCase() === "join"
        ? { ...common, event: "join", devAddr: fields.text("DevAddr").toLowerCase() }
        : undefined;
    case "DevEUI_downlink_Sent":
      return { ...common, ...sentOf(fields) };
  }
}

function upOf(fields: Fields, devEui: string): Omit<LoraUp, "devEui" | "at" | "application"> {
  const fCnt = fields.integer("FCntUp", 0, widestCounter);
  const devAddr = fields.text("DevAddr").toLowerCase();
  const receptions = lrrsOf(fields).map((each) => ({
    gatewayId: each.text("Lrrid"),
    rssi: each.number("LrrRSSI"),
    snr: each.number("LrrSNR"),
  }));
  const battery = fields.has("BatteryLevel") ? batteryOf(fields.number("BatteryLevel")) : undefined;
  return {
    event: "up",
    devAddr,
    deduplicationId: [devEui, "up", devAddr, fCnt, fields.text("Time")].join(":"),
    fCnt,
    fPort: fields.integer("FPort", 0, widestPort),
    dataRate: loraRate(fields.number("SpFact"), 125_000),
    // 4 is Confirmed Data Up (LoRaWAN 1.0.3, section 4.2.1).
    confirmed: fields.number("MType") === 4,
    payload: checkedPayload(hexOf(fields.text("payload_hex"))),
    receptions: strongestFirst(receptions),
    ...(battery === undefined ? {} : { battery }),
  };
}

/** The gateways; the best one is repeated outside the list, and alone without a list. */
function lrrsOf(fields: Fields): readonly Fields[] {
  const listed = fields.inner("Lrrs").list("Lrr");
  return listed.length > 0 || !fields.has("LrrRSSI") ? listed : [fields];
}

/** Battery as in DevStatusAns: 1 to 254; 0 is external power, 255 unknown (LoRaWAN 1.0.3, section 5.5). */
function batteryOf(level: number): number | undefined {
  return level >= 1 && level <= 254 ? Math.round(((level - 1) / 253) * 100) : undefined;
}

function hexOf(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw wrongField("payload_hex", "hex");
  return fromHex(text);
}

type Sent = Pick<LoraDownlink, "event" | "outcome" | "reference" | "fCntDown" | "reason">;

function sentOf(fields: Fields): Sent {
  const isSent = fields.number("DeliveryStatus") === 1;
  const causes = ["DeliveryFailedCause1", "DeliveryFailedCause2", "DeliveryFailedCause3"]
    .map((name) => fields.text(name))
    .filter((cause) => cause !== "" && cause !== "00");
  return {
    event: "downlink",
    outcome: isSent ? "sent" : "failed",
    reference: fields.text("CorrelationID"),
    fCntDown: fields.has("FCntDn") ? fields.integer("FCntDn", 0, widestCounter) : null,
    reason: isSent ? "" : causes.join(" "),
  };
}
