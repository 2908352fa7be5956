import type { TabKey } from "@metrum/vocabulary";
import { lazy, type ComponentType } from "react";
import type { OwnViewProps } from "./tabs.ts";

/** Tabs that show something else than readings: few open them, so the code of each comes with it. */
export const ownViews: Readonly<Partial<Record<TabKey, ComponentType<OwnViewProps>>>> = {
  journal: lazy(async () => ({ default: (await import("./PollLog.tsx")).PollLog })),
};
