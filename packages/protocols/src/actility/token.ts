import { fieldsOf } from "../core/json.ts";
import { checkDown, type LoraDown } from "../lorawan/event.ts";
import { toHex } from "../core/bytes.ts";
import { actilityReportOf, type ActilityReport } from "./reports.ts";

/** Elements of each report that enter its token, in this order. */
const hashed: Readonly<Record<ActilityReport, readonly string[]>> = {
  DevEUI_uplink: ["CustomerID", "DevEUI", "FPort", "FCntUp", "payload_hex"],
  DevEUI_downlink_Sent: ["CustomerID", "DevEUI", "FPort", "FCntDn"],
  DevEUI_notification: ["CustomerID", "DevEUI"],
};
const queried = ["LrnDevEui", "LrnFPort", "LrnInfos", "AS_ID", "Time"] as const;

/**
 * The text whose SHA-256, in hexadecimal, is the `Token` of a report; undefined for a body that is no report.
 * Source: ThingPark LRC-AS tunnel interface, token of the uplink; checked with the published example of IoT
 * Academy (device 0059AC000010020D of 2016-07-05). That of the other reports is read in public sources and
 * not checked.
 * Layout: elements of the body, the query in the order of `queried` as it was before it was coded for an
 * address, the key of the application server. A missing FPort counts as 0, other missing elements as nothing.
 * Errors: ProtocolError "unexpected" when the body is no object.
 */
export function actilityTokenText(
  body: unknown,
  query: Readonly<Record<string, string>>,
  asKey: string,
): string | undefined {
  const report = actilityReportOf(body);
  if (report === undefined) return undefined;
  const values = new Map(fieldsOf(body).inner(report).entries());
  const elements = hashed[report].map((name) => {
    const value = values.get(name);
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    return text === "" && name === "FPort" ? "0" : text;
  });
  const signed = queried.filter((name) => query[name] !== undefined).map((name) => `${name}=${query[name]}`);
  return `${elements.join("")}${signed.join("&")}${asKey}`;
}

export interface ActilityDown extends LoraDown {
  readonly devEui: string;
  readonly asId: string;
  /** ISO 8601 with an offset; the server accepts a difference of a few minutes from its own clock. */
  readonly time: string;
}

/**
 * Parameters of a downlink to `/thingpark/lrc/rest/downlink`: names and values in the order in which they are
 * hashed. The token is the SHA-256 of `text` in hexadecimal; it is appended to the query as `Token`.
 * Source: ThingPark AS-LRC tunnel interface as described by public sources; not tried against a live server.
 * `reference` must be 16 hexadecimal digits. Errors: RangeError when port or length are invalid for LoRaWAN
 * (a bug of the caller).
 */
export function actilityDownlink(
  down: ActilityDown,
  asKey: string,
): { readonly query: readonly (readonly [string, string])[]; readonly text: string } {
  checkDown(down);
  const { devEui, fPort, payload, confirmed, asId, time, reference } = down;
  const query: (readonly [string, string])[] = [
    ["DevEUI", devEui.toUpperCase()],
    ["FPort", String(fPort)],
    ["Payload", toHex(payload)],
    ...(confirmed ? [["Confirmed", "1"] as const] : []),
    ["AS_ID", asId],
    ["Time", time],
    ...(reference === undefined ? [] : [["CorrelationID", reference] as const]),
  ];
  return { query, text: `${query.map(([name, value]) => `${name}=${value}`).join("&")}${asKey}` };
}

/** The address with its token. */
export function actilityDownPath(query: readonly (readonly [string, string])[], token: string): string {
  const coded = new URLSearchParams(
    [...query, ["Token", token]].map(([name = "", value = ""]) => [name, value]),
  );
  return `/thingpark/lrc/rest/downlink?${coded.toString()}`;
}
