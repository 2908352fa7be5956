import { vegaSi11 } from "@metrum/protocols/vega";
import { defineModel } from "../../model.ts";
import { counterTabs } from "../../shapes.ts";

const source = "constructed by hand from the user manual rev. 26, 2026-11";

/**
 * Properties common to both uses of the pulse counter; it sends unsolicited uplinks and cannot be polled. Its
 * settings are sent by downlinks.
 */
const si11 = {
  kind: "meter",
  brand: "Vega",
  interfaces: ["LoRaWAN"],
  driver: vegaSi11(),
  fields: ["in1", "in2", "in3", "in4", "temperature", "battery", "rssi", "snr", "status_code"],
  tabs: { ...counterTabs(["in1"]), alarm: { msgTypes: [3] } },
  controls: { send_raw_payload: {}, get_settings: {}, vega_settings: {} },
  evidence: [
    {
      kind: "document",
      source: "Vega SI-11, user manual, rev. 26, section on the packets of the device",
      compared: "Payloads made by hand from the layouts of the manual",
    },
  ],
  pulses: { capacity: 2 ** 32, main: "in1" },
} as const;

/** Vega SI-11 on water meters. Packets: user manual, rev. 26; no recorded payload was at hand. */
export const si11Water = defineModel({
  ...si11,
  id: 301,
  title: "SI-11 (water)",
  resource: "water",
  deviceTypeId: 1,
  samples: [
    {
      of: "uplink",
      fport: 2,
      payload: "01620690 5d016b15 10270000 01000000 00000000 00000000",
      scale: { impulseWeight: 0.01, startingValue: 100 },
      gives: { in1: 200, in2: 0.01, in3: 0, in4: 0, temperature: 21, battery: 98 },
      source,
    },
    {
      of: "uplink",
      fport: 2,
      payload: "02624603 905d016b 10270000 01000000 01000000 00000000",
      scale: { impulseWeight: 0.01, startingValue: 0 },
      gives: { in1: 100, in2: 0.01, in3: null, in4: 0, battery: 98, status_code: 3 },
      source,
    },
  ],
});

/** Vega SI-11 on gas meters with a pulse output. */
export const si11Gas = defineModel({
  ...si11,
  id: 401,
  title: "SI-11 (gas)",
  resource: "gas",
  deviceTypeId: 5,
  samples: [
    {
      of: "uplink",
      fport: 2,
      payload: "01580090 5d016bec 39300000 00000000 00000000 00000000",
      scale: { impulseWeight: 0.1, startingValue: 0.5 },
      gives: { in1: 1235, in2: 0, in3: 0, in4: 0, temperature: -20, battery: 88 },
      source,
    },
  ],
});
