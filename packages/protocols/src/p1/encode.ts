import type { FieldName } from "@metrum/vocabulary";
import type { MeterState } from "../core/driver.ts";
import { bytesOf } from "../iec62056-21/text.ts";
import { toHex } from "../core/bytes.ts";
import { formatStamp } from "../iec62056-21/stamps.ts";
import { encodeTelegram } from "./telegram.ts";

/** Identification of a simulated meter. */
export interface P1Meter {
  /** Maker, speed and type behind the slash: "ISK5\2M550T-1012". */
  readonly identification: string;
  readonly fields: readonly FieldName[];
  readonly utcOffsetMinutes: number;
}

/** How a value is written: width with the point, decimals, unit. */
type Form = readonly [code: string, width: number, decimals: number, unit: string];

const tariffForms = (field: string, group: number, unit: string): [string, Form][] =>
  [0, 1, 2, 3, 4].map((tariff) => [`${field}${tariff}`, [`${group}.8.${tariff}`, 10, 3, unit]]);
const phaseForms = (field: string, first: number, form: readonly [number, number, string]) =>
  [0, 1, 2].map((phase): [string, Form] => [`${field}${phase + 1}`, [`${first + phase * 20}.7.0`, ...form]]);

/** Lines by field; powers are written as import here and as export in the line behind. */
const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...tariffForms("tariff", 1, "kWh"),
  ...tariffForms("tariff_negative", 2, "kWh"),
  ...tariffForms("tariff_reactive", 3, "kvarh"),
  ...tariffForms("tariff_reactive_negative", 4, "kvarh"),
  ["power_active", ["1.7.0", 6, 3, "kW"]],
  ["power_reactive", ["3.7.0", 6, 3, "kvar"]],
  ...phaseForms("power_active", 21, [6, 3, "kW"]),
  ...phaseForms("voltage", 32, [5, 1, "V"]),
  ...phaseForms("current", 31, [6, 2, "A"]),
]);

/** The line of the other direction: 2.7.0 for 1.7.0, 22.7.0 for 21.7.0. */
const opposite: Readonly<Record<string, string>> = {
  "1.7.0": "2.7.0",
  "3.7.0": "4.7.0",
  "21.7.0": "22.7.0",
  "41.7.0": "42.7.0",
  "61.7.0": "62.7.0",
};

function written(value: number, [code, width, decimals, unit]: Form): string {
  const number = Math.max(0, Number.isFinite(value) ? value : 0);
  return `1-0:${code}(${number.toFixed(decimals).padStart(width, "0")}*${unit})`;
}

/**
 * The telegram of a simulated meter at an instant: version 5, with totals as meters of Belgium and Luxembourg
 * send them.
 * Source: DSMR P1 companion standard 5.0.2, 6.12; the number is written as hexadecimal of its characters.
 * Layout: `parseTelegram`.
 * Units: a field that has no line is left out; a negative power goes to the line of the other direction.
 * Errors: none.
 */
export function encodeMeter(
  meter: P1Meter,
  of: { deviceID: string; state: MeterState; at: number },
): Uint8Array {
  const local = Math.floor(of.at) + meter.utcOffsetMinutes * 60;
  const values = meter.fields.flatMap((field) => {
    const form = forms.get(field);
    if (!form) return [];
    const value = of.state(field);
    const other = opposite[form[0]];
    if (other === undefined) return [written(value, form)];
    const [, ...rest] = form;
    return [written(value, form), written(-value, [other, ...rest])];
  });
  return encodeTelegram(meter.identification, [
    "1-3:0.2.8(50)",
    `0-0:1.0.0(${formatStamp(local)}W)`,
    `0-0:96.1.1(${toHex(bytesOf(of.deviceID.replaceAll(/[^0-9A-Za-z]/g, "")))})`,
    ...values,
    "0-0:96.13.0()",
  ]);
}
