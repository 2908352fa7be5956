import { accessExamples } from "./examples/access.ts";
import { balanceExamples } from "./examples/balances.ts";
import { gatewayExamples } from "./examples/gateways.ts";
import { meteringExamples } from "./examples/metering.ts";
import { headendExamples } from "./examples/headend.ts";
import { insightExamples } from "./examples/insight.ts";
import { objectExamples } from "./examples/objects.ts";
import { periodExamples } from "./examples/periods.ts";
import { pointExamples } from "./examples/points.ts";
import { partyExamples } from "./examples/parties.ts";
import { platformExamples } from "./examples/platform.ts";
import { sheetExamples } from "./examples/sheets.ts";
import { validationExamples } from "./examples/validation.ts";
import type { Examples } from "./examples/example.ts";

export type { Example } from "./examples/example.ts";

/** One example for each call that is served; a call without one fails the walking test. */
export const examples: Examples = {
  ...accessExamples,
  ...meteringExamples,
  ...gatewayExamples,
  ...headendExamples,
  ...insightExamples,
  ...objectExamples,
  ...periodExamples,
  ...pointExamples,
  ...partyExamples,
  ...balanceExamples,
  ...platformExamples,
  ...sheetExamples,
  ...validationExamples,
};
