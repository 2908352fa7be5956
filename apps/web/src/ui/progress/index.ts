export { progressDelaysMs, RouteProgress } from "./RouteProgress.tsx";
