import { spodesMeter } from "../../dlmsShapes.ts";
import { defineModel } from "../../model.ts";
import { onePhaseSample, threePhaseSample } from "../../samples/spodes.ts";

/**
 * Meters of MIRTEK, by the standard SPODES and not by a documentation of the manufacturer. Not yet read from
 * a real meter.
 */
const mirtek = { brand: "MIRTEK", counterCapacity: 1_000_000 } as const;

export const mirtek32 = defineModel({
  ...spodesMeter({ phases: 3 }),
  ...mirtek,
  id: 709,
  title: "MIRTEK-32-RU (SPODES)",
  samples: [threePhaseSample],
});

export const mirtek12 = defineModel({
  ...spodesMeter({ phases: 1 }),
  ...mirtek,
  id: 710,
  title: "MIRTEK-12-RU (SPODES)",
  samples: [onePhaseSample],
});
