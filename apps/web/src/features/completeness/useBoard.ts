import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callOptions, keyOf, queryClient, type ApiError } from "#lib/call";
import { useSession } from "#lib/session";
import { useSocketEvent } from "#lib/socket";
import { callOf, pageInput, pageSizeOf, type BoardRow, type View } from "./completeness.ts";

/** Pages are requested this long after the first event: a burst of readings is one request. */
const refreshMs = 2000;
const freshMs = 60_000;

export interface Board {
  readonly rowAt: (index: number) => BoardRow | undefined;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

/** The pages of the board that hold these rows, refreshed when their devices have new readings. */
export function useBoard(view: View, indexes: readonly number[]): Board {
  const { zone } = useSession();
  const size = pageSizeOf(view.days.length);
  const call = callOf(view.type);
  const numbers = [...new Set(indexes.map((index) => Math.floor(index / size)))].sort((a, b) => a - b);
  const queries = useQueries({
    queries: numbers.map((nth) => callOptions(call, pageInput(view, nth, zone), { isQuiet: true, freshMs })),
  });
  const pages = new Map(numbers.map((nth, at) => [nth, queries[at]?.data]));
  useRefresh(
    [...pages].flatMap(([nth, page]): Shown[] =>
      page
        ? [
            {
              key: keyOf(call, pageInput(view, nth, zone)),
              ids: page.devices.data.map(({ device_id }) => device_id),
            },
          ]
        : [],
    ),
  );
  const failed = queries.find(({ isError, data }) => isError && data === undefined);
  return {
    rowAt: (index) => pages.get(Math.floor(index / size))?.devices.data[index % size],
    error: failed?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}

interface Shown {
  readonly key: readonly unknown[];
  readonly ids: readonly number[];
}

/** Requests the pages again whose devices have new readings. */
function useRefresh(shown: readonly Shown[]): void {
  const due = useRef(new Set<number>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  const refresh = () => {
    timer.current = undefined;
    const ids = due.current;
    due.current = new Set();
    for (const { key, ids: own } of latest.current)
      if (own.some((id) => ids.has(id))) void queryClient.invalidateQueries({ queryKey: key, exact: true });
  };
  useSocketEvent("device_data", ({ device_id }) => {
    due.current.add(device_id);
    timer.current ??= setTimeout(refresh, refreshMs);
  });
  useSocketEvent("joined", () => {
    for (const { key } of latest.current) void queryClient.invalidateQueries({ queryKey: key, exact: true });
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** Days with missing rows that were seen on this visit, by device: they are marked once they are complete. */
export function useSeenMissing(): (row: BoardRow) => ReadonlySet<string> {
  const seen = useRef(new Map<number, Set<string>>());
  return (row) => {
    const days = seen.current.get(row.device_id) ?? new Set<string>();
    seen.current.set(row.device_id, days);
    for (const { day, expected, received } of row.types[0]?.days ?? [])
      if (received < expected) days.add(day);
    return days;
  };
}
