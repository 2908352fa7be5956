import { describe, expect, it } from "vitest";
import { languages, type Language } from "../text.ts";
import { traceCodes, wordTables } from "./codes.ts";
import { traceParts, type TraceName, type TraceTerm } from "./types.ts";
import { traceValue, type ReadValue } from "./values.ts";
import { traceLook, traceWords, type ReadName } from "./words.ts";

const words = (name: ReadName, language: Language = "ru") =>
  traceWords(name, { language, resource: "electricity" });
const sentence = (name: ReadName, language: Language = "ru") => {
  const { name: own, unit } = words(name, language);
  return unit === "" ? own : `${own}, ${unit}`;
};

describe("codes", () => {
  it("have texts in three languages, with the same arguments in each", () => {
    const argumentsOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([each]) => each).toSorted();
    for (const [code, entry] of [...traceCodes, ...Object.entries(traceParts)]) {
      const [russian, english, mongolian] = entry;
      expect(
        [russian, english, mongolian].every((text) => text.trim() !== ""),
        code,
      ).toBe(true);
      expect(argumentsOf(english), code).toEqual(argumentsOf(russian));
      expect(argumentsOf(mongolian), code).toEqual(argumentsOf(russian));
    }
  });

  it("are in one table each", () => {
    const all = wordTables.flatMap((table) => Object.keys(table));

    expect(all.length).toBe(traceCodes.size);
  });

  it("are in Cyrillic in Russian and Mongolian, unless they are proper names", () => {
    const latin = (language: Language) =>
      [...traceCodes.keys()].filter((code) => !/[а-яёөү]/i.test(sentence({ code, n: "" }, language)));

    for (const language of ["ru", "mn"] as const)
      expect(latin(language)).toEqual(["verbatim", "cos_phi", "field", "data_set"]);
  });

  it("that no table has cannot be returned by a protocol", () => {
    // @ts-expect-error a code that no table has
    const unknown: TraceName = "flux_capacitor";
    // @ts-expect-error the same with arguments
    const unknownTerm: TraceTerm = { code: "flux_capacitor", unit: "W" };
    // @ts-expect-error words with a number want one
    const bare: TraceName = "register";
    // @ts-expect-error no field of the vocabulary
    const field: TraceTerm = { code: "field", field: "flux" };

    expect([unknown, unknownTerm, bare, field].length).toBe(4);
  });

  it("of another release are shown as they are", () => {
    expect(sentence("flux_capacitor")).toBe("flux_capacitor");
    expect(sentence({ code: "flux_capacitor", part: "charge", unit: "gigawatt" })).toBe(
      "flux_capacitor, gigawatt",
    );
    expect(traceLook("flux_capacitor")).toBeUndefined();
  });
});

describe("names of parts of a frame", () => {
  it("a field of the vocabulary has its title, its unit and its position", () => {
    const register = { table: "input", address: 10, type: "f32" } as const;

    expect(words({ code: "field", field: "voltage1", register })).toEqual({
      name: "Напряжение, фаза A",
      how: "входной регистр 0x000A, f32",
      unit: "В",
    });
  });

  it("encrypted bytes, and those split by a radio checksum, keep their names and are marked", () => {
    const volume = { code: "volume", unit: "m^3", isDecrypted: true };

    expect(words(volume)).toEqual({ name: "объём", how: "расшифровано", unit: "м³" });
    expect(words({ ...volume, isContinued: true })).toEqual({
      name: "объём, продолжение",
      how: "расшифровано",
      unit: "м³",
    });
  });

  it("a check field that was not compared has the reason", () => {
    expect(words({ code: "crc", isUnchecked: true })).toMatchObject({
      name: "контрольная сумма CRC",
      how: "не проверено: пароль скрыт",
    });
  });

  it.each<[ReadName, string, string]>([
    ["c_field", "управление C", "control C"],
    ["m_field", "изготовитель M", "manufacturer M"],
    [{ code: "volume_flow", unit: "m^3/h" }, "расход, м³/ч", "volume flow, m³/h"],
    [{ code: "value", path: "1.2", part: "type" }, "значение 1.2: тип", "value 1.2: type"],
    [{ code: "aarq", part: "length" }, "запрос соединения AARQ: длина", "association request AARQ: length"],
    ["fcs", "контроль кадра FCS", "FCS, frame check"],
    [{ code: "voltage", phase: 2 }, "напряжение, фаза B", "voltage, phase B"],
    [{ code: "active_power", phase: 0 }, "активная мощность, сумма", "active power, total"],
    [{ code: "energy_way", n: "A−", unit: "Wh" }, "энергия A−, Вт·ч", "energy A−, Wh"],
    [
      { code: "energy_way", n: "A+", phase: 2, unit: "Wh" },
      "энергия A+, фаза B, Вт·ч",
      "energy A+, phase B, Wh",
    ],
    [{ code: "battery", unit: "%" }, "заряд батареи, %", "battery, %"],
    [{ code: "period", unit: "min" }, "период, мин", "period, min"],
    [{ code: "data_set", n: "1.8.1" }, "Энергия A+, тариф 1 (1.8.1)", "Energy A+, tariff 1 (1.8.1)"],
    [{ code: "data_set", n: "0-0:96.1.1" }, "номер прибора (0-0:96.1.1)", "number of the meter (0-0:96.1.1)"],
    [
      { code: "data_set", n: "1-0:21.7.0" },
      "Активная мощность, фаза A (1-0:21.7.0)",
      "Active power, phase A (1-0:21.7.0)",
    ],
    [
      { code: "data_set", n: "1-0:2.7.0" },
      "Активная мощность, отдача (1-0:2.7.0)",
      "Active power, exported (1-0:2.7.0)",
    ],
    [
      { code: "data_set", n: "1-0:32.7.0" },
      "Напряжение, фаза A (1-0:32.7.0)",
      "Voltage, phase A (1-0:32.7.0)",
    ],
    [{ code: "data_set", n: "VOLTA" }, "Напряжение (VOLTA)", "Voltage (VOLTA)"],
    [{ code: "data_set", n: "9.9.9" }, "9.9.9", "9.9.9"],
    ["device_address", "адрес прибора", "address of the device"],
    ["register_address", "адрес регистра", "register address"],
  ])("%j", (name, russian, english) => {
    expect(sentence(name)).toBe(russian);
    expect(sentence(name, "en")).toBe(english);
  });
});

