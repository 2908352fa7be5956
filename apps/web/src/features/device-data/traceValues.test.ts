import { createInstance, type TFunction } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import english from "../../locales/en/trace.json";
import mongolian from "../../locales/mn/trace.json";
import russian from "../../locales/ru/trace.json";
import { failureWords } from "./failureWords.ts";
import { spanValue } from "./traceValues.ts";

const words = new Map<string, TFunction<"trace">>();
beforeAll(async () => {
  const texts = createInstance();
  const resources = { ru: { trace: russian }, en: { trace: english }, mn: { trace: mongolian } };
  await texts.init({ lng: "ru", resources });
  for (const language of Object.keys(resources)) words.set(language, texts.getFixedT(language, "trace"));
});

type Language = "ru" | "en" | "mn";
const wordsOf = (language: Language) => {
  const t = words.get(language);
  if (!t) throw new Error(language);
  return t;
};
interface Reading {
  readonly bytes?: number;
  readonly hasUnit?: boolean;
  readonly language?: Language;
}
const read = (
  name: string,
  value: number | string | null,
  { bytes = 2, hasUnit = false, language = "ru" }: Reading = {},
) =>
  spanValue(
    { offset: 0, bytes, name, value },
    {
      t: wordsOf(language),
      language,
      resource: "electricity",
      hasUnit,
      number: (of, decimals = 0) => of.toFixed(decimals),
      moment: (at) => `at ${String(at)}`,
    },
  );

describe("numbers", () => {
  it("codes are hexadecimal, measured ones keep every digit", () => {
    expect(read("CRC", 0x83a2)).toBe("0x83A2");
    expect(read("ETX, BCC", 0x42)).toBe("0x42");
    expect(read("frame format: type, segmentation, length", 0xa03a)).toBe("0xA03A");
    expect(read("voltage1 (input 0x0000, f32)", 227.96123)).toBe("227.96123");
    expect(read("count", 36)).toBe("36");
  });

  it("an address is a place behind a unit, else the number of a meter", () => {
    expect(read("address", 80, { hasUnit: true })).toBe("0x0050");
    expect(read("address", 17)).toBe("17");
  });

  it("a count of seconds since 1970 is a moment, a short one is not", () => {
    expect(read("time", 1_795_330_800, { bytes: 4 })).toBe("at 1795330800");
    expect(read("time", 90)).toBe("90");
  });
});

describe("words of drivers", () => {
  it.each([
    ["VIF, value information", "Volume flow, m^3/h", "расход, м³/ч"],
    ["VIF, value information", "Time point (date & time), -", "время прибора"],
    ["Medium", "Heat: Outlet", "тепло, обратка"],
    ["Value.1.2, type", "octets", "байты"],
    ["clock", "2026-11-22T15:41:35 winter", "22.11.2026 15:41:35, зимнее время"],
    ["Time point (date & time), -", "2026-11-22T16:43:00Z", "22.11.2026 16:43:00"],
    ["date of manufacture", "2021-03-04", "04.03.2021"],
    ["settings", "OTAA, every 30 min", "OTAA, раз в 30 мин"],
    ["settings", "ABP, every 1 h, security inputs 3 4", "ABP, раз в 1 ч, охранные входы 3, 4"],
    ["status", "channel not open", "канал не открыт"],
    ["manufacturer", "KAM", "KAM"],
    ["Medium", "Something new", "Something new"],
  ])("%s %s", (name, value, said) => {
    expect(read(name, value)).toBe(said);
  });

  it("are said in Mongolian too", () => {
    expect(read("VIF, value information", "Energy, Wh", { language: "mn" })).toBe("эрчим хүч, Вт·ц");
    expect(read("Medium", "Cold water", { language: "mn" })).toBe("хүйтэн ус");
  });
});

it("a failure is said by its kind, then by what the driver adds", () => {
  const said = (kind: string, message: string, language: Language = "ru") =>
    failureWords({ kind, message }, { t: wordsOf(language), language });

  expect(said("timeout", "no answer")).toBe("нет ответа");
  expect(said("checksum", "CRC does not match")).toBe("ошибка контрольной суммы: CRC не сходится");
  expect(said("refused", "exception 4: device failure", "mn")).toBe(
    "төхөөрөмж татгалзсан: exception 4: device failure",
  );
});

it("words of a radio telegram are those of the reader, and a value that a check sum cuts stands once", () => {
  expect(read("CI, what follows", "records, short header")).toBe("записи, короткий заголовок");
  expect(read("Decrypted: CI, what follows", "records, no header", { language: "en" })).toBe(
    "records, no header",
  );
  expect(read("Check sum of the radio", "right", { language: "mn" })).toBe("зөв");
  expect(read("Decrypted: VIF, value information", "Volume, m^3")).toBe("объём, м³");
  expect(read("Decrypted: Volume, m^3", 12.5)).toBe("12.5");
  expect(read("Decrypted: Volume, m^3, continued", 12.5)).toBe("");
});
