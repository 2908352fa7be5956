import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";
import { rows } from "../inepro/registers.ts";

/**
 * Map: WAGO 879-30xx, the registers of the PRO380; compared with public readers of this meter. Not yet read
 * from a real meter.
 */
export const wago879 = defineModel({
  ...electricityMeter({ phases: 3, variant: "rtu", rows }),
  id: 198,
  brand: "WAGO",
  title: "879-3000",
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
        ["0103600c00021a08", "0103044640e66624e5"],
        ["0103601800025a0c", "010304414800006e19"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
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
