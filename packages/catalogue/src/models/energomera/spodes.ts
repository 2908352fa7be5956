import { spodesMeter } from "../../dlmsShapes.ts";
import { defineModel } from "../../model.ts";
import { onePhaseSample, threePhaseSample } from "../../samples/spodes.ts";

/**
 * Meters of Energomera with SPODES. Their archives are those of the standard, not confirmed by a document of
 * the manufacturer; address and password of the reader are those of the profile. Not yet read from a real
 * meter.
 */
const energomera = { brand: "Energomera", counterCapacity: 1_000_000 } as const;

export const ce308 = defineModel({
  ...spodesMeter({ phases: 3 }),
  ...energomera,
  id: 704,
  title: "CE308 (SPODES)",
  samples: [threePhaseSample],
});

export const ce307 = defineModel({
  ...spodesMeter({ phases: 3 }),
  ...energomera,
  id: 705,
  title: "CE307 (SPODES)",
  samples: [threePhaseSample],
});

export const ce207 = defineModel({
  ...spodesMeter({ phases: 1 }),
  ...energomera,
  id: 706,
  title: "CE207 (SPODES)",
  samples: [onePhaseSample],
});
