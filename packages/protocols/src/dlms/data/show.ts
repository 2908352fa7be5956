import { toHex } from "../../core/bytes.ts";
import type { DecodedValue } from "../../core/reading.ts";
import { dateTimeOfBytes, formatDate, formatDateTime, formatTime, toEpoch } from "./dateTime.ts";
import { latin1 } from "./simpleData.ts";
import type { DlmsData } from "../types.ts";

/** The number of a numeric value, also a 64-bit one if it is exact as a double; otherwise null. */
export function numberOf(data: DlmsData): number | null {
  switch (data.type) {
    case "int8":
    case "int16":
    case "int32":
    case "uint8":
    case "uint16":
    case "uint32":
    case "enum":
    case "bcd":
    case "float32":
    case "float64":
      return data.value;
    case "int64":
    case "uint64":
      return Number.isSafeInteger(Number(data.value)) ? Number(data.value) : null;
    default:
      return null;
  }
}

/** Octets as text when all are printable ASCII (an empty string is not); otherwise undefined. */
export const textOf = (octets: Uint8Array): string | undefined =>
  octets.length > 0 && octets.every((byte) => byte >= 0x20 && byte < 0x7f) ? latin1(octets) : undefined;

/**
 * A value as rows for display: parts of arrays and structures by position ("value.2.1"). Octets: text if
 * printable, the date-time if 12 bytes form one, otherwise hexadecimal.
 */
export function valueReadings(name: string, data: DlmsData): DecodedValue[] {
  if (data.type !== "array" && data.type !== "structure" && data.type !== "compactArray")
    return [{ name, value: shown(data), unit: "", function: data.type, ...rawOf(data) }];
  return data.items.flatMap((item, at) => valueReadings(`${name}.${String(at + 1)}`, item));
}

const rawOf = (data: DlmsData): { raw?: string } =>
  data.type === "octets" ? { raw: toHex(data.value) } : {};

type SimpleData = Exclude<DlmsData, { readonly type: "array" | "structure" | "compactArray" }>;

function shown(data: SimpleData): DecodedValue["value"] {
  switch (data.type) {
    case "null":
    case "dontCare":
      return null;
    case "bitString":
      return bitsOf(data.bytes).slice(0, data.count);
    case "octets":
      return octetsText(data.value);
    case "dateTime":
      return formatDateTime(data.value);
    case "date":
      return formatDate(data.value);
    case "time":
      return formatTime(data.value);
    case "int64":
    case "uint64":
      return numberOf(data) ?? String(data.value);
    default:
      return data.value;
  }
}

const bitsOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");

function octetsText(octets: Uint8Array): string {
  const at = octets.length === 12 ? dateTimeOfBytes(octets) : undefined;
  if (at !== undefined && toEpoch(at) !== null) return formatDateTime(at);
  return textOf(octets) ?? toHex(octets);
}
