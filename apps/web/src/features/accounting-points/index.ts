import { lazily } from "#lib/load";

export { cardOfDeviceHref } from "./points.ts";

/** Points of a node of the objects tree, for its page. */
export const PointsOfNode = lazily(async () => ({
  default: (await import("./PointsOfNode.tsx")).PointsOfNode,
}));
