import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldFaults, problems, type FieldFaultCode } from "@metrum/contract/core";
import { expect, test } from "vitest";
import { faultWords } from "#core";
import { bookOf } from "#testing/books";
import { parseReadings } from "./parse.ts";

const head = "deviceID;time;tariff0\n";
const at = "1793491200";
const push = (item: object): string => JSON.stringify({ readings: [item] });

/** A file for each fault that a file of readings can have by itself. */
const files: Partial<Record<FieldFaultCode, string | Uint8Array>> = {
  not_json: "{",
  depth: "[".repeat(40),
  many: `[${"{},".repeat(10_001)}{}]`,
  object_needed: "[1]",
  list_needed: '{"readings":{}}',
  text_needed: push({ deviceID: 5, time: 1, values: {} }),
  text_long: `${head}${"1".repeat(300)};${at};1\n`,
  number_needed: `${head}M-1;${at};x\n`,
  number_unsure: `deviceID,time,tariff0\nM-1,${at},"12,345"\n`,
  digits_many: `${head}M-1;${at};1000000000000000.123\n`,
  whole_between: push({ deviceID: "M-1", time: 1.5, values: {} }),
  hex_needed: push({ deviceID: "M-1", time: 1, payload: "xx" }),
  one_device: push({ values: {} }),
  one_content: push({ deviceID: "M-1" }),
  message_type: `deviceID;time;msgType;tariff0\nM-1;${at};4;1\n`,
  payload_refused: push({ deviceID: "M-1", time: 1_793_491_200, payload: "01" }),
  required: push({ deviceID: "M-1", values: { tariff0: 1 } }),
  unknown_field: `deviceID;time;tarif0\nM-1;${at};1\n`,
  device_column: `time;tariff0\n${at};1\n`,
  column_missing: "deviceID;tariff0\nM-1;1\n",
  column_twice: `deviceID;time;tariff0;tariff0\nM-1;${at};1;1\n`,
  columns_without_field: `deviceID;time\nM-1;${at}\n`,
  cells_many: `${head}M-1;${at};1;2\n`,
  cells_few: `${head}M-1;${at}\n`,
  time_needed: `${head}M-1;yesterday;1\n`,
  value_missing: `${head}M-1;${at};\n`,
  digits_lost: bookOf([
    ["deviceID", "time", "tariff0"],
    [8.970_102_030_405_06e19, Number(at), 1],
  ]),
  size: push({ deviceID: "M-1", time: 1_793_491_200, payload: "01".repeat(5_000) }),
  line_long: `${head}${"1".repeat(300_000)}\n`,
  too_many_columns: `deviceID;time;${"tariff0;".repeat(1_000)}x\n`,
  format_large: Buffer.alloc(7 * 1024 * 1024, Buffer.from("d0cf11e0a1b11ae1", "hex")),
  not_a_table: Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0, 0),
};
/** Faults that need the devices, the folder or the thread: their own tests meet them. */
const elsewhere: readonly FieldFaultCode[] = [
  ...(["company_off", "device_unsure", "fields_of_others", "no_readings", "not_a_file"] as const),
  ...(["time_repeated", "time_skipped", "too_slow"] as const),
];

test("TRUST-030 each fault of a file of readings is met by a file, and names it in the language of the reader", () => {
  const met = Object.entries(files).map(([code, file]) => {
    const { errors } = parseReadings(typeof file === "string" ? Buffer.from(file) : file);
    return [code, errors[0]?.fault.fault, errors[0] && faultWords(errors[0].fault, "ru")];
  });

  expect(met.filter(([code, found]) => code !== found)).toEqual([]);
  expect(met.filter(([, , words]) => !/[а-яё]/i.test(words ?? "") || /\{\w+\}/.test(words ?? ""))).toEqual(
    [],
  );
  const sources = readdirSync(import.meta.dirname).filter((name) => !name.endsWith(".test.ts"));
  const raised = sources.flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), "utf8").matchAll(/fieldFault\(\s*"(\w+)"/g)].map(
      ([, code = ""]) => code,
    ),
  );
  const known = new Set<string>([...Object.keys(files), ...elsewhere]);
  expect(raised.filter((code) => !known.has(code))).toEqual([]);
});

test("TRUST-030 whatever an import of rows refuses is said in Russian, English and Mongolian", () => {
  // Rows of devices, objects, points and consumers have faults of fields and problems of calls.
  const texts = [
    ...Object.entries(fieldFaults),
    ...Object.entries(problems).map(([code, { text }]) => [code, text] as const),
  ];
  const parametersOf = (text: string): string => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted().join();

  expect(
    texts
      .filter(([, { ru, mn }]) => !/[а-яё]/i.test(ru) || !/[а-яёөү]/i.test(mn) || ru === mn)
      .map(([code]) => code),
  ).toEqual([]);
  expect(
    texts
      .filter(([, { ru, en, mn }]) => new Set([ru, en, mn].map(parametersOf)).size > 1)
      .map(([code]) => code),
  ).toEqual([]);
});
