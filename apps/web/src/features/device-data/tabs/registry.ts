import type { TabKey } from "@metrum/vocabulary";
import type { ComponentType } from "react";
import { lazily } from "#lib/load";
import type { OwnViewProps } from "./tabs.ts";

/** What of a tab differs from chart and table of readings. */
interface TabKind {
  /** Shown instead of readings; rarely opened, so each has its own chunk. */
  readonly view?: ComponentType<OwnViewProps>;
  /** Every polled device has it, whatever its model. */
  readonly isForAll?: boolean;
  /** A row covers the interval that starts at its time: seconds of it, if they follow from the tab. */
  readonly intervalSec?: (profile: 30 | 60) => number;
  /** The user chooses between half-hours and hours. */
  readonly hasProfile?: boolean;
}

const readings: TabKind = {};

const kinds: Readonly<Partial<Record<TabKey, TabKind>>> = {
  power_profiles: { intervalSec: (profile) => profile * 60, hasProfile: true },
  energy_profiles: { intervalSec: () => 1800 },
  journal: {
    view: lazily(async () => ({ default: (await import("./journal/PollLog.tsx")).PollLog })),
    isForAll: true,
  },
};

/** What of this tab differs from the others; tabs that are not listed show readings. */
export const kindOf = (tab: TabKey): TabKind => kinds[tab] ?? readings;
