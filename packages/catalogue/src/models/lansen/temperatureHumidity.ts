import { defineModel } from "../../model.ts";
import { radioMeter } from "../../shapes.ts";

/**
 * Lansen room sensor, security mode 5. Temperature and humidity compared with one public telegram of version
 * 9. Not yet received from a real one.
 */
export const lansenTemperatureHumidity = defineModel({
  ...radioMeter({
    resource: "sensor",
    manufacturers: ["LAS"],
    version: 0x09,
    medium: 0x1b,
    security: "mode5",
    records: [
      { code: "02 65", field: "temperature" },
      { code: "01 FB 1B", field: "Humidity" },
    ],
  }),
  id: 510,
  evidence: [
    {
      kind: "telegram",
      source: "wmbusmeters/wmbusmeters, drivers/src/lansenth.xmq, commit 4dedd717d3af",
      compared: "Temperature and humidity of one recorded telegram",
    },
  ],
  brand: "Lansen",
  title: "E2 / G2 temperature and humidity (wM-Bus)",
  samples: [
    {
      of: "uplink",
      fport: 0,
      payload: "1644333078563412091b7ad90000000265740401fb1b2c",
      scale: { impulseWeight: 1, startingValue: 0 },
      gives: { temperature: 11.4, Humidity: 44 },
      source: "our encoder, 2026-11",
    },
  ],
});
