export { VectorDiagram } from "./VectorDiagram.tsx";
export { phasesOf, type Phase } from "./phasors.ts";
