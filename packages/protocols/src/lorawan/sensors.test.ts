import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { decodeLorawan, lorawanCodecs } from "./builtIn.ts";
import { milesightEm300 } from "./milesight.ts";
import { decoded, payloadDriver } from "./payload.ts";
import { draginoLht65n, vutilityPulseDrop } from "./smallSensors.ts";
import { yobiiqEm4301 } from "./yobiiq.ts";

const device = { insideAddr: "", deviceID: "1", impulseWeight: 0.5, startingValue: 100 };

function read(codec: string, hex: string, fport = 2) {
  const trace: Span[] = [];
  const found = decodeLorawan(codec, { payload: fromHex(hex), fport, trace });
  return {
    values: found?.readings.map(({ name, value, unit }) => [name, value, unit]),
    spans: trace.map(({ offset, bytes, name }) => [offset, bytes, name]),
    found,
  };
}
const refused = (codec: string, hex: string, fport = 2) => refusalOf(() => read(codec, hex, fport));

it("codecs are named by maker and product, in their order", () => {
  expect(lorawanCodecs.filter((codec) => !codec.startsWith("decentlab/"))).toEqual([
    "dragino/lht65n",
    "milesight/em300-sld-zld",
    "milesight/em300-th",
    "vutility/pulsedrop",
    "yobiiq/em4301",
  ]);
  expect(lorawanCodecs[0]).toBe("decentlab/dl-atm22");
  expect(lorawanCodecs).toEqual([...lorawanCodecs].sort());
  expect(read("vutility/pulsedrop", "1cc57a0001020300000000", 3).found).toMatchObject({
    protocol: "lorawan",
    device: { codec: "vutility/pulsedrop", fport: 3 },
    warnings: [],
  });
});

describe("a Dragino LHT65N", () => {
  const codec = "dragino/lht65n";

  it("sends voltage, temperature and humidity, and a second temperature if it has the sensor", () => {
    const { values, spans } = read(codec, "cbf6 0bb0 0176 01 fc18 7fff");

    expect(values).toEqual([
      ["BatV", 3.062, "V"],
      ["Bat_status", 3, ""],
      ["TempC_SHT", 29.92, "°C"],
      ["Hum_SHT", 37.4, "%"],
      ["TempC_DS", -10, "°C"],
    ]);
    expect(spans).toEqual([
      [0, 2, "battery_state"],
      [2, 2, { code: "temperature", unit: "0.01 °C" }],
      [4, 2, { code: "humidity", unit: "0.1 %" }],
      [6, 1, "external_sensor"],
      [7, 2, "external_value"],
      [9, 2, "unused"],
    ]);
    expect(read(codec, "0bf6 8000 0176 00 fc18 7fff").values).toEqual([
      ["BatV", 3.062, "V"],
      ["Bat_status", 0, ""],
      ["TempC_SHT", -327.68, "°C"],
      ["Hum_SHT", 37.4, "%"],
    ]);
    expect(read(codec, "0bf6 7fff 0176 02 fc18 7fff").values?.[2]).toEqual(["TempC_SHT", 327.67, "°C"]);
    expect(refused(codec, "cbf6 0bb0 0176 01 fc18 7f")).toEqual({ kind: "unexpected", offset: 9 });
  });

  it("of the simulator sends what its driver reads", () => {
    const driver = draginoLht65n();
    const state = (field: string) => (field === "temperature" ? -7.25 : 55.5);
    const { fport, payload } = driver.encode(device, state, 0);

    expect([fport, toHex(payload)]).toEqual([2, "cbc6fd2b022b017fff7fff"]);
    expect(driver.decode(payload, fport, device)).toEqual([
      { msgType: 1, at: null, values: { temperature: -7.25, Humidity: 55.5 } },
    ]);
    expect(driver).toMatchObject({ kind: "uplink", protocol: "dragino-lht65n" });
  });
});

