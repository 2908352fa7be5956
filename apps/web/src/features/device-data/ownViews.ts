import type { TabKey } from "@metrum/vocabulary";
import { lazy, type ComponentType } from "react";
import type { OwnViewProps } from "./tabs.ts";

/** Tabs without readings: rarely opened, so each has its own chunk. */
export const ownViews: Readonly<Partial<Record<TabKey, ComponentType<OwnViewProps>>>> = {
  journal: lazy(async () => ({ default: (await import("./PollLog.tsx")).PollLog })),
};
