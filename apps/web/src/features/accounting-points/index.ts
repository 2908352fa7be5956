import { lazily } from "#lib/load";

export { cardOfDeviceHref } from "./points.ts";

/** Points of a node of the objects tree, for its page. */
export const PointsOfNode = lazily(async () => ({
  default: (await import("./PointsOfNode.tsx")).PointsOfNode,
}));

/** Those of them that have no fresh data. */
export const LateOfNode = lazily(async () => ({
  default: (await import("./PointsOfNode.tsx")).LateOfNode,
}));