describe("a Vutility PulseDrop", () => {
  const codec = "vutility/pulsedrop";

  it("sends pulses, the voltage of its capacitor and its temperature", () => {
    const { values, spans } = read(codec, "1c 33 55 00010203 00000000");

    expect(values).toEqual([
      ["pulseCount", 0x10203, ""],
      ["capacitorVoltage", 1, "V"],
      ["temperatureCelsius", 0, "°C"],
    ]);
    expect(spans).toEqual([
      [0, 1, "kind"],
      [1, 1, { code: "capacitor_voltage", unit: "5/255 V" }],
      [2, 1, { code: "temperature", unit: "120/255 °C above -40" }],
      [3, 4, "pulses"],
      [7, 4, "not_known"],
    ]);
    expect(read(codec, "1c ff ff ffffffff 00000000").values?.slice(1)).toEqual([
      ["capacitorVoltage", 5, "V"],
      ["temperatureCelsius", 80, "°C"],
    ]);
    expect(refused(codec, "1d 33 55 00010203 00000000")).toEqual({ kind: "unsupported", offset: 0 });
    expect(refused(codec, "1c 33 55 00010203 000000")).toEqual({ kind: "unexpected", offset: 7 });
  });

  it("of the simulator sends what its driver reads", () => {
    const driver = vutilityPulseDrop();
    const state = (field: string) => (field === "in1" ? 107 : 20);
    const { fport, payload } = driver.encode(device, state, 0);

    expect([fport, toHex(payload)]).toEqual([3, "1cc5800000000e00000000"]);
    expect(driver.decode(payload, fport, device)[0]?.values).toEqual({
      in1: 107,
      temperature: expect.closeTo(20.235, 2) as number,
    });
    expect(driver).toMatchObject({ kind: "uplink", protocol: "vutility-pulsedrop" });
  });
});

describe("a Yobiiq EM4301", () => {
  const codec = "yobiiq/em4301";

  it.each([
    ["00", 4, "index", 65_536, ""],
    ["01", 4, "timestamp", 65_536, "s"],
    ["04", 4, "activeEnergyImportL123T1", 65_536, "Wh"],
    ["05", 4, "activeEnergyImportL123T2", 65_536, "Wh"],
    ["0c", 4, "voltageL1N", 6553.6, "V"],
    ["0d", 4, "voltageL2N", 6553.6, "V"],
    ["0e", 4, "voltageL3N", 6553.6, "V"],
    ["10", 4, "currentL1", 65_536, "mA"],
    ["11", 4, "currentL2", 65_536, "mA"],
    ["12", 4, "currentL3", 65_536, "mA"],
    ["14", 4, "activePowerL1", 65_536, "W"],
    ["15", 4, "activePowerL2", 65_536, "W"],
    ["16", 4, "activePowerL3", 65_536, "W"],
    ["24", 4, "totalSystemActivePower", 65_536, "kW"],
    ["25", 4, "totalSystemReactivePower", 65.536, "kvar"],
    ["23", 2, "frequency", 0.01, "Hz"],
  ] as const)("has in register %s %i bytes: %s", (register, bytes, name, value, unit) => {
    const { values, spans } = read(codec, `01${register}${bytes === 4 ? "00010000" : "0001"}`, 1);

    expect(values).toEqual([[name, expect.closeTo(value, 9), unit]]);
    expect(spans).toEqual([
      [0, 1, "channel"],
      [1, 1, "register_code"],
      [2, bytes, { code: "verbatim", n: name }],
    ]);
  });

  it("is read on ports 1 to 10, and refused where it goes wrong", () => {
    for (const port of [1, 10]) expect(read(codec, "0123138801140000000a", port).values).toHaveLength(2);
    for (const port of [0, 11])
      expect(refused(codec, "01231388", port)).toEqual({ kind: "unsupported", offset: undefined });
    expect(refused(codec, "02231388")).toEqual({ kind: "unexpected", offset: 1 });
    expect(refused(codec, "01991388")).toEqual({ kind: "unexpected", offset: 2 });
    expect(refused(codec, "012313")).toEqual({ kind: "unexpected", offset: 2 });
  });

  it("of the simulator sends what its driver reads", () => {
    const driver = yobiiqEm4301();
    const state: Readonly<Record<string, number>> = {
      ...{ tariff1: 1234.567, tariff2: 89.012, voltage1: 230.1, voltage2: 231.2, voltage3: 229.3 },
      ...{ current1: 1.234, current2: 2.345, current3: 0, Frequency: 49.98 },
      ...{ power_active1: 0.283, power_active2: 0.541, power_active3: 0.001 },
    };
    const { fport, payload } = driver.encode(device, (field) => state[field] ?? 0, 0);

    expect([fport, payload.length]).toEqual([1, 11 * 6 + 4]);
    expect(driver.decode(payload, fport, device)).toEqual([{ msgType: 1, at: null, values: state }]);
    const limited = driver.encode(device, () => -1, 0).payload;
    expect(Object.values(driver.decode(limited, 1, device)[0]?.values ?? {})).toEqual(
      Array.from({ length: 12 }, () => 0),
    );
    const rolled = driver.encode(
      device,
      (field) => (field === "Frequency" ? 655.37 : 4_294_967.297),
      0,
    ).payload;
    expect(driver.decode(rolled, 1, device)[0]?.values).toMatchObject({ tariff1: 0.001, Frequency: 0.01 });
    expect(driver).toMatchObject({ kind: "uplink", protocol: "yobiiq-em4301" });
  });
});

