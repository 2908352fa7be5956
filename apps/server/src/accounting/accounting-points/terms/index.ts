export { lastDayOf, lossOfMonth, lossSteps, lossesOfMonth } from "./losses.ts";
export { createPointSource } from "./pointSource.ts";
export { ratioAt } from "./ratio.ts";
export { createRatioUse } from "./ratioUse.ts";
export { type NewTerm, insertTerms } from "./termStore.ts";
export {
  type TermFields,
  changeTerm,
  putFirstTerms,
  setTerm,
  termsFrom,
  termsOfForms,
  valueOf,
} from "./terms.ts";
export { tieTransformer, untieTransformer } from "./transformers.ts";
