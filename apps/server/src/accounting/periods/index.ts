export { isClosed, refuseClosed } from "./closed.ts";
export { closedSpans, type ClosedSpan, type PointSpan } from "./closedStore.ts";
