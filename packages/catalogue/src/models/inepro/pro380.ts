import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { pro380Rows } from "./registers.ts";

/**
 * Map: Inepro PRO380-Mod user manual; compared with public readers of this meter. Not yet read from a real
 * meter.
 */
export const pro380 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows: pro380Rows }),
  id: 197,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/inepro.go, commit fb8f9c22f121",
      compared: "Addresses of all 31 registers of the map",
    },
  ],
  brand: "Inepro Metering",
  title: "PRO380-Mod",
  interfaces: ["RS_485"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["010350020008f4cc", "0103104366199a436766664365cccd4247eb8555bc"],
        [
          "0103500c00261513",
          "01034c40a800004099eb8540c23d714062d0e53f9374bc3f876c8b3faac0833f8ed9173eb9db233eb0a3d73ed0e560406dd2f23f9a9fbe3f8e76c93fb28f5c3f7439583f7439583f7374bc3f74bc6a0b23",
        ],
        ["0103600c00061bcb", "01030c4640e66646026666457a00003aac"],
        ["0103601800065bcf", "01030c4148000041080000408000004839"],
        ["010360300002da04", "0103044548a66694a3"],
        ["0103603c00021a07", "01030440fccccdbb56"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff1: 8345.6,
        tariff2: 4000,
        tariff_negative0: 12.5,
        tariff_negative1: 8.5,
        tariff_negative2: 4,
        tariff_reactive0: 3210.4,
        tariff_reactive_negative0: 7.9,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        Frequency: 49.98,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
        power_active: 3.544,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_reactive: 1.116,
        power_reactive1: 0.363,
        power_reactive2: 0.345,
        power_reactive3: 0.408,
        power_apparent: 3.716,
        power_apparent1: 1.208,
        power_apparent2: 1.113,
        power_apparent3: 1.395,
        cos0: 0.954,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
      },
      source: "our simulator, 2026-11",
    },
  ],
});
