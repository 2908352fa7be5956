import { describe, expect, it } from "vitest";
import { partsOf, type Listed } from "./directory.ts";
import { commandTitles, measuredOf, protocolName, tabTitles } from "./modelWords.ts";

const listed: readonly Listed[] = [
  { id: 1, brand: "Eastron", title: "SDM630", interface_ids: [4], device_group_id: 4, kind: "meter" },
  { id: 2, brand: "Eastron", title: "SDM72", interface_ids: [4], device_group_id: 4, kind: "meter" },
  { id: 3, brand: "ABB", title: "B23", interface_ids: [4], device_group_id: 4, kind: "meter" },
  { id: 4, brand: "Moxa", title: "NPort", interface_ids: [7], device_group_id: null, kind: "gateway" },
];
const words = { gateway: "Gateways", base_station: "Base stations" };

describe("the directory of models", () => {
  it("is grouped by resource, then gateways and base stations, in the order of names", () => {
    const parts = partsOf(listed, { search: "", language: "en", words });

    expect(parts.map(({ title, models }) => [title, models.map(({ id }) => id)])).toEqual([
      ["Electricity", [3, 2, 1]],
      ["Gateways", [4]],
    ]);
  });

  it("searches brand and title together, ignoring case, and hides empty groups", () => {
    expect(partsOf(listed, { search: " eastron sdm6", language: "en", words })).toMatchObject([
      { key: "electricity", models: [{ id: 1 }] },
    ]);
    expect(partsOf(listed, { search: "nothing like it", language: "en", words })).toEqual([]);
  });
});

describe("the data sheet of a model", () => {
  it("titles fields by the resource of the model: the same name is energy in another unit", () => {
    expect(measuredOf(["tariff1"], 4, "en")).toEqual([
      { name: "tariff1", title: "Energy A+, tariff 1", unit: "kWh" },
    ]);
    expect(measuredOf(["tariff1"], 3, "ru")).toEqual([
      { name: "tariff1", title: "Тепловая энергия", unit: "Гкал" },
    ]);
  });

  it("has tabs in the order of the data page, commands in words, protocols by their names", () => {
    expect(tabTitles(["journal", "tariffs"], "en")).toEqual(["Indications", "Poll log"]);
    expect(commandTitles(["read_info", "unknown_key"], "en")).toEqual([
      "Read device information",
      "unknown_key",
    ]);
    expect(["dlms", "decentlab-dl-rhc", "unknown"].map(protocolName)).toEqual([
      "DLMS/COSEM",
      "LoRaWAN, Decentlab DL-RHC",
      "unknown",
    ]);
  });
});
