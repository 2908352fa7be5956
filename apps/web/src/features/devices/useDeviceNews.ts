import { useQueryClient } from "@tanstack/react-query";
import type { InputOf, ReplyOf } from "@metrum/contract/core";
import { devices } from "@metrum/contract/metering";
import { useEffect, useMemo } from "react";
import { keyOf, refetch } from "#lib/call";
import { useSocketEvent, type DeviceData } from "#lib/socket";
import { freshened, type DeviceRow } from "./devices.ts";

/** Rows are requested this long after the first event: a burst of readings is one request. */
const refreshMs = 5000;
/** And after a task that may have changed devices. */
const changedMs = 1000;

/**
 * Live events of visible devices update the times at once and the values a moment later, in place; a task that has
 * gone on or ended may have changed any of them.
 */
export function useDeviceNews(rows: readonly DeviceRow[], input: InputOf<typeof devices.list>): void {
  const client = useQueryClient();
  const shownIds = useMemo(() => new Set(rows.map((row) => row.id)), [rows]);
  const timer = useMemo((): { id: ReturnType<typeof setTimeout> | undefined } => ({ id: undefined }), []);
  const ask = () => {
    timer.id = undefined;
    void refetch(devices.list);
  };
  const onData = (event: DeviceData) => {
    if (!shownIds.has(event.device_id)) return;
    client.setQueryData<ReplyOf<typeof devices.list>>(keyOf(devices.list, input), (old) =>
      old
        ? {
            metering_devices: {
              ...old.metering_devices,
              data: old.metering_devices.data.map((row) => freshened(row, event)),
            },
          }
        : old,
    );
    timer.id ??= setTimeout(ask, refreshMs);
  };
  useSocketEvent("device_data", onData);
  useSocketEvent("device_task", ({ device_id }) => {
    if (device_id === undefined) timer.id ??= setTimeout(ask, changedMs);
  });
  useSocketEvent("joined", ask);
  useEffect(() => () => clearTimeout(timer.id), [timer]);
}
