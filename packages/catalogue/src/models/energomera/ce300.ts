import type { IecRow } from "@metrum/protocols/iec62056-21";
import type { FieldName } from "@metrum/vocabulary";
import { iecMeter } from "../../electricityShapes.ts";
import { defineModel } from "../../model.ts";

/** Values of one parameter in the order of its brackets; the meter writes no units. */
const rowsOf = (name: string, unit: string, fields: readonly FieldName[]): IecRow[] =>
  fields.map((field, index) => ({ obis: name, field, index, ...(unit === "" ? {} : { unit }) }));

const tariffs: readonly FieldName[] = ["tariff0", "tariff1", "tariff2", "tariff3", "tariff4"];

/**
 * What every meter of the family gives: energy since reset by tariff, power, frequency, clock. Reading needs
 * the password 777777 of the factory. Blocks close with a sum. The three-phase meters repeat the name of a
 * parameter before each of its values, the CE102M continues on lines that begin with a bracket: facts of
 * recorded dialogues in the tests of energomera-hass-mqtt (CE301) and wb-mqtt-serial (CE102M).
 */
const family = {
  manufacturer: "EKT",
  check: "sum",
  clock: { date: "DATE_", time: "TIME_" },
  utcOffsetMinutes: 180,
} as const;

const threePhase: readonly IecRow[] = [
  ...rowsOf("ET0PE", "kWh", tariffs),
  ...rowsOf("VOLTA", "V", ["voltage1", "voltage2", "voltage3"]),
  ...rowsOf("CURRE", "A", ["current1", "current2", "current3"]),
  ...rowsOf("POWEP", "kW", ["power_active"]),
  ...rowsOf("POWPP", "kW", ["power_active1", "power_active2", "power_active3"]),
  ...rowsOf("FREQU", "Hz", ["Frequency"]),
];

const reactive: readonly IecRow[] = [
  ...rowsOf("ET0QE", "kvarh", ["tariff_reactive0"]),
  ...rowsOf("POWEQ", "kvar", ["power_reactive"]),
];

const accessTo = (rows: readonly IecRow[]) => ({
  rows,
  access: {
    reads: ["DATE_()", "TIME_()", ...new Set(rows.map(({ obis }) => `${obis}()`))],
    password: "777777",
  },
});

/** Answers of the three-phase meters in their samples, between the sign-on and the break. */
const threePhaseDialogue = [
  ["063035310d0a", "0150300228313233343536373829037a"],
  ["0150310228373737373737290321", "06"],
  ["01523102444154455f28290356", "02444154455f28323631313231290d0a0315"],
  ["0152310254494d455f28290367", "0254494d455f28313234303030290d0a0320"],
  [
    "01523102455430504528290337",
    "0245543050452831323334352e363738290d0a455430504528383334352e363738290d0a455430504528343030302e303030290d0a455430504528302e303030290d0a455430504528302e303030290d0a0338",
  ],
  [
    "01523102564f4c54412829035f",
    "02564f4c5441283233302e31303030290d0a564f4c5441283233312e34303030290d0a564f4c5441283232392e38303030290d0a036c",
  ],
  [
    "0152310243555252452829035a",
    "02435552524528352e32353030290d0a435552524528342e38313030290d0a435552524528362e30373030290d0a033e",
  ],
  ["01523102504f57455028290364", "02504f57455028332e35343430290d0a0324"],
  [
    "01523102504f5750502829036f",
    "02504f57505028312e31353230290d0a504f57505028312e30353830290d0a504f57505028312e33333430290d0a0379",
  ],
  ["0152310246524551552829035c", "0246524551552834392e39383030290d0a035a"],
] as const;

const threePhaseValues = {
  tariff0: 12345.678,
  tariff1: 8345.678,
  tariff2: 4000,
  tariff3: 0,
  tariff4: 0,
  voltage1: 230.1,
  voltage2: 231.4,
  voltage3: 229.8,
  current1: 5.25,
  current2: 4.81,
  current3: 6.07,
  power_active: 3.544,
  power_active1: 1.152,
  power_active2: 1.058,
  power_active3: 1.334,
  Frequency: 49.98,
} as const;

