import { existsSync, readFileSync } from "node:fs";
import { fromHex, replay, type Reading } from "@metrum/protocols/core";
import { describe, expect, it } from "vitest";
import { meterModels, modelById } from "./models.ts";

/** Public captures and examples, read in place; see their README. */
const folder = new URL("../../../../shared/vectors/", import.meta.url);
const isThere = existsSync(folder);

interface Case {
  readonly name: string;
  readonly hex: string;
  readonly text?: string;
  readonly key?: string | null;
  readonly fPort?: number | null;
  /** Result of the other software; here the total of a counter is used. */
  readonly expected?: Readonly<Record<string, unknown>>;
}
const casesOf = (name: string): readonly Case[] =>
  isThere ? (JSON.parse(readFileSync(new URL(name, folder), "utf8")) as { cases: Case[] }).cases : [];

const corpora = {
  radio: casesOf("wmbus/wmbusmeters.json"),
  wired: casesOf("mbus/libmbus.json"),
  lora: casesOf("lorawan/codec-examples.json"),
  p1: casesOf("iec62056-21/p1.json"),
};

/** 1 Gcal is 1163 kWh, of 3.6 MJ. */
const kWh = 1 / 1163;

type Expected = readonly [
  model: number,
  corpus: keyof typeof corpora,
  name: string,
  values: Readonly<Record<string, number>>,
];

/**
 * Values read by independent software from each capture, in vocabulary units. Several captures may have one
 * name: one of them must give the values.
 */
