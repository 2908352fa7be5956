import { ProtocolError, replay, type LineDriver, type Reading } from "@metrum/protocols/core";
import { describe, expect, it } from "vitest";
import { ce102m, ce301, ce303 } from "./models/energomera/ce300.ts";
import { nevaMt314, nevaMt324 } from "./models/taipit/nevaMt300.ts";

type Check = (bytes: Uint8Array) => number;
type Answers = Readonly<Record<string, string>>;

/** Written independently of the driver, so that its errors are not repeated here. */
const sum: Check = (bytes) => bytes.reduce((total, byte) => total + byte, 0) % 128;
const xor: Check = (bytes) => bytes.reduce((total, byte) => total ^ byte, 0) % 128;

const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const closed = (text: string, check: Check) =>
  ascii(`${text}${String.fromCharCode(check(ascii(text.slice(1))))}`);

/** A whole dialogue in programming mode: sign-on, password, reads, break. */
function dialogue(
  of: { readonly name: string; readonly seed: string; readonly password: string; readonly check: Check },
  answers: Answers,
): [Uint8Array, Uint8Array][] {
  const reads = Object.entries(answers).map(([address, answer]): [Uint8Array, Uint8Array] => [
    closed(`\x01R1\x02${address}()\x03`, of.check),
    closed(`\x02${answer}\x03`, of.check),
  ]);
  return [
    [ascii("/?!\r\n"), ascii(`/${of.name}\r\n`)],
    [ascii("\x06051\r\n"), closed(`\x01P0\x02(${of.seed})\x03`, of.check)],
    [closed(`\x01P1\x02(${of.password})\x03`, of.check), Uint8Array.of(0x06)],
    ...reads,
    [closed("\x01B0\x03", of.check), new Uint8Array(0)],
  ];
}

const read = (driver: LineDriver, exchange: readonly (readonly [Uint8Array, Uint8Array])[]): Reading[] =>
  replay(driver.poll({ kind: "now" }, { insideAddr: "", deviceID: "" }), exchange);
const valuesOf = (readings: readonly Reading[]): Reading["values"] =>
  Object.fromEntries(readings.flatMap(({ values }) => Object.entries(values)));
const warningsOf = (readings: readonly Reading[]) => readings.flatMap(({ warnings = [] }) => warnings);

const ce = { name: "EKT5CE301v11", seed: "777777", password: "777777", check: sum };
const lines = (name: string, values: readonly string[]) =>
  values.map((value) => `${name}(${value})\r\n`).join("");
const energies = ["25381.0471", "17250.51", "8120.3671", "10.17", "0.0", "0.0"];
const threePhase: Answers = {
  DATE_: "DATE_(06.21.11.26)\r\n",
  TIME_: "TIME_(18:30:05)\r\n",
  ET0PE: lines("ET0PE", energies),
  VOLTA: lines("VOLTA", ["229.14", "231.07", "228.85"]),
  CURRE: lines("CURRE", ["2.104", "0.751", "3.3"]),
  POWEP: "POWEP(1.3871)\r\n",
  POWPP: lines("POWPP", ["0.4812", "0.1701", "0.7358"]),
  FREQU: "FREQU(50.02)\r\n",
};
const energyValues = {
  tariff0: 25381.0471,
  tariff1: 17250.51,
  tariff2: 8120.3671,
  tariff3: 10.17,
  tariff4: 0,
};
const threePhaseValues = {
  ...energyValues,
  voltage1: 229.14,
  voltage2: 231.07,
  voltage3: 228.85,
  current1: 2.104,
  current2: 0.751,
  current3: 3.3,
  power_active: 1.3871,
  power_active1: 0.4812,
  power_active2: 0.1701,
  power_active3: 0.7358,
  Frequency: 50.02,
};

