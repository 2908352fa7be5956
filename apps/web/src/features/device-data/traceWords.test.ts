import { createInstance, type TFunction } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import english from "../../locales/en/trace.json";
import russian from "../../locales/ru/trace.json";
import { spanWords, stepWords } from "./traceWords.ts";

let ru: TFunction<"trace">;
let en: TFunction<"trace">;
beforeAll(async () => {
  const texts = createInstance();
  await texts.init({ lng: "ru", resources: { ru: { trace: russian }, en: { trace: english } } });
  ru = texts.getFixedT("ru", "trace");
  en = texts.getFixedT("en", "trace");
});

const words = (name: string) => spanWords(name, { t: ru, language: "ru", resource: "electricity" });

describe("names of stretches", () => {
  it("a field of the vocabulary has its title, its unit and where it was read", () => {
    expect(words("voltage1 (input 0x000a, f32)")).toEqual({
      name: "Напряжение, фаза A",
      how: "входной регистр 0x000A, f32",
      unit: "В",
    });
  });

  it("what a driver names itself is translated, and the unit stands apart", () => {
    expect(words("C, control field").name).toBe("управление C");
    expect(words("Volume flow, m^3/h")).toEqual({ name: "расход", how: "", unit: "м³/ч" });
  });

  it("what was encrypted, or is cut by a check sum of the radio, keeps its name and says so", () => {
    expect(words("Decrypted: Volume, m^3")).toEqual({ name: "объём", how: "расшифровано", unit: "м³" });
    expect(words("Decrypted: Volume, m^3, continued")).toEqual({
      name: "объём, продолжение",
      how: "расшифровано",
      unit: "м³",
    });
    expect(words("M, manufacturer").name).toBe("изготовитель M");
  });

  it("a name that nobody knows stays as it came", () => {
    expect(words("Special supplier, 7").name).toBe("Special supplier, 7");
  });
});

describe("labels of questions", () => {
  it.each([
    ["Read input registers 0x0000-0x0023", "Registers 0x0000–0x0023"],
    ["Initialise the link to address 3", "Open the link, address 3"],
    ["Radio | -70 dBm | 9 dB | SF7BW125 | 2 gw", "Heard by radio: −70 dBm, 9 dB, SF7BW125, 2 gateways"],
    ["Status | margin 7 dB | 80 %", "Heard by the device with 7 dB, 80 %"],
    ["Missing 3", "3 messages missing before this one"],
    ["Join 00189440", "Address 00189440"],
    ["Downlink, port 4", "To the device, port 4"],
    ["Downlink not_acknowledged 4", "Not confirmed by the device"],
    ["Downlink sent", "Sent by a gateway"],
    ["Read telegram 1", "Telegram 1"],
    ["Telegram", "Telegram"],
    ["Select meter 33910001", "Select meter 33910001"],
    ["Uplink 12, port 2", "Uplink 12, port 2"],
    ["Anything else", "Anything else"],
  ])("%s", (label, said) => {
    expect(stepWords(label, en)).toBe(said);
  });
});
