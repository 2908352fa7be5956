import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Diehl AERIUS, ultrasonic gas meter, security mode 5. Volume at base conditions, flow and temperature
 * compared with one public telegram of version 30.
 * Not yet received from a real one.
 */
export const aerius = defineModel({
  ...radioMeter({
    resource: "gas",
    manufacturers: ["DME"],
    version: 0x30,
    medium: 0x03,
    security: "mode5",
    records: [
      { code: "0C 93 3E", field: "in1" },
      { code: "0A 3B", field: "Q_in" },
      { code: "02 5A", field: "temperature" },
    ],
  }),
  id: 410,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/aerius.xmq, commit 4dedd717d3af",
      compared: "Volume, flow and temperature of one recorded telegram",
    },
  ],
  brand: "Diehl",
  title: "AERIUS (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1d44a5117856341230037ad90000000c933e806729000a3b8412025a7200",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { in1: 296.78, Q_in: 1.284, temperature: 11.4 },
      source: "our encoder, 2026-11",
    },
  ],
});