describe("Energomera", () => {
  it("CE301 closes its blocks with a sum, and every value of a repeated name is read", () => {
    const readings = read(ce301.driver, dialogue(ce, threePhase));

    expect(valuesOf(readings)).toEqual(threePhaseValues);
    expect(readings[0]?.meterAt).toBe(Date.UTC(2026, 10, 21, 15, 30, 5) / 1000);
    expect(warningsOf(readings)).toEqual([]);
  });

  it("CE303 returns reactive energy and power too", () => {
    const readings = read(
      ce303.driver,
      dialogue(
        { ...ce, name: "EKT5CE303v11" },
        { ...threePhase, ET0QE: lines("ET0QE", ["118.4", "118.4", "0.0"]), POWEQ: "POWEQ(0.21)\r\n" },
      ),
    );

    expect(valuesOf(readings)).toEqual({
      ...threePhaseValues,
      tariff_reactive0: 118.4,
      power_reactive: 0.21,
    });
  });

  it("CE102M continues a value on lines that have no name", () => {
    const readings = read(
      ce102m.driver,
      dialogue(
        { ...ce, name: "EKT5CE102Mv01", seed: "141000001" },
        {
          DATE_: "DATE_(06.21.11.26)\r\n",
          TIME_: "TIME_(18:30:05)\r\n",
          ET0PE: `ET0PE(${energies[0] ?? ""})\r\n(17250.51)\r\n(8120.3671)\r\n(10.17)\r\n(0.0)\r\n(0.0)\r\n`,
          VOLTA: "VOLTA(229.14)\r\n",
          CURRE: "CURRE(2.104)\r\n",
          POWEP: "POWEP(0.48)\r\n",
          FREQU: "FREQU(50.02)\r\n",
        },
      ),
    );

    expect(valuesOf(readings)).toEqual({
      ...energyValues,
      voltage1: 229.14,
      current1: 2.104,
      power_active: 0.48,
      Frequency: 50.02,
    });
  });

  it("an XOR in place of the sum is refused as a wrong check character", () => {
    const exchange = dialogue({ ...ce, check: xor }, threePhase);
    const [call = [], offer = []] = exchange;

    expect(() =>
      read(ce301.driver, [
        [call[0] ?? new Uint8Array(0), call[1] ?? new Uint8Array(0)],
        [offer[0] ?? new Uint8Array(0), offer[1] ?? new Uint8Array(0)],
      ]),
    ).toThrow(ProtocolError);
  });

  it("parameters that the meter refuses, and phases that it does not return, are reported in warnings", () => {
    const readings = read(
      ce301.driver,
      dialogue(ce, { ...threePhase, VOLTA: "VOLTA(229.14)\r\n", POWPP: "(ERR12)\r\n" }),
    );

    expect(valuesOf(readings)).not.toHaveProperty("voltage2");
    expect(warningsOf(readings)).toEqual([
      "not in the answer of the meter: VOLTA [2] (voltage2), VOLTA [3] (voltage3)",
      "refused by the meter: POWPP (the meter says (ERR12))",
    ]);
  });
});

const neva = { name: "TPC5NEVAMT324.2307", seed: "00000000", password: "00000000", check: xor };
const nevaAnswers: Answers = {
  "000902FF": "000902FF(261121)",
  "000901FF": "000901FF(183005)",
  "0F0880FF": "0F0880FF(004512.07,003100.02,001412.05,000000.00,000000.00)",
  "200700FF": "200700FF(230.51)",
  "340700FF": "340700FF(228.90)",
  "480700FF": "480700FF(229.77)",
  "1F0700FF": "1F0700FF(00.502)",
  "330700FF": "330700FF(01.250)",
  "470700FF": "470700FF(00.000)",
  "100700FF": "100700FF(00402.6)",
  "0E0701FF": "0E0701FF(49.98)",
};

describe("Neva", () => {
  it.each([
    ["MT 314", nevaMt314],
    ["MT 324", nevaMt324],
  ])("%s keeps its energy at 0F0880FF", (_, { driver }) => {
    const readings = read(driver, dialogue(neva, nevaAnswers));

    expect(valuesOf(readings)).toMatchObject({
      tariff0: 4512.07,
      tariff1: 3100.02,
      tariff2: 1412.05,
      tariff3: 0,
      tariff4: 0,
      voltage2: 228.9,
      current2: 1.25,
      power_active: 0.4026,
    });
    expect(warningsOf(readings)).toEqual([]);
  });

  it("an address that the meter does not have is answered with a bare error number, and reported in a warning", () => {
    const readings = read(nevaMt314.driver, dialogue(neva, { ...nevaAnswers, "0F0880FF": "(01)" }));

    expect(valuesOf(readings)).not.toHaveProperty("tariff0");
    expect(warningsOf(readings)).toEqual(["refused by the meter: 0F0880FF (the meter says (01))"]);
  });
});
