import { createInstance, type TFunction } from "i18next";
import { beforeAll, expect, it } from "vitest";
import english from "../../locales/en/trace.json";
import mongolian from "../../locales/mn/trace.json";
import russian from "../../locales/ru/trace.json";
import { spanWords, stepWords } from "./traceWords.ts";

const words = new Map<string, TFunction<"trace">>();
beforeAll(async () => {
  const texts = createInstance();
  await texts.init({
    lng: "ru",
    resources: { ru: { trace: russian }, en: { trace: english }, mn: { trace: mongolian } },
  });
  for (const language of ["ru", "en", "mn"]) words.set(language, texts.getFixedT(language, "trace"));
});

const named = (name: string, language: "ru" | "en" | "mn", hasUnit = false) => {
  const t = words.get(language);
  if (!t) throw new Error(language);
  const said = spanWords(name, { t, language, resource: "electricity", hasUnit });
  return said.unit === "" ? said.name : `${said.name}, ${said.unit}`;
};
const asked = (label: string) => {
  const t = words.get("ru");
  if (!t) throw new Error("ru");
  return stepWords(label, t, (name) => named(name, "ru"));
};

it.each([
  ["Value.1.2, type", "значение 1.2: тип", "value 1.2: type"],
  ["AARQ, length", "запрос соединения AARQ: длина", "association request AARQ: length"],
  ["FCS, frame check", "контроль кадра FCS", "FCS, frame check"],
  ["voltage 2", "напряжение, фаза B", "voltage, phase B"],
  ["active power 1", "активная мощность, сумма", "active power, total"],
  ["A-, Wh", "энергия A−, Вт·ч", "energy A−, Wh"],
  ["A+ of phase 2, Wh", "энергия A+, фаза B, Вт·ч", "energy A+, phase B, Wh"],
  ["battery, %", "заряд батареи, %", "battery, %"],
  ["period, minutes", "период, мин", "period, min"],
  ["1.8.1", "Энергия A+, тариф 1 (1.8.1)", "Energy A+, tariff 1 (1.8.1)"],
  ["0-0:96.1.1", "номер прибора (0-0:96.1.1)", "number of the meter (0-0:96.1.1)"],
  ["1-0:21.7.0", "Активная мощность, фаза A (1-0:21.7.0)", "Active power, phase A (1-0:21.7.0)"],
  ["1-0:2.7.0", "Активная мощность, отдача (1-0:2.7.0)", "Active power, exported (1-0:2.7.0)"],
  ["1-0:32.7.0", "Напряжение, фаза A (1-0:32.7.0)", "Voltage, phase A (1-0:32.7.0)"],
  ["VOLTA", "Напряжение (VOLTA)", "Voltage (VOLTA)"],
  ["address", "адрес прибора", "address of the device"],
  ["9.9.9", "9.9.9", "9.9.9"],
])("%s", (name, russianName, englishName) => {
  expect(named(name, "ru")).toBe(russianName);
  expect(named(name, "en")).toBe(englishName);
});

it("an address behind a unit is a register", () => {
  expect(named("address", "ru", true)).toBe("адрес регистра");
});

it("what the frames of all meters are made of is said in Mongolian too", () => {
  for (const name of [
    "HCS, header check",
    "OBIS code",
    "code: read energy",
    "CR LF",
    "ETX, BCC",
    "identification",
  ])
    expect(named(name, "mn")).toMatch(/[а-яөү]/);
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
  expect(asked(label)).toBe(said);
});