const expected: readonly Expected[] = [
  [360, "radio", "apator162/MyTapWaterb", { in1: 64.508 }],
  [360, "radio", "apator162/MyTapWaterc", { in1: 77.752 }],
  [360, "radio", "apator162/MyTapWatere", { in1: 17.579 }],
  [360, "radio", "apator162/MyTapWaterf", { in1: 30.908 }],
  [360, "radio", "apator162/MyTapWaterg", { in1: 15.992 }],
  [360, "radio", "apator162/Wasser", { in1: 3.843 }],
  [360, "radio", "apator162/has79", { in1: 14.949 }],
  [360, "radio", "apator162/has80", { in1: 73.519 }],
  [361, "radio", "apator08/Vatten", { in1: 871.571 }],
  [362, "radio", "izar/IzarWater3", { in1: 4.366 }],
  [362, "radio", "izar/IzarWater4", { in1: 38.944 }],
  [362, "radio", "izar/IzarWater5", { in1: 159.832 }],
  [362, "radio", "izar/IzarWater6", { in1: 521.602 }],
  [363, "radio", "mkradio3/Duschen", { in1: 13.8 }],
  [364, "radio", "hydrodigit/HydridigitWaterr", { in1: 6.735 }],
  [364, "radio", "hydrodigit/Hydro3", { in1: 43.964 }],
  [364, "radio", "hydrodigit/Hydro4", { in1: 40.263 }],
  [364, "radio", "hydrodigit/hydro7", { in1: 0.03 }],
  [365, "radio", "gwfwater/Wateroo", { in1: 0.062 }],
  [366, "radio", "qwater/MyQWater", { in1: 1.991 }],
  [366, "radio", "qwater/QQ1", { in1: 6.696 }],
  [366, "radio", "qwater/QQ4", { in1: 0.32 }],
  [366, "radio", "qwater/QWater-7-18", { in1: 126.753 }],
  [366, "radio", "qwater/QWddd", { in1: 39.729 }],
  [240, "radio", "compact5/Heating2", { tariff1: 25250 * kWh }],
  [240, "radio", "compact5/vario", { tariff1: 58018 * kWh }],
  [241, "radio", "vario451/HeatMeter", { tariff1: 6371.666667 * kWh }],
  [242, "radio", "qheat/QHeato", { tariff1: 390.4 * kWh }],
  [242, "radio", "qheat/Qheatoo", { tariff1: 35226.8 * kWh }],
  [250, "radio", "fhkvdataiii/Room", { hca: 131, hca_last: 1026, temperature: 22.44 }],
  [250, "radio", "fhkvdataiii/Rooom", { hca: 4, hca_last: 45, temperature: 22.37 }],
  [251, "radio", "qcaloric/HCA1", { hca: 304, hca_last: 366 }],
  [251, "radio", "qcaloric/HCA3", { hca: 89, hca_last: 652 }],
  [252, "radio", "bfw240radio/bfww", { hca: 0, hca_last: 0 }],
  [252, "radio", "bfw240radio/bfwww", { hca: 256, hca_last: 324 }],
  [210, "radio", "kamheat/MyHeater", { tariff1: 44 * kWh, V_in: 0.99, heat_power: 1.9 * kWh }],
  [211, "radio", "elf2/Heato", { tariff1: 144 * kWh, V_in: 17.856, Q_in: 0 }],
  [310, "radio", "kamwater/Vadden", { in1: 20.015 }],
  [310, "radio", "kamwater/VATTEN", { in1: 44.206 }],
  [311, "radio", "hydrus/HydrusFoo", { in1: 296.789, Q_in: -0.002, temperature: 19.3 }],
  [312, "radio", "iperl/MoreWater", { in1: 7.704 }],
  [313, "radio", "itron/AnyWater", { in1: 111.968 }],
  [313, "radio", "itron/SomeWater", { in1: 4.605 }],
  [314, "radio", "minomess/Mino", { in1: 0.059 }],
  [410, "radio", "aerius/aerius_gas", { in1: 6842.784, Q_in: 0, temperature: 15.9 }],
  [510, "radio", "lansenth/T2", { temperature: -15.73, Humidity: 44 }],
  [
    201,
    "radio",
    "kamheat/Kamstrup_403_mbus",
    { tariff1: 34510 * kWh, V_in: 2232.49, T_in: 64.6, T_out: 45.16, Q_in: 0.527 },
  ],
  [
    202,
    "radio",
    "kamheat/Kamstrup_MC603_mbus",
    { tariff1: 3_363_200 * kWh, V_in: 85656, T_in: 81.37, T_out: 44.31, Q_in: 13.16 },
  ],
  [
    203,
    "radio",
    "ultraheat/MyUltra",
    { tariff1: 8974.444444 * kWh, V_in: 1995.07, T_in: 52, T_out: 51, Q_in: 0.808 },
  ],
  [303, "wired", "els_falcon", { in1: 1234.567 }],
  [304, "wired", "itron_bm_+m", { in1: 54.321 }],
  [331, "lora", "decentlab/dl-dlr2-002#0", { in1: 0 }],
  [421, "lora", "decentlab/dl-dlr2-002#0", { in1: 0 }],
  [332, "lora", "decentlab/dl-dlr2-010#0", { in1: 68592 }],
  [333, "lora", "vutility/pulsedrop#0", { in1: 3560, temperature: 18.823529411764703 }],
  [521, "lora", "decentlab/dl-rhc#0", { temperature: 15.23, Humidity: 73.3 }],
  [522, "lora", "decentlab/dl-ds18#0", { temperature: 21.875 }],
  [524, "lora", "milesight/em300-sld-zld#0", { battery: 92, temperature: 30.8, Humidity: 50.5 }],
  [525, "lora", "milesight/em300-sld-zld#0", { battery: 92, temperature: 30.8, Humidity: 50.5 }],
  [526, "lora", "dragino/lht65n#0", { temperature: 1.3, Humidity: 24.2 }],
  [151, "lora", "yobiiq/em4301#7", { voltage1: 230, voltage3: 230, current1: 5, Frequency: 50 }],
  [151, "lora", "yobiiq/em4301#8", { power_active1: 1, power_active3: 3 }],
  [151, "lora", "yobiiq/em4301#9", { tariff1: 12345.678, tariff2: 10 }],
  [
    132,
    "p1",
    "fluvius_v171_alt",
    {
      tariff1: 301.548,
      tariff2: 270.014,
      power_active: 0.338,
      power_active2: 0.179,
      voltage1: 232.9,
      current2: 0.88,
    },
  ],
  [132, "p1", "v5_two_mbus", { tariff1: 2130.115, tariff2: 245.467, power_active: 0.111, voltage3: 222.9 }],
  [551, "p1", "v5_two_mbus", { tariff1: 2130.115, tariff2: 245.467, power_active: 0.111, voltage1: 229.9 }],
  [552, "p1", "v5_two_mbus", { tariff1: 2130.115, tariff2: 245.467, power_active: 0.111, voltage1: 229.9 }],
];

