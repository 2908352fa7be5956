import { modbus, type RegisterRow } from "@metrum/protocols/modbus";
import { defineModel } from "../../model.ts";
import { counterTabs, polledControls, pollLog } from "../../shapes.ts";

/** Layout: int16 and uint16 in tenths of a degree Celsius and of a per cent. */
const rows: readonly RegisterRow[] = [
  { address: 1, table: "input", type: "i16", scale: 0.1, field: "temperature", msgType: 1 },
  { address: 2, table: "input", type: "u16", scale: 0.1, field: "Humidity", msgType: 1 },
];

/**
 * Map: sheet of the manufacturer; the same in several public readers of this sensor. Not yet read from a real
 * one.
 */
export const md02 = defineModel({
  kind: "meter",
  id: 501,
  brand: "XY",
  title: "XY-MD02",
  resource: "sensor",
  deviceTypeId: 20,
  interfaces: ["RS_485"],
  driver: modbus({ variant: "rtu", rows }),
  fields: ["temperature", "Humidity"],
  tabs: { ...counterTabs(["temperature", "Humidity"]), ...pollLog },
  controls: polledControls,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [["010400010002200b", "010404ffdb0264bb20"]],
      gives: { temperature: -3.7, Humidity: 61.2 },
      source: "our simulator, 2026-11",
    },
  ],
});
