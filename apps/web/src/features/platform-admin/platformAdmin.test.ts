import type { AdminDeviceRow } from "@metrum/contract/headend";
import { describe, expect, it } from "vitest";
import { nextSort, readGridState } from "#ui/grid";
import { phasesOf } from "#ui/vectorDiagram";
import { modemList } from "./modemList.tsx";
import { barsOf, chosen, pageOf, pollInputOf } from "./modems.ts";
import { linesOf } from "./pollValues.ts";

const aRow = (over: Partial<AdminDeviceRow> = {}): AdminDeviceRow => ({
  device_id: "861503047120932",
  broker_port: 7001,
  ip_address: "10.0.0.1",
  last_date: 1_795_000_000,
  connect_status: true,
  modem_type: null,
  end_device_type: null,
  end_device_version: null,
  rssi: null,
  is_known: true,
  ...over,
});
const stateOf = (search: Readonly<Record<string, unknown>>) => readGridState(search, modemList.defaults);
const idsOf = (rows: readonly AdminDeviceRow[]) => rows.map(({ device_id }) => device_id);

describe("the list of modems", () => {
  it("PADMIN-003: the search finds a part of the id in any case", () => {
    const rows = [aRow({ device_id: "GW-abC1" }), aRow({ device_id: "GW-xyz" })];

    expect(idsOf(chosen(rows, stateOf({ q: " ABC " })))).toEqual(["GW-abC1"]);
  });

  it("PADMIN-006 PADMIN-007: port and status narrow it", () => {
    const rows = [
      aRow({ device_id: "a" }),
      aRow({ device_id: "b", broker_port: 7002 }),
      aRow({ device_id: "c", connect_status: false }),
    ];

    expect(idsOf(chosen(rows, stateOf({ "f.port": "7002" })))).toEqual(["b"]);
    expect(idsOf(chosen(rows, stateOf({ "f.status": "offline" })))).toEqual(["c"]);
    expect(idsOf(chosen(rows, stateOf({ "f.status": "online" })))).toEqual(["a", "b"]);
  });

  it("PADMIN-008 PADMIN-009: the newest are first, and only name and time can be sorted", () => {
    const rows = [
      aRow({ device_id: "b", last_date: 1 }),
      aRow({ device_id: "a", last_date: 2 }),
      aRow({ device_id: "c", last_date: 3 }),
    ];

    expect(idsOf(chosen(rows, stateOf({})))).toEqual(["c", "a", "b"]);
    expect(idsOf(chosen(rows, stateOf({ sort: "device_id" })))).toEqual(["a", "b", "c"]);
    expect(idsOf(chosen(rows, stateOf({ sort: "-rssi" })))).toEqual(["c", "a", "b"]);
  });

  it("PADMIN-010: another click reverses the order", () => {
    const once = nextSort(modemList.defaults.sort, "last_date");

    expect([once.desc, nextSort(once, "last_date").desc]).toEqual([false, true]);
  });

  it("PADMIN-011: a page has 10 to 1000 rows; one beyond the end is the last", () => {
    const rows = Array.from({ length: 1203 }, (_, at) => aRow({ device_id: String(at) }));

    expect(modemList.defaults.sizes).toEqual([10, 25, 100, 250, 500, 1000]);
    expect(pageOf(rows, stateOf({ size: 1000, page: 2 }))).toHaveLength(203);
    expect(pageOf(rows, stateOf({ size: 250, page: 99 }))).toHaveLength(203);
  });

  it("10,000 rows are searched and sorted without loss", () => {
    const rows = Array.from({ length: 10_000 }, (_, at) =>
      aRow({ device_id: String(861503047120932 + at), last_date: at % 977 }),
    );

    expect(chosen(rows, stateOf({ q: "8615", sort: "device_id" }))).toHaveLength(10_000);
  });

  it("PADMIN-015: a poll is requested by broker_port and device_id", () => {
    expect(pollInputOf(aRow({ broker_port: 7002, device_id: "x" }))).toEqual({
      body: { port: 7002, imei: "x" },
    });
  });

  it("draws the signal in four bars", () => {
    expect([-110, -95, -81, -66, -51].map(barsOf)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("the result of a poll", () => {
  const title = (name: string, unit: string, device_group_id = 4) => ({
    name,
    title: `${name} ru`,
    title_en: `${name} en`,
    unit: { title: unit },
    device_group_id,
  });
  const words = {
    titles: [
      title("tariff1", "Gcal", 3),
      title("tariff1", "kWh"),
      title("voltage1", "V"),
      title("model", "", 0),
    ],
    language: "en" as const,
    number: String,
    time: (at: number) => `at ${String(at)}`,
    head: (name: string) => `head ${name}`,
  };

  it("PADMIN-016 PADMIN-017 PADMIN-018: received values, in order, with title and unit of the directory", () => {
    const lines = linesOf({ voltage1: 230, tariff1: 5, model: "SDM630", datetime: 7 }, words);

    expect(lines.map(({ title: shown, unit, value }) => [shown, unit, value])).toEqual([
      ["model en", "", "SDM630"],
      ["datetime", "", "at 7"],
      ["tariff1 en", "kWh", "5"],
      ["voltage1 en", "V", "230"],
    ]);
  });

  it("PADMIN-019: numbers have at most two decimals, without trailing zeros", () => {
    const values = linesOf({ tariff1: 233_502.9649, voltage1: 230.1, current1: 4 }, words);

    expect(values.map(({ value }) => value)).toEqual(["233502.96", "230.1", "4"]);
  });

  it("PADMIN-017: Mongolian, which the directory lacks, comes from the vocabulary", () => {
    const lines = linesOf({ model: "SDM630", voltage1: 230 }, { ...words, language: "mn" });

    expect(lines.map(({ title: shown, unit }) => [shown, unit])).toEqual([
      ["head model", ""],
      ["Хүчдэл, фаз A", "В"],
    ]);
  });

  it("PADMIN-020: a missing value is a dash", () => {
    expect(linesOf({ serial_number: "", tariff1: null }, words).map(({ value }) => value)).toEqual([
      "—",
      "—",
    ]);
  });

  it("PADMIN-021: vectors need all three voltages", () => {
    expect(phasesOf({ voltage1: 230, voltage2: 231, current1: 1 })).toBeUndefined();
    expect(phasesOf({ voltage1: 230, voltage2: 231, voltage3: null })).toBeUndefined();
    expect(phasesOf({ voltage1: 230, voltage2: 231, voltage3: 229, current2: 4, cos2: 0.9 })?.[1]).toEqual({
      voltage: 231,
      current: 4,
      cos: 0.9,
    });
  });
});
