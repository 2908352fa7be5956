export type { AddedAmount, AddedPart } from "./added.ts";
export { type Register, nodesOfTie, ratioWithin } from "./chain.ts";
export {
  type Counted,
  type CountedBefore,
  countedAt,
  countedBefore,
  countedFrom,
  readersOf,
} from "./countedReadings.ts";
export {
  type DayRow,
  type Recognised,
  type Sources,
  daysOf,
  mainRegister,
  nodesOfRegister,
  otherRegisters,
  registersOf,
} from "./days.ts";
export { type Node, exactRange } from "./nodes.ts";
export { type Part, type Parts, type Period, partsOfPeriod } from "./parts.ts";
export { powersOfPoints } from "./powers.ts";
export { type RatioStep, hasRatio, ratioAt, ratiosFor } from "./ratios.ts";
export { registerWords } from "./registerWords.ts";
export {
  type Tie,
  type TimeSpan,
  ratiosOf,
  stepsOfTerms,
  termsQuery,
  tiesOf,
  tiesQuery,
} from "./tieStore.ts";
export {
  type Between,
  farReach,
  firstNotBefore,
  isNear,
  isSettledAfter,
  isSettledBefore,
  isUsualKnown,
  nearest,
} from "./usual.ts";
