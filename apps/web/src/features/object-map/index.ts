import { lazily } from "#lib/load";

/** The map of a branch, for the page of its node. */
export const MapOfNode = lazily(async () => ({ default: (await import("./MapOfNode.tsx")).MapOfNode }));
