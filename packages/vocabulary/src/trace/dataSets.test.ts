import { expect, it } from "vitest";
import { fieldOf, fields, isFieldName } from "../fields.ts";
import { dataSetWords } from "./dataSets.ts";

const words = (address: string, language: "ru" | "en" | "mn" = "en") =>
  dataSetWords(address, { language, resource: "electricity" });

it.each([
  ["1.8.0", "tariff0"],
  ["1-0:1.8.2", "tariff2"],
  ["1-0:2.8.1*255", "tariff_negative1"],
  ["3.8.0", "tariff_reactive0"],
  ["4.8.3", "tariff_reactive_negative3"],
  ["1.7.0", "power_active"],
  ["3.7.0", "power_reactive"],
  ["9.7.0", "power_apparent"],
  ["13.7.0", "cos0"],
  ["14.7.0", "Frequency"],
  ["21.7.0", "power_active1"],
  ["41.7.0", "power_active2"],
  ["61.7.0", "power_active3"],
  ["31.7.0", "current1"],
  ["51.7.0", "current2"],
  ["71.7.0", "current3"],
  ["32.7.0", "voltage1"],
  ["52.7.0", "voltage2"],
  ["72.7.0", "voltage3"],
  ["33.7.0", "cos1"],
  ["53.7.0", "cos2"],
  ["73.7.0", "cos3"],
  ["ET0PE", "tariff0"],
  ["ET0QE", "tariff_reactive0"],
  ["POWEP", "power_active"],
  ["POWEQ", "power_reactive"],
  ["FREQU", "Frequency"],
])("%s is told as the field %s", (address, field) => {
  if (!isFieldName(field)) throw new Error(field);
  for (const language of ["ru", "en", "mn"] as const)
    expect(words(address, language)).toBe(`${fieldOf(field, "electricity").title[language]} (${address})`);
});

it.each([
  ["2.7.0", "power_active"],
  ["4.7.0", "power_reactive"],
  ["22.7.0", "power_active1"],
  ["42.7.0", "power_active2"],
  ["62.7.0", "power_active3"],
] as const)("%s is the exported part of %s", (address, field) => {
  const { ru, en, mn } = fields[field].title;

  expect([words(address, "ru"), words(address), words(address, "mn")]).toEqual([
    `${ru}, отдача (${address})`,
    `${en}, exported (${address})`,
    `${mn}, буцаан өгсөн (${address})`,
  ]);
});

it("three phases under one name are told without the phase", () => {
  expect([words("VOLTA"), words("CURRE")]).toEqual(["Voltage (VOLTA)", "Current (CURRE)"]);
  expect([words("VOLTA", "ru"), words("POWPP", "en")]).toEqual([
    ...["Напряжение (VOLTA)", "active power of the phases (POWPP)"],
  ]);
});

it("lines of a telegram without a reading have their words, unknown ones are shown as they are", () => {
  expect(["1-3:0.2.8", "0-0:1.0.0", "0-0:96.1.1", "0-0:96.13.0"].map((each) => words(each))).toEqual([
    "version of P1 (1-3:0.2.8)",
    "time of the telegram (0-0:1.0.0)",
    "number of the meter (0-0:96.1.1)",
    "message of the supplier (0-0:96.13.0)",
  ]);
  expect(["5.8.0", "1.7", "99.7.0", "1.6.0", "XXXXX"].map((each) => words(each))).toEqual([
    ...["5.8.0", "1.7", "99.7.0", "1.6.0", "XXXXX"],
  ]);
});
