import { p1Meter } from "../../electricityShapes.ts";
import { defineModel } from "../../model.ts";

/**
 * Fields of the telegrams of both readers, and their sign-in: with their own account at the broker that
 * they push to.
 */
const reader = {
  ...p1Meter({
    identification: "MTR5\\2P1-SIM",
    fields: ["tariff0", "tariff1", "tariff2", "power_active", "voltage1", "current1"],
  }),
  interfaces: ["Wi_Fi"],
  counterCapacity: 1_000_000,
  hasLogin: true,
} as const;

/**
 * SmartStuff P1 Dongle Pro, a reader of the P1 customer port. Telegrams: DSMR P1 companion standard 5.0.2.
 * That it can push raw telegrams was not tried. Not yet read from a real one.
 */
export const p1DonglePro = defineModel({
  ...reader,
  id: 551,
  evidence: [
    {
      kind: "telegram",
      source: "ndokter/dsmr_parser, example telegrams of its tests, commit fa20ee45a310",
      compared: "Energy, power and a voltage of one telegram of a Dutch meter",
    },
  ],
  brand: "SmartStuff",
  title: "P1 Dongle Pro",
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload:
        "2f4d5452355c3250312d53494d0d0a0d0a312d333a302e322e38283530290d0a302d303a312e302e302832363131323131303030303057290d0a302d303a39362e312e312833313332333333343335333633373338290d0a312d303a312e382e30283031323334352e3630302a6b5768290d0a312d303a312e382e31283030383334352e3630302a6b5768290d0a312d303a312e382e32283030343030302e3030302a6b5768290d0a312d303a312e372e302830332e3534342a6b57290d0a312d303a322e372e302830302e3030302a6b57290d0a312d303a33322e372e30283233302e312a56290d0a312d303a33312e372e30283030352e32352a41290d0a302d303a39362e31332e3028290d0a21333330440d0a",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: {
        tariff0: 12345.6,
        tariff1: 8345.6,
        tariff2: 4000,
        power_active: 3.544,
        voltage1: 230.1,
        current1: 5.25,
      },
      source: "our simulator, 2026-11",
    },
  ],
});

/** Zuidwijk SlimmeLezer+, a reader of the P1 customer port. Telegrams and certainty as the P1 Dongle Pro. */
export const slimmeLezer = defineModel({
  ...reader,
  id: 552,
  evidence: [
    {
      kind: "telegram",
      source: "ndokter/dsmr_parser, example telegrams of its tests, commit fa20ee45a310",
      compared: "Energy, power and a voltage of one telegram of a Dutch meter",
    },
  ],
  brand: "Zuidwijk",
  title: "SlimmeLezer+",
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload:
        "2f4d5452355c3250312d53494d0d0a0d0a312d333a302e322e38283530290d0a302d303a312e302e302832363131323131303030303057290d0a302d303a39362e312e312833313332333333343335333633373338290d0a312d303a312e382e30283031323334352e3630302a6b5768290d0a312d303a312e382e31283030383334352e3630302a6b5768290d0a312d303a312e382e32283030343030302e3030302a6b5768290d0a312d303a312e372e302830332e3534342a6b57290d0a312d303a322e372e302830302e3030302a6b57290d0a312d303a33322e372e30283233302e312a56290d0a312d303a33312e372e30283030352e32352a41290d0a302d303a39362e31332e3028290d0a21333330440d0a",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: {
        tariff0: 12345.6,
        tariff1: 8345.6,
        tariff2: 4000,
        power_active: 3.544,
        voltage1: 230.1,
        current1: 5.25,
      },
      source: "our simulator, 2026-11",
    },
  ],
});
