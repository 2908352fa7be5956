import { spodesMeter } from "../../dlmsShapes.ts";
import { defineModel } from "../../model.ts";
import { onePhaseSample, threePhaseSample } from "../../samples/spodes.ts";

/**
 * Meters of the Mercury family with SPODES firmware. Their archives are those of the standard, not confirmed
 * by a document of the manufacturer; address and password of the reader are those of the profile. Not yet
 * read from a real meter.
 */
const mercury = { brand: "Incotex", counterCapacity: 1_000_000 } as const;

export const mercury234Spodes = defineModel({
  ...spodesMeter({ phases: 3 }),
  ...mercury,
  id: 702,
  title: "Mercury 234 ARTM2 (SPODES)",
  samples: [threePhaseSample],
});

export const mercury204Spodes = defineModel({
  ...spodesMeter({ phases: 1 }),
  ...mercury,
  id: 703,
  title: "Mercury 204 ARTM2 (SPODES)",
  samples: [onePhaseSample],
});
