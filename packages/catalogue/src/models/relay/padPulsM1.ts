import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Relay PadPuls M1 on the pulse output of a gas meter: medium and pulse value are set in the adapter, so it
 * answers in m3. BCD records; quantities agree with public telegrams of its sisters M2 and M4. Not yet read
 * from a real adapter.
 */
export const padPulsM1 = defineModel({
  ...volumeMeter({
    resource: "gas",
    manufacturer: "REL",
    version: 0x08,
    medium: 3,
    records: [{ code: "0C 14", field: "in1" }, { code: "04 6D" }],
  }),
  id: 402,
  brand: "Relay",
  title: "PadPuls M1 (gas)",
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        ["107b017c16", "681b1b6808017278563412ac480803010000000c1478960200046d0029553be916"],
      ],
      gives: { in1: 296.78 },
      source: "our simulator, 2026-11",
    },
  ],
});
