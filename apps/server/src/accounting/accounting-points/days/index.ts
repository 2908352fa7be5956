export type { AddedAmount, AddedPart } from "./added.ts";
export { nodesOfTie, ratioWithin, type Register } from "./chain.ts";
export {
  countedAt,
  countedBefore,
  countedFrom,
  readersOf,
  type Counted,
  type CountedBefore,
} from "./countedReadings.ts";
export {
  daysOf,
  mainRegister,
  nodesOfRegister,
  otherRegisters,
  registersOf,
  type DayRow,
  type Recognised,
  type Sources,
} from "./days.ts";
export { exactRange, type Node } from "./nodes.ts";
export { partsOfPeriod, type Part, type Parts, type Period } from "./parts.ts";
export { powersOfPoints } from "./powers.ts";
export { hasRatio, ratioAt, ratiosFor, type RatioStep } from "./ratios.ts";
export { registerWords } from "./registerWords.ts";
export {
  ratiosOf,
  stepsOfTerms,
  termsQuery,
  tiesOf,
  tiesQuery,
  type Tie,
  type TimeSpan,
} from "./tieStore.ts";
export {
  farReach,
  firstNotBefore,
  isNear,
  isSettledAfter,
  isSettledBefore,
  isUsualKnown,
  nearest,
  type Between,
} from "./usual.ts";