describe("a Milesight EM300", () => {
  const codec = "milesight/em300-th";

  it.each<[string, readonly unknown[], unknown]>([
    ["017564", ["battery", 100, "%"], { code: "battery", unit: "%" }],
    ["0367f0ff", ["temperature", -1.6, "°C"], { code: "temperature", unit: "0.1 °C" }],
    ["0367ff7f", ["temperature", 3276.7, "°C"], { code: "temperature", unit: "0.1 °C" }],
    ["03670080", ["temperature", -3276.8, "°C"], { code: "temperature", unit: "0.1 °C" }],
    ["046865", ["humidity", 50.5, "%"], { code: "humidity", unit: "0.5 %" }],
    ["050000", ["leakage_status", "normal", ""], "leak"],
    ["050001", ["leakage_status", "leak", ""], "leak"],
    ["050002", ["leakage_status", "unknown", ""], "leak"],
    ["fe10ff", ["restart_order", 255, ""], "restart_mark"],
    ["ff0bff", ["restart", 255, ""], "restart_mark"],
    ["fffeff", ["restart", 255, ""], "restart_mark"],
    ["fe03100e", ["report_interval", 3600, "s"], { code: "report_period", unit: "s" }],
    ["ff03100e", ["report_interval", 3600, "s"], { code: "report_period", unit: "s" }],
  ])("tells by %s: %j", (item, value, name) => {
    for (const each of [codec, "milesight/em300-sld-zld"]) {
      const { values, spans } = read(each, item, 85);

      expect(values).toEqual([value]);
      expect(spans).toEqual([
        [0, 2, "channel_and_type"],
        [2, item.length / 2 - 2, name],
      ]);
    }
  });

  it("sends stored values with their time", () => {
    const { found, spans } = read(codec, "20ce 9e744463 f0ff 5d 01 017564", 85);

    const time = "2022-10-10T19:38:06.000Z";
    expect(found?.readings).toEqual([
      { name: "temperature", value: -1.6, unit: "°C", time },
      { name: "humidity", value: 46.5, unit: "%", time },
      { name: "leakage_status", value: "leak", unit: "", time },
      { name: "battery", value: 100, unit: "%" },
    ]);
    expect(spans.slice(1, 5)).toEqual([
      [2, 4, "time"],
      [6, 2, { code: "temperature", unit: "0.1 °C" }],
      [8, 1, { code: "humidity", unit: "0.5 %" }],
      [9, 1, "leak"],
    ]);
    expect(milesightEm300().decode(fromHex("20ce9e744463f0ff5d01017564"), 85, device)).toEqual([
      { msgType: 1, at: Date.parse(time) / 1000, values: { temperature: -1.6, Humidity: 46.5 } },
      { msgType: 1, at: null, values: { battery: 100 } },
    ]);
  });

  it("with an unknown or cut item is refused", () => {
    expect(refused(codec, "0175640999")).toEqual({ kind: "unexpected", offset: 5 });
    expect(refused(codec, "0367ff")).toEqual({ kind: "unexpected", offset: 2 });
  });

  it("of the simulator sends what its driver reads", () => {
    const driver = milesightEm300();
    const state: Readonly<Record<string, number>> = { battery: 87, temperature: -7.2, Humidity: 55.5 };
    const { fport, payload } = driver.encode(device, (field) => state[field] ?? 0, 0);

    expect([fport, toHex(payload)]).toEqual([85, "0175570367b8ff04686f"]);
    expect(driver.decode(payload, fport, device)).toEqual([{ msgType: 1, at: null, values: state }]);
    expect(driver).toMatchObject({ kind: "uplink", protocol: "milesight-em300" });
  });

  it("takes periods up to 64800 seconds", () => {
    const { report_period } = milesightEm300().commands ?? {};
    const period = (seconds: number) => report_period?.(device, { report_period: seconds, offset: 0 });

    expect(toHex(period(64_800)?.payload ?? [])).toBe("ff0320fd");
    expect(refusalOf(() => period(64_801))).toEqual({ kind: "unsupported", offset: undefined });
  });

  it("that is to lie repeats a command and reports no restart; it answers nothing else", () => {
    const orders: unknown[] = [];
    const receive = milesightEm300().receive?.((order) => {
      orders.push(order);
      return "lie";
    });
    const answers = (hex: string) =>
      receive?.({ fport: 85, payload: fromHex(hex) }).map(({ fport, payload }) => [fport, toHex(payload)]);

    expect([answers("ff10ff"), answers("ff03100e")]).toEqual([[[85, "fe10ff"]], [[85, "fe03100e"]]]);
    expect([answers("ff11ff"), answers("ff10ff00"), answers("017564"), answers("0367f0ff")]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(orders).toEqual([{ kind: "restart" }, { kind: "set", name: "report_period", value: 3600 }]);
  });
});

describe("the driver of a payload", () => {
  const driver: UplinkDriver = payloadDriver({
    protocol: "yobiiq-em4301",
    decode: () => [
      decoded("a", 0.1 + 0.2, "x"),
      decoded("b", 4),
      decoded("c", null),
      decoded("d", "text"),
      decoded("e", 5),
      decoded("toString", 6),
    ],
    fields: {
      a: { field: "in1", factor: 1e-3 },
      b: { field: "in2", pulses: "other" },
      c: { field: "in3" },
      d: { field: "in4" },
    },
    encode: (value) => ({ fport: 7, payload: Uint8Array.of(value("a"), value("b"), value("none")) }),
  });

  it("stores numbers and missing numbers that have a field, pulses by their weight", () => {
    expect(driver.decode(new Uint8Array(), 1, device)).toEqual([
      { msgType: 1, at: null, values: { in1: 0.0003, in2: 2, in3: null } },
    ]);
  });

  it("sends values of the sensor: by their factor, or as pulses", () => {
    expect(driver.encode(device, (field) => (field === "in1" ? 0.05 : 10), 0)).toEqual({
      fport: 7,
      payload: Uint8Array.of(50, 20, 0),
    });
  });

  it("takes bytes of a user, and hears nothing by itself", () => {
    expect(Object.keys(driver.commands ?? {})).toEqual(["send_raw_payload"]);
    expect(driver).not.toHaveProperty("receive");
  });
});
