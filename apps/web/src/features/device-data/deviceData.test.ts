import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAddress, writeAddress } from "./address.ts";
import {
  isShown,
  mergeColumns,
  secondsOf,
  switchesOf,
  toTable,
  type DataColumn,
  type FieldHeader,
  wordsOf,
} from "./tabs/readings/dataTable.ts";
import { toCsv } from "#lib/csv";
import { dataCsv, type CsvOf } from "./tabs/readings/dataCsv.ts";
import { withoutGapSums, lateBy, stateOfRow, withGaps, type DataRow } from "./tabs/readings/rows.ts";
import { stepOf } from "./tabs/readings/rhythm.ts";
import { tabsOf } from "./tabs/tabs.ts";
import { buildChart, chartColumns, hasGrowth, kindOf, lookOf, scalesOf } from "./tabs/readings/series.ts";

const half = 1800;
const column = (...values: number[]) => Float64Array.from(values);
const header = (name: string, unit = "kW"): FieldHeader => ({
  name,
  title: `ru ${name}`,
  title_en: `en ${name}`,
  unit,
  decimals: 3,
});
const aColumn = (name: string, unit: string, values = column(1)): DataColumn => ({
  name,
  title: name,
  unit,
  decimals: 3,
  values,
});
const usual = { has_own_starting_value: false };
const all = { delta: true, losses: true, transformer: true, energy: "ar" } as const;

describe("columns of an answer", () => {
  it("GENERAL-017: a column without a value in any row is not shown", () => {
    const table = toTable(
      { datetime: [0, half], power_a_plus: [1, null], power_a_minus: [null, null] },
      [header("power_a_plus"), header("power_a_minus"), header("power_r_plus")],
      (each) => ({ title: each.title_en, unit: each.unit }),
    );

    expect(table.columns.map((each) => each.name)).toEqual(["power_a_plus"]);
    expect([...(table.columns[0]?.values ?? [])]).toEqual([1, Number.NaN]);
  });

  it("rows are in ascending time in whatever order they were sent", () => {
    const table = toTable(
      { datetime: [half, 0], in1: [2, 1], status: ["late", "measured"] },
      [header("in1", "m³")],
      (each) => ({ title: each.title, unit: each.unit }),
    );

    expect([...table.time]).toEqual([0, half]);
    expect([...(table.columns[0]?.values ?? [])]).toEqual([1, 2]);
    expect(table.status).toEqual(["measured", "late"]);
  });

  it("a stored field has titles in all three languages, a derived one in the two of the server", () => {
    const tariff = { name: "tariff1", title: "ru", title_en: "en", unit: "kWh", decimals: 3 };
    const words = (name: string, resource: "electricity" | "heat", language: "ru" | "mn") =>
      wordsOf({ ...tariff, name }, { resource, language, derived: (kind, title) => `${kind} of ${title}` })
        .title;

    expect(words("tariff1", "electricity", "mn")).toBe("Эрчим хүч A+, тариф 1");
    expect(words("tariff1", "heat", "ru")).toBe("Тепловая энергия");
    expect(words("delta_tariff1", "heat", "ru")).toBe("delta of Тепловая энергия");
    expect(words("tariff1_kkt", "electricity", "mn")).toBe("en");
  });

  it("DATA-040: stamps below 11 digits are seconds, longer ones milliseconds", () => {
    expect(secondsOf(1_790_000_000)).toBe(1_790_000_000);
    expect(secondsOf(1_790_000_000_000)).toBe(1_790_000_000);
  });

  it("DATA-041: models that apply the starting value themselves hide it, others show it", () => {
    expect(isShown("starting_value", all, { has_own_starting_value: true })).toBe(false);
    expect(isShown("starting_value", all, usual)).toBe(true);
  });

  it("GENERAL-004 GENERAL-005 GENERAL-006: switches exist only with their columns", () => {
    const names = (list: string[]) => list.map((name) => ({ name }));

    expect(switchesOf(names(["tariff1"]))).toEqual({
      hasDelta: false,
      hasLosses: false,
      hasTransformer: false,
    });
    expect(switchesOf(names(["delta_tariff1", "tariff1_kkt", "tariff1_loss_factor"]))).toEqual({
      hasDelta: true,
      hasLosses: true,
      hasTransformer: true,
    });
  });

  it("GENERAL-018 GENERAL-019: prefixes and suffixes follow their switches", () => {
    const off = { ...all, delta: false, losses: false, transformer: false };

    expect(
      ["tariff1", "start_tariff1", "end_in1", "delta_tariff1"].filter((name) => isShown(name, off, usual)),
    ).toEqual(["tariff1"]);
    expect(["tariff1_kkt", "tariff1_loss_factor"].filter((name) => isShown(name, off, usual))).toEqual([]);
  });

  it("active and reactive can be shown separately", () => {
    const names = ["power_a_plus", "power_r_plus"];

    expect(names.filter((name) => isShown(name, { ...all, energy: "a" }, usual))).toEqual(["power_a_plus"]);
    expect(names.filter((name) => isShown(name, { ...all, energy: "r" }, usual))).toEqual(["power_r_plus"]);
  });
});