const scale = { impulseWeight: 1, startingValue: 0 };
const shortFrame = (control: number, address: number): Uint8Array =>
  Uint8Array.of(0x10, control, address, (control + address) & 0xff, 0x16);

/**
 * A telegram that announces another (DIF 1F at its end), which was not recorded, as the last one (0F): 16
 * less in the checksum too.
 */
function asLast(frame: Uint8Array): Uint8Array {
  const [more, sum] = [frame.at(-3) ?? 0, frame.at(-2) ?? 0];
  return more === 0x1f ? Uint8Array.of(...frame.subarray(0, -3), 0x0f, (sum - 0x10) & 0xff, 0x16) : frame;
}

function readingsOf(id: number, { hex, text, key, fPort }: Case): readonly Reading[] {
  const model = modelById(id);
  if (model?.kind !== "meter") throw new Error(`no meter ${String(id)}`);
  const { driver } = model;
  const bytes = text === undefined ? fromHex(hex) : new TextEncoder().encode(text);
  if (driver.kind === "uplink") {
    const device = key ? { ...scale, keys: { encryption: key } } : scale;
    return driver.decode(bytes, fPort ?? 1, device);
  }
  const frame = asLast(bytes);
  const address = frame[5] ?? 0;
  return replay(driver.poll({ kind: "now" }, { insideAddr: String(address), deviceID: "" }), [
    [shortFrame(0x40, address), Uint8Array.of(0xe5)],
    [shortFrame(0x7b, address), frame],
  ]);
}

const merged = (readings: readonly Reading[]): Readonly<Record<string, number | null>> =>
  Object.assign({}, ...readings.map(({ values }) => values)) as Record<string, number | null>;

describe.skipIf(!isThere)("models against public captures (shared/vectors)", () => {
  it.each(expected)("model %i reads %s %s", (id, corpus, name, values) => {
    const named = corpora[corpus].filter((each) => each.name === name);
    expect([named.length, Object.keys(values).length].every((count) => count > 0)).toBe(true);

    const read = named.map((each) => merged(readingsOf(id, each)));

    const isRight = (found: Readonly<Record<string, number | null>>): boolean =>
      Object.entries(values).every(
        ([field, value]) => Math.abs((found[field] ?? Number.NaN) - value) <= Math.abs(value) * 1e-6 + 1e-6,
      );
    expect(read.filter(isRight).length, JSON.stringify(read)).toBeGreaterThan(0);
    // The total must be in every capture of this name.
    for (const [at, { expected: other = {} }] of named.entries())
      for (const [field, total] of [
        ["in1", other.total_m3],
        ["hca", other.current_hca],
      ] as const)
        if (typeof total === "number" && field in values) expect(read[at]?.[field]).toBeCloseTo(total, 5);
  });
});

describe("evidence", () => {
  const outside = meterModels.filter(({ evidence }) => (evidence ?? []).length > 0);

  it("at least 45 models are checked against independent sources, and each states both", () => {
    expect(outside.length).toBeGreaterThanOrEqual(45);
    for (const { title, evidence = [] } of outside)
      for (const { source, compared } of evidence) {
        expect(source.length, title).toBeGreaterThan(20);
        expect(compared.length, title).toBeGreaterThan(10);
        expect(`${source} ${compared}`, title).not.toMatch(/simulator|encoder/i);
      }
  });

  it("every model with public captures as evidence is compared with them by a test", () => {
    const compared = new Set(expected.map(([id]) => id));
    const named = outside.filter(({ evidence = [] }) => evidence.some(({ kind }) => kind === "telegram"));

    expect(
      named.filter(({ id }) => !compared.has(id) && !comparedElsewhere.has(id)).map(({ id }) => id),
    ).toEqual([]);
    expect([...compared].filter((id) => !named.some((model) => model.id === id))).toEqual([]);
  });
});

/** Wired meters, in telegrams.test.ts. */
const comparedElsewhere: ReadonlySet<number> = new Set([230, 231, 232, 233, 234, 235, 350, 351, 352, 353]);
