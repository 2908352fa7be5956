import { lazily } from "#lib/load";

export { BellWork } from "./BellWork.tsx";
export { announceEnd } from "./announceEnd.ts";

/** Progress and results of one task, wherever it was started. */
export const TaskWatch = lazily(async () => ({ default: (await import("./TaskWatch.tsx")).TaskWatch }));
