import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { decodeLorawan, lorawanCodecs } from "./builtIn.ts";
import { decentlab } from "./decentlab.ts";

/** Name, unit, and the value of a word 0x83E8, or of two of them. */
type Row = readonly [name: string, unit: string, value: number];

const word = 0x83e8;
const hex = "83e8";
/** Two words, the low one first. */
const double = word + word * 65_536;
/** Signed by an offset of 32768. */
const above = word - 32_768;

const counter = (prefix: string): Row[] => [
  [`${prefix}pulse_count`, "", word],
  [`${prefix}pulse_interval`, "s", word],
  [`${prefix}cumulative_pulse_count`, "", double],
];
const sky: Row[] = [
  ["surface_temperature", "°C", 10],
  ["air_temperature", "°C", 10],
  ["air_humidity", "%", 10],
  ["dew_point", "°C", 10],
  ["angle", "°", above],
  ["sensor_temperature", "°C", 10],
];
/** A ratio of 24 bits around the middle. */
const bridge = double / 8_388_608 - 1;
const battery: Row = ["battery_voltage", "V", 33.768];

/**
 * Groups of values of each product, without the battery that ends each of them.
 * Source: decoders that the maker publishes for its products (decentlab-decoders), formulas of the sensors.
 */
const products: Readonly<Record<string, readonly (readonly Row[])[]>> = {
  "dl-atm22": [
    [
      ["wind_speed", "m⋅s⁻¹", 10],
      ["wind_direction", "°", 100],
      ["maximum_wind_speed", "m⋅s⁻¹", 10],
      ["air_temperature", "°C", 100],
      ["x_orientation_angle", "°", 100],
      ["y_orientation_angle", "°", 100],
      ["north_wind_speed", "m⋅s⁻¹", 10],
      ["east_wind_speed", "m⋅s⁻¹", 10],
    ],
  ],
  "dl-ctd10b": [
    [
      ["water_depth", "mm", 1000],
      ["temperature", "°C", 100],
      ["electrical_conductivity", "µS⋅cm⁻¹", word * 2],
      ["freezing_flag", "", word],
    ],
  ],
  "dl-cws": [sky],
  "dl-cws2": [
    [
      ["air_temperature_radiation_shield", "°C", (175 * word) / 65_535 - 45],
      ["air_humidity_radiation_shield", "%", (100 * word) / 65_535],
    ],
    sky,
  ],
  "dl-dlr2-002": [counter("")],
  "dl-dlr2-003": [[["input", "", word]]],
  "dl-dlr2-005": [[["voltage", "V", bridge * 3]]],
  "dl-dlr2-006": [[["potentiometer_position", "", bridge]]],
  "dl-dlr2-010": [counter("ch0_"), counter("ch1_")],
  "dl-dlr2-011": [[["ch0_input", "", word]], [["ch1_input", "", word]]],
  "dl-ds18": [[["temperature", "°C", above / 16]]],
  "dl-gmm": [
    [
      ["photosynthetically_active_radiation", "µmol⋅m⁻²⋅s⁻¹", 100],
      ["air_temperature", "°C", 10],
      ["air_humidity", "%", 100],
      ["co2_concentration", "ppm", 1000],
      ["atmospheric_pressure", "kPa", 10],
      ["vapor_pressure_deficit", "kPa", 10],
      ["dew_point", "°C", 10],
    ],
  ],
  "dl-ifd": [[["fruit_size", "mm", word / 100]]],
  "dl-ilt": [[["leaf_temperature", "°C", 10]]],
  "dl-isd": [[["stem_size", "mm", word / 1000]]],
  "dl-itst": [
    [
      ["temperature_target", "°C", (word - 1000) / 10],
      ["temperature_head", "°C", (word - 1000) / 10],
    ],
  ],
  "dl-lid": [
    [
      ["distance_average", "mm", word],
      ["distance_minimum", "mm", word],
      ["distance_maximum", "mm", word],
      ["distance_median", "mm", word],
      ["distance_10th_percentile", "mm", word],
      ["distance_25th_percentile", "mm", word],
      ["distance_75th_percentile", "mm", word],
      ["distance_90th_percentile", "mm", word],
      ["distance_most_frequent_value", "mm", word],
      ["number_of_samples", "", word],
      ["total_acquisition_time", "ms", word / 1.024],
    ],
  ],
  "dl-lp8p": [
    [
      ["air_temperature", "°C", (175.72 * word) / 65_536 - 46.85],
      ["air_humidity", "%", (125 * word) / 65_536 - 6],
    ],
    [
      ["barometer_temperature", "°C", (word - 5000) / 100],
      ["barometric_pressure", "Pa", word * 2],
    ],
    [
      ["co2_concentration", "ppm", 1000],
      ["co2_concentration_lpf", "ppm", 1000],
      ["co2_sensor_temperature", "°C", 10],
      ["capacitor_voltage_1", "V", word / 1000],
      ["capacitor_voltage_2", "V", word / 1000],
      ["co2_sensor_status", "", word],
      ["raw_ir_reading", "", word],
      ["raw_ir_reading_lpf", "", word],
    ],
  ],
  "dl-lpw": [[["potentiometer_position", "%", bridge * 100]]],
  "dl-lws": [[["leaf_wetness_index", "", bridge]]],
  "dl-mes5": [
    [
      ["status", "", word],
      ["temperature", "°C", 10],
      ["sludge_blanket", "%", word / 100],
      ["suspended_solid", "g⋅L⁻¹", word / 100],
      ["turbidity", "FAU", word / 10],
    ],
  ],
  "dl-ntu": [
    [
      ["status", "", word],
      ["temperature", "°C", 10],
      ["turbidity_in_ntu", "NTU", word / 10],
      ["turbidity_in_fnu", "FNU", word / 10],
      ["turbidity_in_mg_l", "mg⋅L⁻¹", word / 10],
    ],
  ],
  "dl-optod": [
    [
      ["status", "", word],
      ["temperature", "°C", 10],
      ["oxygen_saturation", "%", 10],
      ["oxygen_concentration", "mg⋅L⁻¹", 10],
      ["oxygen_concentration_alt", "ppm", 10],
    ],
  ],
  "dl-par": [[["photosynthetically_active_radiation", "µmol⋅m⁻²⋅s⁻¹", (above / 32_768) * 15_000]]],
  "dl-pheht": [
    [
      ["status", "", word],
      ["temperature", "°C", 10],
      ["ph", "", 10],
      ["redox", "mV", 100],
      ["ph_mv", "mV", 100],
    ],
  ],
  "dl-pr36": [
    [
      ["pressure", "bar", above / 8192],
      ["temperature", "°C", above / 256],
    ],
  ],
  "dl-pr36ctd": [
    [
      ["pressure", "bar", above / 8192],
      ["temperature_electronics", "°C", above / 256],
      ["temperature_pt1000", "°C", above / 256],
      ["electrical_conductivity", "mS⋅cm⁻¹", above / 1024],
    ],
  ],
  "dl-pyr": [[["total_solar_radiation", "W⋅m⁻²", (above / 32_768) * 15_000]]],
  "dl-rad": [
    [
      ["distance", "mm", word],
      ["temperature", "°C", 10],
      ["reliability", "dB", 10],
      ["status", "", word],
    ],
  ],
  "dl-rhc": [
    [
      ["sensor_id", "", double],
      ["air_humidity", "%", word / 100],
      ["air_temperature", "°C", 10],
    ],
  ],
  "dl-smtp": [
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((at): Row[] => [
      [`soil_moisture_at_depth_${String(at)}`, "", (word - 2500) / 500],
      [`soil_temperature_at_depth_${String(at)}`, "°C", 10],
    ]),
  ],
  "dl-tbrg": [
    [
      ["precipitation", "mm", word / 10],
      ["precipitation_interval", "s", word],
      ["cumulative_precipitation", "mm", double / 10],
    ],
  ],
  "dl-tp": [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((at): Row => [
      `temperature_at_level_${String(at)}`,
      "°C",
      10,
    ]),
  ],
  "dl-trs21": [
    [
      ["water_potential", "kPa", -word / 10],
      ["soil_temperature", "°C", 100],
    ],
  ],
  "dl-wrm": [
    [
      ["air_temperature", "°C", (175 * word) / 65_535 - 45],
      ["air_humidity", "%", (100 * word) / 65_535],
    ],
    [
      ["surface_temperature", "°C", (word - 1000) / 10],
      ["head_temperature", "°C", (word - 1000) / 10],
    ],
  ],
};

