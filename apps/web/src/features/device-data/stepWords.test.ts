import { createInstance, type TFunction } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import english from "../../locales/en/trace.json";
import russian from "../../locales/ru/trace.json";
import { askedWords, stepWords } from "./stepWords.ts";

let en: TFunction<"trace">;
let ru: TFunction<"trace">;
beforeAll(async () => {
  const texts = createInstance();
  await texts.init({ lng: "en", resources: { ru: { trace: russian }, en: { trace: english } } });
  en = texts.getFixedT("en", "trace");
  ru = texts.getFixedT("ru", "trace");
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

it.each([
  ["Read 1.0.94.7.0.255 attribute 3, segment 2", "1.0.94.7.0.255, атрибут 3, часть 2"],
  [
    "Read 1.0.99.1.0.255 attribute 2, rows from 2026-11-20T05:30 to 2026-11-22T04:30, block 2, segment 3",
    "1.0.99.1.0.255, атрибут 2, с 20.11.2026 05:30 по 22.11.2026 04:30, блок 2, часть 3",
  ],
  ["Associate (AARQ)", "Ассоциация (AARQ)"],
  ["Read energy, period 0, month 0, tariff 3", "Энергия от сброса, тариф 3"],
  ["Read energy, period 0, month 0, tariff 0", "Энергия от сброса, сумма"],
  ["Read energy, period 3, month 11, tariff 0", "Энергия: период 3, месяц 11, тариф 0"],
  ["Read voltage", "Чтение: напряжение"],
  ["Read the clock", "Чтение: часы прибора"],
  ["Read VOLTA()", "Чтение: Напряжение (VOLTA)"],
  ["Sign on to 43020001", "Вызов 43020001"],
  ["Break off", "Завершение сеанса"],
])("%s", (label, said) => {
  expect(stepWords(label, ru, (name) => askedWords(name, { language: "ru", resource: "electricity" }))).toBe(
    said,
  );
});
