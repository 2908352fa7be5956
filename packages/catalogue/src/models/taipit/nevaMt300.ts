import type { IecRow } from "@metrum/protocols/iec62056-21";
import type { FieldName } from "@metrum/vocabulary";
import { iecMeter } from "../../electricityShapes.ts";
import { defineModel } from "../../model.ts";

const single = (obis: string, field: FieldName, unit: string): IecRow => ({ obis, field, unit });

/** OBIS in hexadecimal, C D E F: energy is one bracket with the sum and four tariffs between commas. */
const rows: readonly IecRow[] = [
  ...(["tariff0", "tariff1", "tariff2", "tariff3", "tariff4"] as const).map((field, part) => ({
    obis: "0F0880FF",
    field,
    part,
    unit: "kWh",
  })),
  single("200700FF", "voltage1", "V"),
  single("340700FF", "voltage2", "V"),
  single("480700FF", "voltage3", "V"),
  single("1F0700FF", "current1", "A"),
  single("330700FF", "current2", "A"),
  single("470700FF", "current3", "A"),
  single("100700FF", "power_active", "W"),
  single("0E0701FF", "Frequency", "Hz"),
];

const neva = (type: string) =>
  iecMeter({
    manufacturer: "TPC",
    type,
    phases: 3,
    rows,
    clock: { date: "000902FF", time: "000901FF" },
    utcOffsetMinutes: 180,
    hasBareErrors: true,
    access: {
      reads: ["000902FF()", "000901FF()", ...new Set(rows.map(({ obis }) => `${obis}()`))],
      password: "00000000",
    },
  });

/**
 * Taipit Neva MT 314: active energy by tariff, voltages, currents, power.
 * Addresses, error numbers and the password of the factory: facts of dialogues in the tests of
 * wb-mqtt-serial, and of pyneva. Not yet read from a real meter.
 */
export const nevaMt314 = defineModel({
  ...neva("NEVAMT314"),
  id: 126,
  brand: "Taipit",
  title: "Neva MT 314",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "",
      deviceID: "12345678",
      exchange: [
        ["2f3f210d0a", "2f545043354e4556414d543331340d0a"],
        ["063035310d0a", "01503002283132333435363738290368"],
        ["01503102283030303030303030290361", "06"],
        ["01523102303030393032464628290368", "02303030393032464628323631313231290d0a0309"],
        ["0152310230303039303146462829036b", "02303030393031464628313234303030290d0a030a"],
        [
          "01523102304630383830464628290315",
          "0230463038383046462831323334352e3637382c383334352e3637382c343030302e3030302c302e3030302c302e303030290d0a0352",
        ],
        ["01523102323030373030464628290366", "023230303730304646283233302e31303030290d0a031e"],
        ["01523102333430373030464628290363", "023334303730304646283233312e34303030290d0a031f"],
        ["01523102343830373030464628290368", "023438303730304646283232392e38303030290d0a0311"],
        ["01523102314630373030464628290313", "02314630373030464628352e32353030290d0a0369"],
        ["01523102333330373030464628290364", "02333330373030464628342e38313030290d0a0311"],
        ["01523102343730373030464628290367", "02343730373030464628362e30373030290d0a031e"],
        ["01523102313030373030464628290365", "02313030373030464628333534342e30303030290d0a032b"],
        ["01523102304530373031464628290310", "0230453037303146462834392e39383030290d0a0354"],
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
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/** Taipit Neva MT 324: as the MT 314. Compared with nothing. Not yet read from a real meter. */
export const nevaMt324 = defineModel({
  ...neva("NEVAMT324"),
  id: 127,
  brand: "Taipit",
  title: "Neva MT 324",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "",
      deviceID: "12345678",
      exchange: [
        ["2f3f210d0a", "2f545043354e4556414d543332340d0a"],
        ["063035310d0a", "01503002283132333435363738290368"],
        ["01503102283030303030303030290361", "06"],
        ["01523102303030393032464628290368", "02303030393032464628323631313231290d0a0309"],
        ["0152310230303039303146462829036b", "02303030393031464628313234303030290d0a030a"],
        [
          "01523102304630383830464628290315",
          "0230463038383046462831323334352e3637382c383334352e3637382c343030302e3030302c302e3030302c302e303030290d0a0352",
        ],
        ["01523102323030373030464628290366", "023230303730304646283233302e31303030290d0a031e"],
        ["01523102333430373030464628290363", "023334303730304646283233312e34303030290d0a031f"],
        ["01523102343830373030464628290368", "023438303730304646283232392e38303030290d0a0311"],
        ["01523102314630373030464628290313", "02314630373030464628352e32353030290d0a0369"],
        ["01523102333330373030464628290364", "02333330373030464628342e38313030290d0a0311"],
        ["01523102343730373030464628290367", "02343730373030464628362e30373030290d0a031e"],
        ["01523102313030373030464628290365", "02313030373030464628333534342e30303030290d0a032b"],
        ["01523102304530373031464628290310", "0230453037303146462834392e39383030290d0a0354"],
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
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});