const isDouble = (name: string) => /cumulative|sensor_id|potentiometer|leaf_wetness|^voltage$/.test(name);
const wordsOf = (rows: readonly Row[]) => rows.map(([name]) => (isDouble(name) ? hex + hex : hex)).join("");
const flags = (count: number) => (2 ** count - 1).toString(16).padStart(4, "0");

describe("a Decentlab payload", () => {
  it("can be of these products, and of no other", () => {
    expect(
      lorawanCodecs.filter((codec) => codec.startsWith("decentlab/")).map((codec) => codec.slice(10)),
    ).toEqual(Object.keys(products).sort());
  });

  it.each(Object.entries(products))("of %s has its groups by their flags", (product, groups) => {
    const all = [...groups, [battery]];
    const decode = (payload: string, trace?: Span[]) =>
      decodeLorawan(`decentlab/${product}`, { payload: fromHex(payload), fport: 1, trace })?.readings;
    const head = [
      { name: "protocol_version", value: 2, unit: "" },
      { name: "device_id", value: 0x1234, unit: "" },
    ];
    const shown = (rows: readonly Row[]) =>
      rows.map(([name, unit, value]) => ({ name, unit, value: expect.closeTo(value, 6) as number }));
    const trace: Span[] = [];

    expect(decode(`021234${flags(all.length)}${wordsOf(all.flat())}`, trace)).toEqual([
      ...head,
      ...shown(all.flat()),
    ]);
    expect(trace.map(({ name }) => name)).toEqual([
      ...["version", "device", "groups"],
      ...all.flat().map(([n, unit]) => ({ code: "verbatim", n, ...(unit === "" ? {} : { unit }) })),
    ]);
    for (const [at, group] of all.entries())
      expect(decode(`021234${(1 << at).toString(16).padStart(4, "0")}${wordsOf(group)}`)).toEqual([
        ...head,
        ...shown(group),
      ]);
    expect(decode("0212340000")).toEqual(head);
    expect(refusalOf(() => decode(`021234${(1 << all.length).toString(16).padStart(4, "0")}83e8`))).toEqual({
      kind: "unexpected",
      offset: 5,
    });
  });

  it.each([
    ["01 1234 0001 83e8", "unsupported", 0],
    ["03 1234 0001 83e8", "unsupported", 0],
    ["02 1234 0001 83e8 83", "unexpected", 7],
    ["02 1234 0001 83", "unexpected", 5],
    ["02 1234 00", "unexpected", 3],
  ])("%s is refused", (payload, kind, offset) => {
    const decode = () => decodeLorawan("decentlab/dl-ilt", { payload: fromHex(payload), fport: 1 });

    expect(refusalOf(decode)).toEqual({ kind, offset });
  });

  it("is of no codec without a maker, or of a maker that is another", () => {
    for (const codec of ["dl-ilt", "decentlab/toString", "other/dl-ilt", "toString", "decentlab/"])
      expect(decodeLorawan(codec, { payload: fromHex("0212340000"), fport: 1 })).toBeUndefined();
  });
});

