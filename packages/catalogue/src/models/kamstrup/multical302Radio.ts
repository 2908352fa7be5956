import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Kamstrup MULTICAL 302 and 303, wireless M-Bus C1 with the extended link layer. Compared with public full
 * and compact telegrams of version 30 (302) and full ones of version 40 (303), which also send temperatures:
 * those are not among the fields here. Not yet received from a real one.
 */
export const multical302Radio = defineModel({
  ...radioMeter({
    resource: "heat",
    manufacturers: ["KAM"],
    version: 0x30,
    medium: 0x04,
    security: "extended",
    records: [
      { code: "03 06", field: "tariff1" },
      { code: "03 14", field: "V_in" },
      { code: "04 2D", field: "heat_power" },
    ],
    formats: ["0306 4306 0314 426C 022D 01FF21"],
  }),
  id: 210,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/kamheat.xmq, commit 4dedd717d3af",
      compared: "Energy, volume and power of one recorded telegram of version 30",
    },
  ],
  brand: "Kamstrup",
  title: "MULTICAL 302 / 303 (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1e442d2c7856341230047ad90000000306ca38000314cca800042d46020000",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { tariff1: 12.50043, V_in: 432.12, heat_power: 0.050043 },
      source: "our encoder, 2026-11",
    },
  ],
});
