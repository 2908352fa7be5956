export { stateKinds } from "./deviceStates.ts";
export { Status, StatusGlyph, statusKinds, type StatusKind } from "./Status.tsx";
