export { FactLines, type Fact } from "./FactLines.tsx";
