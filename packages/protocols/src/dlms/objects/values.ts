import { ProtocolError } from "../../core/errors.ts";
import { toHex } from "../../core/bytes.ts";
import type { AccessResult, CaptureObject, CosemAttribute, DlmsData } from "../types.ts";
import type { ScalerUnit } from "./units.ts";

/** Names of data-access-result. Source: Green Book 9.5, Data-Access-Result. */
const accessErrors: Readonly<Record<number, string>> = {
  1: "hardware fault",
  2: "temporary failure",
  3: "read-write denied",
  4: "object undefined",
  9: "object class inconsistent",
  11: "object unavailable",
  12: "type unmatched",
  13: "scope of access violated",
  14: "data block unavailable",
  15: "long get aborted",
  16: "no long get in progress",
  17: "long set aborted",
  18: "no long set in progress",
  19: "data block number invalid",
  250: "other reason",
};

/** Results for a value that the meter lacks, or hides from this client. */
const absences: readonly number[] = [3, 4, 9, 11];
/** Results for a value that is temporarily unavailable. */
const failures: readonly number[] = [1, 2];

export const isAbsent = (result: AccessResult): boolean =>
  result.kind === "error" && absences.includes(result.code);
export const isFailure = (result: AccessResult): boolean =>
  result.kind === "error" && failures.includes(result.code);

const temporaryFailure = 2;

/**
 * ProtocolError of a data-access-result: "unsupported" for missing objects, else "refused"; the code is in
 * `detail`.
 */
export function accessError(code: number, of: CosemAttribute | string): ProtocolError {
  const name = typeof of === "string" ? of : `${of.obis} attribute ${String(of.attribute)}`;
  const kind = code === 4 || code === 9 || code === 11 ? "unsupported" : "refused";
  return new ProtocolError(kind, `${name}: ${accessErrors[code] ?? `result ${String(code)}`}`, {
    detail: code,
    isBusy: code === temporaryFailure,
  });
}

/** The value of a result. Errors: see `accessError`. */
export function valueOf(result: AccessResult, of: CosemAttribute): DlmsData {
  if (result.kind === "data") return result.value;
  throw accessError(result.code, of);
}

/**
 * A value as a number; null when the meter marks it as missing (null-data, don't-care) or it is not a number.
 */
export function numberOf(data: DlmsData | undefined): number | null {
  if (data === undefined) return null;
  if (!("value" in data)) return null;
  const { value } = data;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Elements of an array, structure or compact array. Errors: ProtocolError "unexpected" for anything else. */
export function itemsOf(data: DlmsData | undefined, what: string): readonly DlmsData[] {
  if (data?.type === "array" || data?.type === "structure" || data?.type === "compactArray")
    return data.items;
  throw new ProtocolError("unexpected", `${what} is no list, but ${data?.type ?? "missing"}`);
}

/** A number that must be there. Errors: ProtocolError "unexpected". */
export function integerOf(data: DlmsData | undefined, what: string): number {
  const value = numberOf(data);
  if (value === null || !Number.isInteger(value))
    throw new ProtocolError("unexpected", `${what} is no whole number, but ${data?.type ?? "missing"}`);
  return value;
}

/** Bytes of an octet string. Errors: ProtocolError "unexpected". */
export function octetsOf(data: DlmsData | undefined, what: string): Uint8Array {
  if (data?.type === "octets") return data.value;
  throw new ProtocolError("unexpected", `${what} is no octet string, but ${data?.type ?? "missing"}`);
}

/** Text of a string of any kind; octets that are not printable ASCII as hexadecimal. Null for other types. */
export function textOf(data: DlmsData | undefined): string | null {
  if (data?.type === "visible" || data?.type === "utf8") return data.value;
  if (data?.type !== "octets") return null;
  const isText = data.value.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? String.fromCharCode(...data.value) : toHex(data.value);
}

/** "1.0.1.8.0.255" of six bytes. Errors: ProtocolError "unexpected". */
export function logicalNameOf(data: DlmsData | undefined, what = "logical name"): string {
  const bytes = octetsOf(data, what);
  if (bytes.length !== 6) throw new ProtocolError("unexpected", `${what} has ${String(bytes.length)} bytes`);
  return [...bytes].join(".");
}

/** Errors: RangeError for a name that is not six numbers (a bug of the model). */
export function logicalName(obis: string): DlmsData {
  const parts = obis.split(".").map(Number);
  if (parts.length !== 6 || parts.some((part) => !(part >= 0 && part <= 255)))
    throw new RangeError(`${obis} is no logical name`);
  return { type: "octets", value: Uint8Array.from(parts) };
}

/**
 * Scaler and unit: structure of int8 and enum. Source: Blue Book 4.3.2. Errors: ProtocolError "unexpected".
 */
export function scalerUnitOf(data: DlmsData): ScalerUnit {
  const [scaler, unit] = itemsOf(data, "scaler and unit");
  return { scaler: integerOf(scaler, "scaler"), unit: integerOf(unit, "unit") };
}

export const scalerUnitData = ({ scaler, unit }: ScalerUnit): DlmsData => ({
  type: "structure",
  items: [
    { type: "int8", value: scaler },
    { type: "enum", value: unit },
  ],
});

/** One capture object: class, logical name, attribute, data index. Errors: ProtocolError "unexpected". */
export function captureObjectOf(data: DlmsData): CaptureObject {
  const [classId, name, attribute, index] = itemsOf(data, "capture object");
  return {
    classId: integerOf(classId, "class"),
    obis: logicalNameOf(name),
    attribute: integerOf(attribute, "attribute"),
    index: integerOf(index, "data index"),
  };
}
