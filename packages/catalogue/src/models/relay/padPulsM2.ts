import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Relay PadPuls M2 on the pulse output of a gas meter: the reading of the dial is set in the adapter at
 * installation, so it counts on from there and a starting value of ours would be added twice. Records: those
 * of the M1 with the due date's; quantities agree with public telegrams of its sister M4. Not yet read from a
 * real adapter.
 */
export const padPulsM2 = defineModel({
  ...volumeMeter({
    resource: "gas",
    manufacturer: "REL",
    version: 0x12,
    medium: 3,
    records: [{ code: "0C 14", field: "in1" }, { code: "04 6D" }],
  }),
  id: 447,
  brand: "Relay",
  title: "PadPuls M2 (gas)",
  hasOwnStartingValue: true,
  counterCapacity: 1_000_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        ["107b017c16", "681b1b6808017278563412ac481203010000000c1478960200046d0029553bf316"],
      ],
      gives: { in1: 296.78 },
      source: "our simulator, 2026-11",
    },
  ],
});
