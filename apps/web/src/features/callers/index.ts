export { Callers, useCallers } from "./Callers.tsx";
