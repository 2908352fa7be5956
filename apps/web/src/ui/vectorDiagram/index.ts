export { VectorDiagram } from "./VectorDiagram.tsx";
export type { Phase } from "./phasors.ts";
