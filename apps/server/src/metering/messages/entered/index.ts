export { enterReading, warningOf } from "./enterReading.ts";
export { withImportDoubts } from "./importDoubts.ts";
export { verdictOf } from "./plausible.ts";
export { vouched } from "./vouch.ts";
