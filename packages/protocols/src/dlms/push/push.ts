import type { DecodedValue } from "../../core/reading.ts";
import { toHex } from "../../core/bytes.ts";
import { finite } from "../../core/finite.ts";
import { formatObis } from "../data/axdr.ts";
import { encodeData } from "../data/dataEncode.ts";
import { dateTimeOf, formatDateTime } from "../data/dateTime.ts";
import {
  aidon,
  cosemUnits,
  kaifa,
  kaifaLists,
  pushMakers,
  pushQuantities,
  type PushMaker,
} from "./pushLists.ts";
import { numberOf, textOf } from "../data/show.ts";
import type { DlmsData } from "../types.ts";

/** One value of a list with its code; `scaler` and `unit` if the list contains them. */
interface PushItem {
  readonly obis: string;
  readonly value: DlmsData;
  readonly scaler?: number;
  readonly unit?: string;
}

export interface PushList {
  readonly maker: string | undefined;
  readonly readings: readonly DecodedValue[];
}

/**
 * The values of a pushed list by name.
 * Source: see `pushLists.ts`. Layouts: array of {code, value, {scaler, unit}} (Aidon); structure of a name
 * and pairs code, value (Kamstrup); structure of values in a fixed order (Kaifa). A manufacturer is
 * recognised by the list's name, in the shortest lists by their shape.
 * Units: W, var, Wh, varh, A, V; numbers are scaled. None, and the number as it was sent, where neither list
 * nor manufacturer defines the unit. `function` is the OBIS code. A code without a name here is its own name.
 * Returns null when the value has none of these layouts.
 */
export function pushList(body: DlmsData): PushList | null {
  const items = described(body) ?? paired(body) ?? placed(body);
  if (items === null) return null;
  const maker = makerOf(body, items);
  return { maker: maker?.maker, readings: items.map((item) => readingOf(item, maker)) };
}

function described(body: DlmsData): PushItem[] | null {
  if (body.type !== "array" || body.items.length === 0) return null;
  const items = body.items.map(describedItem);
  return items.every((item) => item !== null) ? items : null;
}

function describedItem(data: DlmsData): PushItem | null {
  if (data.type !== "structure" || data.items.length < 2 || data.items.length > 3) return null;
  const [code, value, scale] = data.items;
  const obis = obisOf(code);
  if (obis === null || value === undefined) return null;
  if (scale === undefined) return { obis, value };
  if (scale.type !== "structure") return null;
  const [scaler, unit] = scale.items;
  if (scaler?.type !== "int8" || unit?.type !== "enum") return null;
  return { obis, value, scaler: scaler.value, unit: cosemUnits[unit.value] ?? `unit ${String(unit.value)}` };
}

function paired(body: DlmsData): PushItem[] | null {
  if (body.type !== "structure" || body.items.length < 2) return null;
  // An odd number of elements begins with the name of the list; else the name is a value like others, or
  // there is none.
  const [first] = body.items;
  if (body.items.length % 2 === 0 || first === undefined) return pairsOf(body.items);
  const items = nameOf(first) === undefined ? null : pairsOf(body.items.slice(1));
  return items && [{ obis: listNameObis, value: first }, ...items];
}

/** Values behind their codes; null when a code is invalid, or all are missing. */
function pairsOf(cells: readonly DlmsData[]): PushItem[] | null {
  const items: PushItem[] = [];
  for (let at = 0; at < cells.length; at += 2) {
    const obis = obisOf(cells[at]);
    const value = cells[at + 1];
    // Phases that a meter lacks are null-data in place of code and value.
    if (cells[at]?.type === "null" && value?.type === "null") continue;
    if (obis === null || value === undefined) return null;
    items.push({ obis, value });
  }
  return items.length > 0 ? items : null;
}

/** Text of a name, in any of the forms in which meters send it. */
const nameOf = (data: DlmsData | undefined): string | undefined =>
  data?.type === "visible" || data?.type === "utf8"
    ? data.value
    : data?.type === "octets"
      ? (textOf(data.value) ?? undefined)
      : undefined;

const listNameObis = "1.1.0.2.129.255";

/** Groups C.D.E of a code: A and B differ between manufacturers, and between countries of one. */
const groupsOf = (obis: string): string => obis.split(".").slice(2, 5).join(".");

function placed(body: DlmsData): PushItem[] | null {
  if (body.type !== "structure") return null;
  const [first] = body.items;
  // The shortest list is a power without a name.
  const isKaifa =
    body.items.length === 1
      ? first?.type === "uint32"
      : first?.type === "octets" && textOf(first.value)?.startsWith(kaifa.list) === true;
  const codes = kaifaLists.get(body.items.length);
  if (codes === undefined || !isKaifa) return null;
  return body.items.map((value, at) => ({ obis: codes[at] ?? String(at + 1), value }));
}

const obisOf = (data: DlmsData | undefined): string | null =>
  data?.type === "octets" && data.value.length === 6 ? formatObis(data.value) : null;

function makerOf(body: DlmsData, items: readonly PushItem[]): PushMaker | undefined {
  const text = nameOf(items.find(({ obis }) => groupsOf(obis) === groupsOf(listNameObis))?.value);
  if (text !== undefined) return pushMakers.find(({ list }) => text.startsWith(list));
  const isShortest = "items" in body && body.items.length === 1;
  if (!isShortest) return undefined;
  return body.type === "array" ? aidon : kaifa;
}

function readingOf(item: PushItem, maker: PushMaker | undefined): DecodedValue {
  const quantity = pushQuantities[groupsOf(item.obis)];
  // A code alone identifies the quantity, but not the manufacturer's scale: without either the number stays
  // as sent.
  const unit = item.unit ?? (maker === undefined ? "" : (quantity?.unit ?? ""));
  const scaler = item.scaler ?? maker?.scalers[unit] ?? 0;
  const about = {
    name: quantity?.name ?? item.obis,
    function: item.obis,
    raw: toHex(encodeData(item.value)),
  };
  const number = numberOf(item.value);
  if (number !== null) return { ...about, value: finite(scaled(number, scaler), about.name), unit };
  const at = dateTimeOf(item.value);
  if (at !== null) return { ...about, value: formatDateTime(at), unit: "-" };
  return { ...about, value: shownText(item.value), unit: "" };
}

/** Divides for a negative scaler: 2276 x 10^-1 is then 227.6 and not 227.60000000000002. */
const scaled = (number: number, scaler: number): number =>
  scaler < 0 ? number / 10 ** -scaler : number * 10 ** scaler;

function shownText(data: DlmsData): string | null {
  if (data.type === "visible" || data.type === "utf8") return data.value;
  if (data.type === "octets") return textOf(data.value) ?? toHex(data.value);
  return data.type === "null" ? null : toHex(encodeData(data));
}
