import type { TabKey } from "@metrum/vocabulary";
import { type ComponentType } from "react";
import { lazily } from "#lib/load";
import type { OwnViewProps } from "./tabs.ts";

/** Tabs without readings: rarely opened, so each has its own chunk. */
export const ownViews: Readonly<Partial<Record<TabKey, ComponentType<OwnViewProps>>>> = {
  journal: lazily(async () => ({ default: (await import("./journal/PollLog.tsx")).PollLog })),
};
