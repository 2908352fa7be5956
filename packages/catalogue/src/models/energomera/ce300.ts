import type { IecRow } from "@metrum/protocols";
import type { FieldName } from "@metrum/vocabulary";
import { iecMeter } from "../../electricityShapes.ts";
import { defineModel } from "../../model.ts";

/** Values of one parameter in the order of its brackets; the meter writes no units. */
const rowsOf = (name: string, unit: string, fields: readonly FieldName[]): IecRow[] =>
  fields.map((field, index) => ({ obis: name, field, index, ...(unit === "" ? {} : { unit }) }));

const tariffs: readonly FieldName[] = ["tariff0", "tariff1", "tariff2", "tariff3", "tariff4"];

/** What every meter of the family gives: energy since reset by tariff, power, frequency, clock. Reading needs the password 777777 of the factory. */
const family = {
  manufacturer: "EKT",
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

/**
 * Energomera CE301: active energy by tariff, voltages, currents, power.
 * Parameter names: from memory of the maker's manual, compared with nothing. Not yet read from a real meter by us.
 */
export const ce301 = defineModel({
  ...iecMeter({ ...family, ...accessTo(threePhase), type: "CE301v11", phases: 3 }),
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
      exchange: [
        ["2f3f210d0a", "2f454b543543453330317631310d0a"],
        ["063035310d0a", "01503002283132333435363738290368"],
        ["0150310228373737373737290361", "06"],
        ["01523102444154455f28290328", "02444154455f28323631313231290d0a0349"],
        ["0152310254494d455f28290329", "0254494d455f28313234303030290d0a0348"],
        [
          "01523102455430504528290357",
          "0245543050452831323334352e3637382928383334352e3637382928343030302e3030302928302e3030302928302e303030290d0a0310",
        ],
        [
          "01523102564f4c544128290323",
          "02564f4c5441283233302e3130303029283233312e3430303029283232392e38303030290d0a035e",
        ],
        [
          "01523102435552524528290330",
          "02435552524528352e323530302928342e383130302928362e30373030290d0a0346",
        ],
        ["01523102504f5745502829033e", "02504f57455028332e35343430290d0a0340"],
        [
          "01523102504f5750502829032b",
          "02504f57505028312e313532302928312e303538302928312e33333430290d0a035d",
        ],
        ["01523102465245515528290336", "0246524551552834392e39383030290d0a0372"],
        ["0142300371", ""],
      ],
      gives: {
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
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/** Energomera CE303: as the CE301, with reactive energy and power. Compared with nothing. Not yet read from a real meter by us. */
export const ce303 = defineModel({
  ...iecMeter({ ...family, ...accessTo([...threePhase, ...reactive]), type: "CE303v11", phases: 3 }),
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
        ["063035310d0a", "01503002283132333435363738290368"],
        ["0150310228373737373737290361", "06"],
        ["01523102444154455f28290328", "02444154455f28323631313231290d0a0349"],
        ["0152310254494d455f28290329", "0254494d455f28313234303030290d0a0348"],
        [
          "01523102455430504528290357",
          "0245543050452831323334352e3637382928383334352e3637382928343030302e3030302928302e3030302928302e303030290d0a0310",
        ],
        [
          "01523102564f4c544128290323",
          "02564f4c5441283233302e3130303029283233312e3430303029283232392e38303030290d0a035e",
        ],
        [
          "01523102435552524528290330",
          "02435552524528352e323530302928342e383130302928362e30373030290d0a0346",
        ],
        ["01523102504f5745502829033e", "02504f57455028332e35343430290d0a0340"],
        [
          "01523102504f5750502829032b",
          "02504f57505028312e313532302928312e303538302928312e33333430290d0a035d",
        ],
        ["01523102465245515528290336", "0246524551552834392e39383030290d0a0372"],
        ["01523102455430514528290356", "02455430514528333231302e343030290d0a032a"],
        ["01523102504f5745512829033f", "02504f57455128312e31313630290d0a0340"],
        ["0142300371", ""],
      ],
      gives: {
        tariff0: 12345.678,
        tariff1: 8345.678,
        tariff2: 4000,
        tariff3: 0,
        tariff4: 0,
        tariff_reactive0: 3210.4,
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
        power_reactive: 1.116,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/** Energomera CE102M: the single-phase meter of the family. Compared with nothing. Not yet read from a real meter by us. */
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
        ["063035310d0a", "01503002283132333435363738290368"],
        ["0150310228373737373737290361", "06"],
        ["01523102444154455f28290328", "02444154455f28323631313231290d0a0349"],
        ["0152310254494d455f28290329", "0254494d455f28313234303030290d0a0348"],
        [
          "01523102455430504528290357",
          "0245543050452831323334352e3637382928383334352e3637382928343030302e3030302928302e3030302928302e303030290d0a0310",
        ],
        ["01523102564f4c544128290323", "02564f4c5441283233302e31303030290d0a035b"],
        ["01523102435552524528290330", "02435552524528352e32353030290d0a034a"],
        ["01523102504f5745502829033e", "02504f57455028332e35343430290d0a0340"],
        ["01523102465245515528290336", "0246524551552834392e39383030290d0a0372"],
        ["0142300371", ""],
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
