import { thingKinds } from "@metrum/contract/metering";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languages, type Language } from "@metrum/vocabulary";
import type { SheetCell } from "#core";
import { valueOf } from "./cells.ts";
import { column, fieldsOfThings, mappingOf, text, type CellAs } from "./fields.ts";

const nothingNamed = { language: "en" as const, stations: new Map(), gateways: new Map() };

describe("XLS-016 the example of a template", () => {
  test.each(thingKinds)("of %s has only values that an import takes, in every language", (kind) => {
    const wrong = fieldsOfThings[kind].flatMap((field) =>
      languages.filter((language) => {
        const value = valueOf(field, field.example[language], { kind, ...nothingNamed, language });
        return value && "fault" in value;
      }),
    );

    expect(wrong).toEqual([]);
  });

  test.each(thingKinds)("of %s has words of the language in which it is shown", (kind) => {
    const latin = fieldsOfThings[kind]
      .filter(({ as, field }) => as === "text" && field !== "timezone_name")
      .filter(({ example: { ru, mn } }) => /[a-z]/.test(ru + mn));

    expect(latin.map(({ field }) => field)).toEqual([]);
  });
});

describe("XLS-016 a model in a cell", () => {
  const field = fieldsOfThings.devices.find(({ as }) => as === "model");
  const read = (cell: string) => field && valueOf(field, cell, { kind: "devices", ...nothingNamed });

  test("is found by its whole name, with or without its brand", () => {
    expect(read("mercury 230 art")).toEqual({ value: 120 });
    expect(read("Incotex Mercury 230 ART")).toEqual({ value: 120 });
  });

  test("is not guessed from a part of a name; those that have the part are named", () => {
    const found = read("Mercury 23");

    expect(found).toMatchObject({ fault: { fault: "model_like" } });
    expect(JSON.stringify(found)).toContain("Incotex Mercury 230 ART");
    expect(read("Mercury 23x")).toEqual({ fault: { fault: "unknown_model", params: {} } });
    expect(read("X")).toEqual({ fault: { fault: "unknown_model", params: {} } });
  });
});

describe("XLS-004 what a spreadsheet has changed", () => {
  const read = (as: CellAs, cell: SheetCell, language: Language = "en") =>
    valueOf(column("x", as, text("", "", "")), cell, {
      kind: "devices",
      language,
      stations: new Map(),
      gateways: new Map([
        ["gw-0117", "356307042441013"],
        ["roof", null],
      ]),
    });
  const refused = (fault: string, params: object = {}) => ({ fault: { fault, params } });

  test.each([
    ["00123456", { value: "00123456" }],
    [123_456_789_012_345, { value: "123456789012345" }],
    ["89701020304050604321", { value: "89701020304050604321" }],
    ["M\u200d-1", { value: "M-1" }],
    [8.970_102_030_405_06e19, refused("digits_lost")],
    [1_234_567_890_123_456, refused("digits_lost")],
    [12.1, refused("digits_lost")],
    ["1,23457E+14", refused("digits_lost")],
    ["1.23457E+14", refused("digits_lost")],
    ["2026-01-02", refused("date_for_number")],
    ["02.01.2026 00:00:00", refused("date_for_number")],
    ["#N/A", refused("cell_error", { text: "#N/A" })],
    ["#Н/Д", refused("cell_error", { text: "#Н/Д" })],
  ])("FC-61 FC-63 a number %s is taken as it was written, or refused", (cell, value) => {
    expect(read("number_text", cell)).toEqual(value);
  });

  test("TRUST-028 a number has groups of three and a decimal mark, and one that may be two is refused with its text", () => {
    const cells = ["12\u202f345,5", "12,345.5", "12 345.5"];
    for (const language of ["ru", "en", "mn"] as const)
      expect(cells.map((cell) => read("number", cell, language))).toEqual(
        cells.map(() => ({ value: 12_345.5 })),
      );
    expect(read("number", "47,918", "ru")).toEqual({ value: 47.918 });
    for (const as of ["number", "minutes"] as const)
      expect(read(as, "47,918", "mn")).toEqual(refused("number_unsure", { text: "47,918" }));
    expect(read("number", "12 34")).toEqual(refused("number_needed"));
  });

  test.each([
    ["200/5", { value: 40 }],
    ["200 / 5 А", { value: 40 }],
    ["300/5x10000/100", { value: 6000 }],
    ["40 х 100", { value: 4000 }],
    ["12,5", { value: 12.5 }],
    [40, { value: 40 }],
    ["110/5", { value: 22 }],
    ["2026-05-20", refused("date_for_number")],
    ["5/200", refused("ratio_needed")],
    ["200/0", refused("ratio_needed")],
    ["100/3", refused("ratio_needed")],
    ["200/5/1", refused("ratio_needed")],
    ["200/", refused("ratio_needed")],
    ["x", refused("ratio_needed")],
    ["ТОЛ-10", refused("ratio_needed")],
  ])("XLS-002 a ratio %s is that of its transformers, or refused", (cell, value) => {
    expect(read("ratio", cell)).toEqual(value);
  });

  test("a number with more digits than can be stored is refused, and no other", () => {
    expect(read("number", "123456789012.123456")).toEqual(refused("digits_many"));
    expect(read("number", "123456789012345678")).toEqual(refused("digits_many"));
    expect(read("number", "1 234 567,890123")).toEqual({ value: 1_234_567.890_123 });
    expect(read("number", "49.466912345678901")).toEqual({ value: 49.466_912_345_678_9 });
    expect(read("number", "+.5")).toEqual({ value: 0.5 });
    expect(read("number", "1e3")).toEqual({ value: 1000 });
  });

  test("an error is refused in every column, and no error is taken for text", () => {
    for (const as of ["text", "number", "yes", "day", "model"] as const)
      expect(read(as, "#REF!")).toEqual(refused("cell_error", { text: "#REF!" }));
    expect(read("text", "#1 pump")).toEqual({ value: "#1 pump" });
  });

  test("FC-75 yes and no are known as Russian Excel writes them", () => {
    expect(["ИСТИНА", "ложь", "true"].map((cell) => read("yes", cell))).toEqual([
      { value: true },
      { value: false },
      { value: true },
    ]);
  });

  test("a date may have a time, and a period of minutes becomes seconds", () => {
    const day = Date.UTC(2026, 10, 22) / 86_400_000;

    for (const cell of ["22.11.2026", "22.11.2026 0:00", "2026-11-22 00:00:00", "2026-11-22"])
      expect(read("day", cell)).toEqual({ value: day });
    // Whether a bare number counts from 1900 or from 1904 is not known.
    for (const cell of ["32.11.2026", 46_000]) expect(read("day", cell)).toEqual(refused("day_needed"));
    expect(read("minutes", "30")).toEqual({ value: 1800 });
    expect(read("minutes", "half an hour")).toEqual(refused("number_needed"));
  });

  test("a gateway is found by its name, unless several have it", () => {
    expect(read("gateway", "GW-0117")).toEqual({ value: "356307042441013" });
    expect(read("gateway", "Roof")).toEqual(refused("gateway_names"));
    expect(read("gateway", "356307042441014")).toEqual({ value: "356307042441014" });
    expect(read("gateway", 3.563_070_424_410_13e17)).toEqual(refused("digits_lost"));
  });
});

