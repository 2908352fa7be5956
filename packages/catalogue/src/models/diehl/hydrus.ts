import { defineModel } from "../../model.ts";
import { volumeMeter } from "../../shapes.ts";

/**
 * Diehl HYDRUS, ultrasonic. BCD records; the water's own temperature. Records: M-Bus specification of the
 * maker; quantities agree with public radio telegrams of this meter, whose application layer is the same. Not
 * yet read from a real meter.
 */
export const hydrus = defineModel({
  ...volumeMeter({
    resource: "water",
    manufacturer: "DME",
    version: 0x70,
    medium: 7,
    records: [
      { code: "0C 78" },
      { code: "0C 13", field: "in1" },
      { code: "0B 3B", field: "Q_in" },
      { code: "02 5A", field: "temperature" },
      { code: "04 6D" },
    ],
  }),
  id: 302,
  brand: "Diehl",
  title: "HYDRUS",
  counterCapacity: 100_000,
  samples: [
    {
      of: "now",
      insideAddr: "1",
      deviceID: "12345678",
      exchange: [
        ["1040014116", "e5"],
        [
          "107b017c16",
          "682a2a6808017278563412a5117007010000000c78785634120c13806729000b3b841200025a7200046d0029553b5816",
        ],
      ],
      gives: { in1: 296.78, Q_in: 1.284, temperature: 11.4 },
      source: "our simulator, 2026-11",
    },
  ],
});
