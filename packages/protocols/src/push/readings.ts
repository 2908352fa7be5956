import { isMessageType } from "@metrum/vocabulary";
import { fromHex } from "../core/bytes.ts";
import { wrongField } from "../core/errors.ts";
import { fieldsOf, type Fields } from "../core/json.ts";
import type { Reading } from "../core/reading.ts";
import { checkedPayload, widestCounter, widestPort } from "../lorawan/event.ts";
import { namedValues } from "./values.ts";

/** Maximum items per push. */
const mostItems = 1000;
/** Year 9999, in epoch seconds; plausibility is checked by the store. */
const lastSecond = 253_402_300_799;

/** Readings of one device in a push: decoded values, or bytes to be decoded by its model. */
export type PushedContent =
  | { readonly kind: "readings"; readonly readings: readonly Reading[]; readonly unknown: readonly string[] }
  | { readonly kind: "payload"; readonly bytes: Uint8Array; readonly fPort: number; readonly fCnt: number };

export interface PushedItem {
  /** Number of the device (`deviceID`) or its id on this platform: one of the two. */
  readonly device: { readonly number: string } | { readonly id: number };
  /** Epoch seconds UTC; null: the time of the push. */
  readonly at: number | null;
  /** Reference of the sender for this item, so that a repeat is taken once; empty if absent. */
  readonly name: string;
  readonly content: PushedContent;
}

/**
 * Reads pushed readings in the platform's own JSON, already parsed.
 * Source: this platform. Layout: `{readings: [{deviceID | device_id, time?, reference?, msgType?, values |
 * payload + fPort? + fCnt?}]}`: `time` in epoch seconds UTC, `values` numbers by field of the vocabulary in
 * its units, `payload` hexadecimal.
 * Errors: ProtocolError "unexpected" that names the path: no device or two, neither values nor payload or
 * both, a value that is no number, more than 1,000 items.
 */
export function readPush(message: unknown): PushedItem[] {
  const items = fieldsOf(message).list("readings");
  if (items.length > mostItems) throw wrongField("readings", "few", { most: mostItems });
  return items.map((item, at) => itemOf(item, `readings[${at}]`));
}

function itemOf(item: Fields, path: string): PushedItem {
  const at = item.has("time") ? item.integer("time", 0, lastSecond) : null;
  return {
    device: deviceOf(item, path),
    at,
    name: item.text("reference"),
    content: contentOf(item, { at, path }),
  };
}

function deviceOf(item: Fields, path: string): PushedItem["device"] {
  if (item.has("device_id") === item.has("deviceID")) throw wrongField(path, "one_device");
  return item.has("deviceID")
    ? { number: item.text("deviceID").trim() }
    : { id: item.integer("device_id", 1, 2_147_483_647) };
}

function contentOf(item: Fields, { at, path }: { at: number | null; path: string }): PushedContent {
  if (item.has("values") === item.has("payload")) throw wrongField(path, "one_content");
  if (item.has("payload")) {
    return {
      kind: "payload",
      bytes: hexOf(item.text("payload"), `${path}.payload`),
      fPort: item.integer("fPort", 0, widestPort),
      fCnt: item.integer("fCnt", 0, widestCounter),
    };
  }
  const msgType = item.has("msgType") ? item.integer("msgType", 1, 32_767) : 1;
  if (!isMessageType(msgType)) throw wrongField(`${path}.msgType`, "message_type");
  const { values, unknown } = namedValues(item.inner("values").entries(), `${path}.values`);
  return { kind: "readings", readings: [{ msgType, at, values }], unknown };
}

function hexOf(text: string, path: string): Uint8Array {
  const digits = text.replaceAll(/\s/g, "");
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) throw wrongField(path, "hex");
  return checkedPayload(fromHex(digits));
}
