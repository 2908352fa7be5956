export { Status, StatusGlyph, statusKinds, type StatusKind } from "./Status.tsx";
