import type { ReplyOf } from "@metrum/contract/core";
import { readings } from "@metrum/contract/metering";
import { keyOf, queryClient } from "#lib/call";
import { maxSpanOf } from "#ui/dateRange";
import { readAddress } from "./address.ts";
import type { Device } from "./DeviceHeader.tsx";
import { kindOf } from "./tabs/registry.ts";
import { readingsOptions } from "./tabs/readings/useReadings.ts";
import { shownRange, viewOf } from "./view.ts";

type Types = ReplyOf<typeof readings.typesGet>;

/** Requests the readings of a device at an address, as the page does once it is rendered. */
export async function startCalls(device: Device, search: Readonly<Record<string, unknown>>): Promise<void> {
  const { profile, range, ...address } = readAddress(search);
  const { tab, msgType, resource } = viewOf(device, address);
  if (kindOf(tab).view !== undefined) return;
  const types = queryClient.getQueryData<Types>(keyOf(readings.typesGet, {}))?.types;
  const limits = {
    maxSpan: maxSpanOf(tab, types?.find((each) => each.id === msgType)?.max_period_request ?? null),
    zone: device.timezone_name,
    now: Math.floor(Date.now() / 1000),
  };
  const wanted = {
    deviceId: device.id,
    tab,
    msgType,
    profile,
    resource,
    range: shownRange({ range, tab }, limits),
  };
  await queryClient.query(readingsOptions(wanted));
}