interface Reading {
  readonly bytes?: number;
  readonly language?: Language;
}
const read = (name: ReadName, value: ReadValue, { bytes = 2, language = "ru" }: Reading = {}) =>
  traceValue(
    { name, value, bytes },
    {
      language,
      resource: "electricity",
      number: (of, decimals) => of.toFixed(decimals),
      moment: (at) => `at ${String(at)}`,
    },
  );

describe("values", () => {
  it("codes are hexadecimal, measured ones keep every digit", () => {
    expect(read("crc", 0x83a2)).toBe("0x83A2");
    expect(read("etx_bcc", { hex: 0x42, bytes: 1 })).toBe("0x42");
    expect(read("frame_format", 0xa03a)).toBe("0xA03A");
    expect(read({ code: "field", field: "voltage1" }, 227.96123)).toBe("227.96123");
    expect(read("register_count", 36)).toBe("36");
  });

  it("a register address is a location, a device address is a number", () => {
    expect(read("register_address", 80)).toBe("0x0050");
    expect(read("device_address", 17)).toBe("17");
  });

  it("a number of seconds since 1970 is a time, a short one is not", () => {
    expect(read("time", 1_795_330_800, { bytes: 4 })).toBe("at 1795330800");
    expect(read("time", 90)).toBe("90");
  });

  it.each<[ReadName, ReadValue, string]>([
    ["vif", { word: { code: "volume_flow", unit: "m^3/h" } }, "расход, м³/ч"],
    ["vif", { word: { code: "energy", unit: "Wh", detail: "phase L1" } }, "энергия, phase L1, Вт·ч"],
    ["vif", { word: "time_point" }, "время прибора"],
    ["medium", { word: "medium_heat_outlet" }, "тепло, обратка"],
    [{ code: "value", part: "type" }, { word: "type_octets" }, "байты"],
    ["clock", { local: "2026-11-22T15:41:35", season: "winter" }, "22.11.2026 15:41:35, зимнее время"],
    ["time_point", { local: "2026-11-22T16:43:00Z" }, "22.11.2026 16:43:00"],
    ["date_of_manufacture", { local: "2021-03-04" }, "04.03.2021"],
    [
      "settings",
      { word: { code: "si11_settings", n: "OTAA", count: 30, unit: "min" } },
      "OTAA, раз в 30 мин",
    ],
    [
      "settings",
      { word: { code: "si11_settings_guarded", n: "ABP", count: 1, unit: "h", detail: "3, 4" } },
      "ABP, раз в 1 ч, охранные входы 3, 4",
    ],
    ["status", { word: "status_channel_not_open" }, "канал не открыт"],
    ["manufacturer", "KAM", "KAM"],
    ["ci_layer", { word: "ci_records_short_header" }, "записи, короткий заголовок"],
    [{ code: "volume", unit: "m^3", isDecrypted: true }, 12.5, "12.5"],
    [{ code: "volume", unit: "m^3", isDecrypted: true, isContinued: true }, 12.5, ""],
  ])("%j %j", (name, value, text) => {
    expect(read(name, value)).toBe(text);
  });

  it("exist in Mongolian too", () => {
    const energy = { word: { code: "energy", unit: "Wh" } };

    expect(read("vif", energy, { language: "mn" })).toBe("эрчим хүч, Вт·ц");
    expect(read("medium", { word: "medium_cold_water" }, { language: "mn" })).toBe("хүйтэн ус");
    expect(read("radio_check", { word: "right" }, { language: "mn" })).toBe("зөв");
    expect(languages.map((language) => read("status", { word: "status_ok" }, { language }))).toEqual([
      "выполнено",
      "done",
      "гүйцэтгэсэн",
    ]);
  });
});
