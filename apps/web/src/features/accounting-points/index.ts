import { lazily } from "#lib/load";

export { cardOfDeviceHref } from "./points.ts";

/** How many days of a branch or a point are left to be computed again. */
export const Recount = lazily(async () => ({ default: (await import("./Recount.tsx")).Recount }));

/** Points of a node of the objects tree, for its page. */
export const PointsOfNode = lazily(async () => ({
  default: (await import("./list/PointsOfNode.tsx")).PointsOfNode,
}));

/** Those of them that have no fresh data. */
export const LateOfNode = lazily(async () => ({
  default: (await import("./list/PointsOfNode.tsx")).LateOfNode,
}));

/** An accounting point of the company, chosen by name, address or device. */
export const PointPicker = lazily(async () => ({ default: (await import("./pickers.tsx")).PointPicker }));
