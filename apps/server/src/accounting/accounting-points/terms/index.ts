export { lastDayOf, lossOfMonth, lossSteps, lossesOfMonth } from "./losses.ts";
export { createPointSource } from "./pointSource.ts";
export { ratioAt } from "./ratio.ts";
export { createRatioUse } from "./ratioUse.ts";
export { insertTerms, type NewTerm } from "./termStore.ts";
export {
  changeTerm,
  putFirstTerms,
  setTerm,
  termsFrom,
  termsOfForms,
  valueOf,
  type TermFields,
} from "./terms.ts";
export { tieTransformer, untieTransformer } from "./transformers.ts";
