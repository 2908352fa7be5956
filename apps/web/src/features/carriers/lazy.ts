import { lazily, onDemand } from "#lib/load";

/** The check of rights with its messages, for lists that need it only once something is changed. */
export const loadPermits = onDemand(() => import("./permitted.ts"), { isQuiet: true });

/** Changes of many gateways or base stations at once. */
export const CarrierBulk = lazily(async () => ({ default: (await import("./CarrierBulk.tsx")).CarrierBulk }));