describe("live rows", () => {
  it("DATA-046: a new reading joins the open table, a repeated one replaces its row", () => {
    const old = { datetime: [0, half], in1: [1, 2], note: ["a", "b"] };

    const merged = mergeColumns(old, { datetime: [half, 2 * half], in1: [2.5, 3], extra: [7, 8] });

    expect(merged).toEqual({
      datetime: [0, half, 2 * half],
      in1: [1, 2.5, 3],
      note: ["a", null, null],
      extra: [null, 7, 8],
    });
  });
});

describe("csv", () => {
  it("uses the number format of the language, with byte order mark and line ends for Excel", () => {
    const table = [
      ["Date", "A+, kW"],
      ["14.11.2026 08:30", 1204.5],
      ['a;"b"', null],
    ];

    expect(toCsv(table, "ru")).toBe('\uFEFFDate;"A+, kW"\r\n14.11.2026 08:30;1204,500000\r\n"a;""b""";\r\n');
    expect(toCsv(table, "en")).toBe('\uFEFFDate,"A+, kW"\r\n14.11.2026 08:30,1204.500000\r\n"a;""b""",\r\n');
    expect(toCsv([["=1+1", "-", "@a", -5]], "en")).toBe("\uFEFF'=1+1,'-,'@a,-5.000000\r\n");
  });
});

describe("csv of a table", () => {
  const columns = [
    { id: "datetime", title: "Time", value: (row: DataRow) => row.at },
    { id: "tariff0", title: "A+, kWh", value: (row: DataRow) => (row.kind === "reading" ? row.index : null) },
    { id: "status", title: "Status", value: () => "received" },
  ];
  const of = {
    t: ((key: string, options?: object) =>
      options ? `${key} ${JSON.stringify(options)}` : key) as CsvOf["t"],
    name: "Dairy, input",
    zone: "Asia/Ulaanbaatar",
    range: { start: 0, end: half * 8 - 1 },
    time: column(0, half, half * 6),
    gaps: [{ from: half * 2, to: half * 6, missing: 4 }],
    columns,
  };

  it("has device, period and zone, in ascending time with a line for each gap", () => {
    const [device, period, zone, , head, ...lines] = dataCsv(of);

    expect([device, period, zone]).toEqual([
      ["csv.device", "Dairy, input"],
      ["csv.period", "01.01.1970 07:00 – 01.01.1970 10:59"],
      ["csv.zone", "Asia/Ulaanbaatar (UTC+7)"],
    ]);
    expect(head).toEqual(["Time", "A+, kWh", "Status"]);
    expect(lines.map(([at]) => at)).toEqual([0, half, half * 2, half * 6]);
    expect(lines[2]?.slice(1)).toEqual([null, expect.stringMatching(/gap.*4.*01\.01\.1970 10:00/)]);
  });

  it("names a gap in the first value column if the status is not shown", () => {
    const lines = dataCsv({ ...of, columns: columns.slice(0, 2) });

    expect(lines.at(-2)).toEqual([half * 2, expect.stringContaining("gap")]);
  });
});

