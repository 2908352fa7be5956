import { resourceOfGroup } from "@metrum/vocabulary";
import { defaultRange, fitRange, presetRange, type Range, type RangeLimits } from "#ui/dateRange";
import type { DataAddress } from "./address.ts";
import type { Device } from "./DeviceHeader.tsx";
import { kindOf } from "./tabs/registry.ts";
import { currentTab, currentType, typesOf } from "./tabs/tabs.ts";

/** Tab and message type that an address means on the page of a device. */
export function viewOf(device: Device, address: Pick<DataAddress, "tab" | "type">) {
  const { tabs } = device.model;
  const tab = currentTab(tabs, address.tab);
  const types = typesOf(tabs, tab);
  const resource = resourceOfGroup(device.device_group_id).key;
  return { tab, types, msgType: currentType(types, address.type), resource };
}

/** The period of the address within the limits of the tab, else the default one. */
export function shownRange(
  { range, tab }: Pick<DataAddress, "range"> & Pick<View, "tab">,
  limits: RangeLimits,
): Range {
  if (range === null)
    return kindOf(tab).view ? presetRange("today", limits.zone, limits.now) : defaultRange(limits);
  const { start, end } = fitRange(range, "end", range, limits);
  return { start, end };
}

type View = ReturnType<typeof viewOf>;
