export { BellWork } from "./BellWork.tsx";
export { announceEnd } from "./announceEnd.ts";