describe("rows", () => {
  it("DATA-053: consecutive missing intervals are one row between their neighbours", () => {
    const time = column(0, half, half * 6);
    const gaps = [{ from: half * 2, to: half * 6, missing: 4 }];

    const rows = withGaps(time, gaps, false);

    expect(rows.map((row) => (row.kind === "gap" ? `gap of ${String(row.gap.missing)}` : row.index))).toEqual(
      [0, 1, "gap of 4", 2],
    );
    expect(withGaps(time, gaps, true).map((row) => row.kind)).toEqual([
      "reading",
      "gap",
      "reading",
      "reading",
    ]);
  });

  it("a gap at the end of the period comes after the last reading", () => {
    const rows = withGaps(column(0), [{ from: half, to: half * 3, missing: 2 }], false);

    expect(rows.map((row) => row.kind)).toEqual(["reading", "gap"]);
  });

  it("DATA-053: a gap at the start of the period comes before the first reading", () => {
    const rows = withGaps(column(half * 2, half * 3), [{ from: 0, to: half * 2, missing: 2 }], false);

    expect(rows.map((row) => row.kind)).toEqual(["gap", "reading", "reading"]);
  });

  it("a suspect reading does not fill a gap and follows its row", () => {
    const rows = withGaps(column(0, half * 3, half * 6), [{ from: half, to: half * 6, missing: 5 }], false);

    expect(rows.map((row) => row.at)).toEqual([0, half, half * 3, half * 6]);
  });

  it("the label of a row is its status, or its source if more specific", () => {
    const word = (status: string, source: string) => stateOfRow({ status: [status], source: [source] }, 0);

    expect(word("measured", "polled")).toBe("received");
    expect(word("late", "polled")).toBe("late");
    expect(word("measured", "calculated")).toBe("calculated");
    expect(word("suspect", "calculated")).toBe("suspect");
    expect(word("manual", "manual")).toBe("manual");
  });

  it("lateness counts from the end of the interval, and is empty if unknown", () => {
    const table = { time: column(0, half), storedAt: column(half + 6 * 3600, Number.NaN) };

    expect(lateBy(table, 0, half)).toBe(6 * 3600);
    expect(lateBy(table, 1, half)).toBeUndefined();
  });
});

describe("sums", () => {
  it("energy after a gap is marked, never one huge bar", () => {
    const { values, overGaps } = withoutGapSums(
      // The reading that ends the gap comes half a minute after the start of the slot.
      column(0, half, half * 6 + 30, half * 7),
      column(Number.NaN, 1, 29, 2),
      [{ from: half * 2, to: half * 6, missing: 4 }],
    );

    expect([...values]).toEqual([Number.NaN, 1, Number.NaN, 2]);
    expect([...overGaps]).toEqual([[2, 29]]);
  });
});

describe("expected period", () => {
  const device = { report_period_update: 60 };

  it("profiles and archives follow their type, readings the period of the device", () => {
    expect(stepOf({ tab: "power_profiles", msgType: 5, profile: 30 }, device)).toBe(half);
    expect(stepOf({ tab: "power_profiles", msgType: 5, profile: 60 }, device)).toBe(3600);
    expect(stepOf({ tab: "archives", msgType: 101, profile: 30 }, device)).toBe(86_400);
    expect(stepOf({ tab: "tariffs", msgType: 1, profile: 30 }, device)).toBe(60);
  });
});