describe("XLS-002 headings of the trade", () => {
  test.each([
    ["Заводской номер", "deviceID"],
    ["Зав.\n№", "deviceID"],
    ["Зав.№ прибора", "deviceID"],
    ["Сетевой адрес", "inside_addr"],
    ["Тип прибора", "model_id"],
    ["КТТ", "transformation_ratio"],
    ["Адрес установки", "place"],
    ["Период опроса", "report_period_minutes"],
    ["Период опроса (мин)", "report_period_minutes"],
    ["Период опроса, с", "report_period_update"],
    ["Период опроса (с)", "report_period_update"],
    ["Начальное показание (UTC+3)", "starting_value"],
    ["Кто ставил", null],
  ])("%s is known", (heading, field) => {
    expect(mappingOf(fieldsOfThings.devices, [heading], new Map())).toEqual([field]);
  });

  test("a field has one column, and one of another unit", () => {
    const headings = ["Период опроса, с", "Период опроса, мин", "Период опроса", "constructor"];

    expect(mappingOf(fieldsOfThings.devices, headings, new Map())).toEqual([
      "report_period_update",
      "report_period_minutes",
      null,
      null,
    ]);
  });
});

describe("XLS-016 a day and its cell", () => {
  const read = (cell: string) =>
    valueOf(column("x", "day", text("", "", "")), cell, { kind: "devices", ...nothingNamed });
  const two = (value: number): string => String(value).padStart(2, "0");

  test("every day of the calendar is read from its text, with a time or without, and no other", () => {
    const part = (most: number) => fc.integer({ min: 0, max: most });
    const time = fc.constantFrom("", " 00:00", " 7:05", " 23:59:59");
    fc.assert(
      fc.property(
        fc.integer({ min: 1970, max: 2199 }),
        part(13),
        part(32),
        time,
        (year, month, day, clock) => {
          const isReal =
            month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
          const expected = isReal
            ? { value: Date.UTC(year, month - 1, day) / 86_400_000 }
            : { fault: { fault: "day_needed", params: {} } };

          expect(read(`${String(year)}-${two(month)}-${two(day)}${clock}`)).toEqual(expected);
          expect(read(`${two(day)}.${two(month)}.${String(year)}${clock}`)).toEqual(expected);
          expect(read(`${String(day)}.${two(month)}.${String(year)}${clock}`)).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("XLS-004 the language of a person who imports", () => {
  const as = fc.constantFrom<CellAs>(
    "text",
    "number",
    "number_text",
    "ratio",
    "minutes",
    "yes",
    "day",
    "resource",
    "interface",
    "model",
  );
  const sign = fc.constantFrom(..."0123456789".split(""), ",", ".", " ", "\u00A0", "-", "/", "'", ":", "%");
  const cell = fc.oneof(
    fc.array(sign, { maxLength: 9 }).map((all) => all.join("")),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(
      "да",
      "yes",
      "тийм",
      "Электричество",
      "Electricity",
      "Цахилгаан",
      "RS-485",
      "null",
      "1,234",
      "1.234",
    ),
  );

  test("no cell has another value in another language: at most it is refused where it may be two", () => {
    fc.assert(
      fc.property(as, cell, (field, given) => {
        const found = languages.map((language) =>
          valueOf(column("x", field, text("", "", "")), given, {
            kind: "devices",
            ...nothingNamed,
            language,
          }),
        );
        const values = found.flatMap((each) => (each && "value" in each ? [each.value] : []));
        const faults = found.flatMap((each) => (each && "fault" in each ? [each.fault.fault] : []));

        expect(new Set(values).size).toBeLessThan(2);
        if (values.length > 0) expect(faults.filter((each) => each !== "number_unsure")).toEqual([]);
        else expect(new Set(faults).size).toBeLessThan(2);
      }),
      { numRuns: 1000 },
    );
  });
});
