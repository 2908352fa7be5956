import { p1Meter } from "../../electricityShapes.ts";
import { defineModel } from "../../model.ts";

/**
 * A reader of the P1 customer port that pushes whole telegrams, one a message, over Wi-Fi or a LoRaWAN
 * network.
 * Telegrams: DSMR P1 companion standard 5.0.2, compared with 12 public telegrams of Dutch, Belgian, Swedish
 * and Danish meters. That a reader of this brand can push raw telegrams to one's own server was not
 * tried. Not yet read from a real meter.
 */
export const p1Reader = defineModel({
  ...p1Meter({
    identification: "MTR5\\2P1-SIM",
    fields: [
      "tariff0",
      "tariff1",
      "tariff2",
      "tariff_negative0",
      "tariff_negative1",
      "tariff_negative2",
      "power_active",
      "power_active1",
      "power_active2",
      "power_active3",
      "voltage1",
      "voltage2",
      "voltage3",
      "current1",
      "current2",
      "current3",
    ],
  }),
  id: 132,
  evidence: [
    {
      kind: "telegram",
      source: "ndokter/dsmr_parser, example telegrams of its tests, commit fa20ee45a310",
      compared: "Energy, power, voltages and currents of two telegrams of Dutch and Belgian meters",
    },
  ],
  brand: "HomeWizard",
  title: "P1 port reader",
  interfaces: ["Wi_Fi", "LoRaWAN"],
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "uplink",
      fport: 1,
      payload:
        "2f4d5452355c3250312d53494d0d0a0d0a312d333a302e322e38283530290d0a302d303a312e302e302832363131323131303430303057290d0a302d303a39362e312e312834353330333033343337333033313332333333343335333633373338290d0a312d303a312e382e30283031323334352e3637382a6b5768290d0a312d303a312e382e31283030383334352e3637382a6b5768290d0a312d303a312e382e32283030343030302e3030302a6b5768290d0a312d303a322e382e30283030303031322e3530302a6b5768290d0a312d303a322e382e31283030303030382e3235302a6b5768290d0a312d303a322e382e32283030303030342e3235302a6b5768290d0a312d303a312e372e302830332e3534342a6b57290d0a312d303a322e372e302830302e3030302a6b57290d0a312d303a32312e372e302830312e3135322a6b57290d0a312d303a32322e372e302830302e3030302a6b57290d0a312d303a34312e372e302830312e3035382a6b57290d0a312d303a34322e372e302830302e3030302a6b57290d0a312d303a36312e372e302830312e3333342a6b57290d0a312d303a36322e372e302830302e3030302a6b57290d0a312d303a33322e372e30283233302e312a56290d0a312d303a35322e372e30283233312e342a56290d0a312d303a37322e372e30283232392e382a56290d0a312d303a33312e372e30283030352e32352a41290d0a312d303a35312e372e30283030342e38312a41290d0a312d303a37312e372e30283030362e30372a41290d0a302d303a39362e31332e3028290d0a21424246310d0a",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: {
        tariff0: 12345.678,
        tariff1: 8345.678,
        tariff2: 4000,
        tariff_negative0: 12.5,
        tariff_negative1: 8.25,
        tariff_negative2: 4.25,
        power_active: 3.544,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
      },
      source: "our simulator, 2026-11",
    },
  ],
});
