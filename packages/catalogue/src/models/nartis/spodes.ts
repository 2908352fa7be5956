import { spodesMeter } from "../../dlmsShapes.ts";
import { defineModel } from "../../model.ts";
import { onePhaseSample, threePhaseSample } from "../../samples/spodes.ts";

/**
 * Meters of NARTIS, by the standard SPODES and not by a documentation of the manufacturer. Not yet read from
 * a real meter.
 */
const nartis = { brand: "NARTIS", counterCapacity: 1_000_000 } as const;

export const nartis300 = defineModel({
  ...spodesMeter({ phases: 3 }),
  ...nartis,
  id: 707,
  title: "NARTIS-300 (SPODES)",
  samples: [threePhaseSample],
});

export const nartis100 = defineModel({
  ...spodesMeter({ phases: 1 }),
  ...nartis,
  id: 708,
  title: "NARTIS-100 (SPODES)",
  samples: [onePhaseSample],
});