/**
 * Energomera CE301: active energy by tariff, voltages, currents, power.
 * Parameter names: from memory of the manufacturer's manual, compared with nothing. Not yet read from a real
 * meter.
 */
export const ce301 = defineModel({
  ...iecMeter({
    ...family,
    ...accessTo(threePhase),
    layout: "named_lines",
    type: "CE301v11",
    phases: 3,
  }),
  id: 123,
  brand: "Energomera",
  title: "CE301",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "",
      deviceID: "12345678",
      exchange: [["2f3f210d0a", "2f454b543543453330317631310d0a"], ...threePhaseDialogue, ["0142300375", ""]],
      gives: threePhaseValues,
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * Energomera CE303: as the CE301, with reactive energy and power. Compared with nothing. Not yet read from a
 * real meter.
 */
export const ce303 = defineModel({
  ...iecMeter({
    ...family,
    ...accessTo([...threePhase, ...reactive]),
    layout: "named_lines",
    type: "CE303v11",
    phases: 3,
  }),
  id: 124,
  brand: "Energomera",
  title: "CE303",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "",
      deviceID: "12345678",
      exchange: [
        ["2f3f210d0a", "2f454b543543453330337631310d0a"],
        ...threePhaseDialogue,
        ["01523102455430514528290338", "02455430514528333231302e343030290d0a0352"],
        ["01523102504f57455128290365", "02504f57455128312e31313630290d0a031e"],
        ["0142300375", ""],
      ],
      gives: { ...threePhaseValues, tariff_reactive0: 3210.4, power_reactive: 1.116 },
      source: "our simulator, 2026-11",
    },
  ],
});

/**
 * Energomera CE102M: the single-phase meter of the family. Compared with nothing. Not yet read from a real
 * meter.
 */
export const ce102m = defineModel({
  ...iecMeter({
    ...family,
    ...accessTo([
      ...rowsOf("ET0PE", "kWh", tariffs),
      ...rowsOf("VOLTA", "V", ["voltage1"]),
      ...rowsOf("CURRE", "A", ["current1"]),
      ...rowsOf("POWEP", "kW", ["power_active"]),
      ...rowsOf("FREQU", "Hz", ["Frequency"]),
    ]),
    layout: "lines",
    type: "CE102Mv01",
    phases: 1,
  }),
  id: 125,
  brand: "Energomera",
  title: "CE102M",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "",
      deviceID: "12345678",
      exchange: [
        ["2f3f210d0a", "2f454b543543453130324d7630310d0a"],
        ["063035310d0a", "0150300228313233343536373829037a"],
        ["0150310228373737373737290321", "06"],
        ["01523102444154455f28290356", "02444154455f28323631313231290d0a0315"],
        ["0152310254494d455f28290367", "0254494d455f28313234303030290d0a0320"],
        [
          "01523102455430504528290337",
          "0245543050452831323334352e363738290d0a28383334352e363738290d0a28343030302e303030290d0a28302e303030290d0a28302e303030290d0a0340",
        ],
        ["01523102564f4c54412829035f", "02564f4c5441283233302e31303030290d0a0375"],
        ["0152310243555252452829035a", "02435552524528352e32353030290d0a0316"],
        ["01523102504f57455028290364", "02504f57455028332e35343430290d0a0324"],
        ["0152310246524551552829035c", "0246524551552834392e39383030290d0a035a"],
        ["0142300375", ""],
      ],
      gives: {
        tariff0: 12345.678,
        tariff1: 8345.678,
        tariff2: 4000,
        tariff3: 0,
        tariff4: 0,
        voltage1: 230.1,
        current1: 5.25,
        power_active: 3.544,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});