describe("series", () => {
  it("averages are steps, growth is bars, counters and states are lines", () => {
    expect(kindOf("power_a_plus", "electricity")).toBe("step");
    expect(kindOf("delta_tariff0", "electricity")).toBe("bar");
    expect(kindOf("tariff0", "electricity")).toBe("line");
    expect(kindOf("voltage1", "electricity")).toBe("line");
  });

  it("phases are solid, dashed and dotted of one hue", () => {
    const looks = [1, 2, 3].map((phase) => lookOf(`voltage${String(phase)}`, phase - 1, "electricity"));

    expect(looks.map((look) => look.tone)).toEqual(["electricity", "electricity", "electricity"]);
    expect(new Set(looks.map((look) => look.dash?.join() ?? "solid")).size).toBe(3);
  });

  it("volts and amperes have separate scales, kW and kvar a common one", () => {
    const scales = scalesOf([
      aColumn("power_a_plus", "kW"),
      aColumn("voltage1", "V"),
      aColumn("power_r_plus", "kvar"),
    ]);

    expect(scales.map((scale) => scale.map((each) => each.name))).toEqual([
      ["power_a_plus", "power_r_plus"],
      ["voltage1"],
    ]);
  });

  it("DATA-030: without chart fields of the model, or without their columns, no chart is drawn", () => {
    const columns = [aColumn("tariff0", "kWh")];

    expect(chartColumns(columns, [])).toEqual([]);
    expect(chartColumns(columns, ["in1"])).toEqual([]);
    expect(chartColumns(columns, ["tariff0"])).toHaveLength(1);
  });

  it("a counter is drawn as growth on its own scale; the counter itself is an option", () => {
    const columns = [
      aColumn("tariff0", "kWh"),
      aColumn("delta_tariff0", "kWh"),
      aColumn("start_tariff0", "kWh"),
      aColumn("T_in", "°C"),
    ];
    const names = (isOfCounters: boolean) =>
      chartColumns(columns, ["tariff0", "T_in"], isOfCounters).map((each) => each.name);

    expect(names(false)).toEqual(["delta_tariff0", "T_in"]);
    expect(names(true)).toEqual(["tariff0", "T_in"]);
  });

  it("fields that are not counters are drawn as they are", () => {
    const columns = [aColumn("voltage1", "V"), aColumn("voltage2", "V")];

    expect(chartColumns(columns, ["voltage1", "voltage2"])).toEqual(columns);
    expect(hasGrowth(columns, ["voltage1"])).toBe(false);
  });

  it("series are the columns of the answer, not copies", () => {
    const values = column(1, 2);

    const chart = buildChart({ time: column(0, half) }, [aColumn("power_a_plus", "kW", values)], {
      resource: "electricity",
      stepSec: half,
      gaps: [],
    });

    expect(chart.series[0]?.values).toBe(values);
    expect(chart.series[0]).toMatchObject({ kind: "step", filled: true, tone: "electricity" });
  });
});

describe("address", () => {
  it("RANGE-015: the profile period of the selector starts at 30", () => {
    expect(readAddress({}).profile).toBe(30);
    expect(readAddress({ profile: "60" }).profile).toBe(60);
  });

  it("any period and zoom is read from its address, before 1970 in UTC too", () => {
    const second = fc.integer({ min: -50_000, max: 4_000_000_000 });
    const span = fc
      .tuple(second, fc.integer({ min: 1, max: 10 ** 8 }))
      .map(([at, length]) => [at, at + length] as const);
    fc.assert(
      fc.property(span, span, fc.boolean(), fc.boolean(), ([start, end], [from, to], delta, desc) => {
        const change = { range: { start, end }, zoom: { from, to }, delta, desc };
        const written = Object.entries(writeAddress({ f: "kept" }, change));
        const read = Object.fromEntries(written.map(([name, value]) => [name, String(value)]));

        expect(readAddress(read)).toMatchObject(change);
        expect(read["f"]).toBe("kept");
      }),
    );
    // A zoom to less than a second is one.
    expect(readAddress(writeAddress({}, { zoom: { from: 10.2, to: 10.4 } })).zoom).toEqual({
      from: 10,
      to: 11,
    });
  });

  it("period, tab, zoom and switches round-trip through the address", () => {
    const state = readAddress({
      tab: "power_profiles",
      from: 1000,
      to: "2000",
      profile: 60,
      zoom: "1200-1500",
      ra: "a",
      counters: 1,
      delta: 1,
      sort: "datetime",
    });

    const back = readAddress(writeAddress({}, state));

    expect(back).toEqual(state);
    expect(back).toMatchObject({
      range: { start: 1000, end: 2000 },
      zoom: { from: 1200, to: 1500 },
      desc: false,
    });
  });

  it("invalid values are ignored, and a default view has a short address", () => {
    expect(readAddress({ from: "soon", zoom: "9-1", ra: "x" })).toMatchObject({
      range: null,
      zoom: null,
      energy: "ar",
    });
    expect(writeAddress({ other: 1 }, {})).toEqual({ other: 1 });
  });
});

it("DATA-016: tabs are those of the model, in the order of the vocabulary, then the poll log", () => {
  const tab = { msgTypes: [1], chart_fields: [] };

  expect(tabsOf({ alarm: tab, nonsense: tab, tariffs: tab, archives: tab })).toEqual([
    "tariffs",
    "archives",
    "alarm",
    "journal",
  ]);
});