describe("the driver of a Decentlab device", () => {
  const device = { insideAddr: "", deviceID: "1", impulseWeight: 0.5, startingValue: 100 };
  const driver = decentlab("dl-dlr2-002", { cumulative_pulse_count: { field: "in1", pulses: "main" } });

  it("reads what its simulated device sends", () => {
    const { fport, payload } = driver.encode(device, () => 32_868, 0);

    expect([fport, toHex(payload)]).toEqual([1, "020001000300000000000000010c1c"]);
    expect(driver.decode(payload, fport, device)).toEqual([
      { msgType: 1, at: null, values: { in1: 32_868 } },
    ]);
    expect(driver).toMatchObject({ kind: "uplink", protocol: "decentlab-dl-dlr2-002" });
  });

  it("sends a value that does not fit as the nearest that does", () => {
    const climate = decentlab("dl-ds18", { temperature: { field: "temperature" } });
    const sent = (value: number) => toHex(climate.encode(device, () => value, 0).payload).slice(10, 14);
    const numbered = decentlab("dl-rhc", { sensor_id: { field: "in1" } });
    const number = (value: number) => toHex(numbered.encode(device, () => value, 0).payload).slice(10, 18);

    expect([sent(-5000), sent(5000), sent(-0.5), sent(20)]).toEqual(["0000", "ffff", "7ff8", "8140"]);
    expect([number(-1), number(1e12), number(65_538)]).toEqual(["00000000", "ffffffff", "00020001"]);
  });
});
