import { useQueryClient } from "@tanstack/react-query";
import { pointData } from "@metrum/contract/accounting";
import type { InputOf, ReplyOf } from "@metrum/contract/core";
import { messageLimit, readings, type PeriodSummary } from "@metrum/contract/metering";
import type { ResourceKey, TabKey } from "@metrum/vocabulary";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { callOptions, keyOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSocketEvent, type DeviceData } from "#lib/socket";
import type { Range } from "#ui/dateRange";
import { emptyTable, mergeColumns, toTable, wordsOf, type DataTable, type Wording } from "./dataTable.ts";
import { kindOf } from "../registry.ts";

interface Wanted {
  readonly deviceId: number;
  /** The data of an accounting point, whichever devices have measured it. */
  readonly pointId?: number | undefined;
  readonly tab: TabKey;
  readonly msgType: number;
  readonly profile: 30 | 60;
  readonly range: Range;
  readonly resource: ResourceKey;
}

type Reply = ReplyOf<typeof readings.list>;

/** The profile that is asked for, on a tab that has a choice of them. */
const profileOf = ({ tab, profile }: Wanted) => (kindOf(tab).hasProfile ? { profile_type: profile } : {});

function inputOf(wanted: Wanted): InputOf<typeof readings.list> {
  const { deviceId, tab, msgType, range } = wanted;
  return {
    body: {
      device_id: deviceId,
      msgType,
      tab,
      startDate: range.start,
      stopDate: range.end,
      limit: messageLimit,
      shape: "columns",
      ...profileOf(wanted),
    },
  };
}

/** The same of a point. */
function pointInputOf(wanted: Wanted): InputOf<typeof pointData.messages> {
  const { pointId, tab, msgType, range } = wanted;
  return {
    body: {
      accounting_point_id: pointId ?? 0,
      msgType,
      tab,
      startDate: range.start,
      stopDate: range.end,
      limit: messageLimit,
      shape: "columns",
      ...profileOf(wanted),
    },
  };
}

function summaryInputOf(wanted: Wanted): InputOf<typeof readings.summary> {
  const { deviceId, msgType, range } = wanted;
  return {
    body: {
      device_id: deviceId,
      msgType,
      startDate: range.start,
      stopDate: range.end,
      ...profileOf(wanted),
    },
  };
}

export const readingsOptions = (wanted: Wanted) =>
  callOptions(readings.list, inputOf(wanted), { isQuiet: true });

/**
 * Rows of the open view as columns. Live events of the device fetch only the changed rows, which are merged
 * into the open answer: nothing else is requested again and nothing jumps.
 */
export function useReadings(wanted: Wanted) {
  const { language } = useFormat();
  const { t } = useTranslation("deviceData");
  const { resource } = wanted;
  const input = inputOf(wanted);
  const isPoint = wanted.pointId !== undefined;
  const isAsked = kindOf(wanted.tab).view === undefined;
  const asks = { keepsPrevious: true, isQuiet: true };
  const ofDevice = useCall(readings.list, input, { ...asks, isEnabled: isAsked && !isPoint });
  const ofPoint = useCall(pointData.messages, pointInputOf(wanted), {
    ...asks,
    isEnabled: isAsked && isPoint,
  });
  const query = isPoint ? ofPoint : ofDevice;
  useLiveRows(wanted);
  const reply = query.data;
  const table = useMemo((): DataTable => {
    if (!reply || !("columns" in reply)) return emptyTable;
    const wording: Wording = { resource, language, derived: (kind, name) => t(`derived.${kind}`, { name }) };
    return toTable(reply.columns, reply.fields_headers, (header) => wordsOf(header, wording));
  }, [reply, resource, language, t]);
  return { query, table, summary: reply?.summary ?? null, isCut: reply?.truncated ?? false };
}

function useLiveRows(wanted: Wanted): void {
  const client = useQueryClient();
  const onData = (event: DeviceData) => {
    const { deviceId, pointId, msgType, range } = wanted;
    if (event.device_id !== deviceId || event.msgType !== msgType) return;
    if (pointId !== undefined) {
      void refetch(pointData.messages);
      return;
    }
    // Whole hours: an hourly profile combines its half-hours.
    const part = {
      start: Math.max(range.start, Math.floor(event.from / 3600) * 3600),
      end: Math.min(range.end, Math.ceil((event.to + 1) / 3600) * 3600 - 1),
    };
    if (part.start > part.end) return;
    const open = keyOf(readings.list, inputOf(wanted));
    const fresh = { staleTime: 0, gcTime: 0 };
    const partInput = inputOf({ ...wanted, range: part });
    // Share, gaps and totals cover the whole period and cannot be computed from some rows.
    const whole = summaryInputOf(wanted);
    void Promise.all([
      client.query({ ...callOptions(readings.list, partInput, { isQuiet: true }), ...fresh }),
      client.query({ ...callOptions(readings.summary, whole, { isQuiet: true }), ...fresh }),
    ]).then(
      ([rows, summary]) =>
        client.setQueryData<Reply>(open, (old) => (old ? joined(old, rows, summary) : old)),
      () => client.invalidateQueries({ queryKey: open }),
    );
  };
  useSocketEvent("device_data", onData);
  useSocketEvent("joined", () => void refetch(readings.list));
  useEffect(() => () => client.removeQueries({ queryKey: keyOf(readings.list), type: "inactive" }), [client]);
}

function joined(old: Reply, fresh: Reply, summary: PeriodSummary): Reply {
  if (!("columns" in old) || !("columns" in fresh)) return old;
  const known = new Set(old.fields_headers.map((header) => header.name));
  return {
    ...old,
    summary,
    columns: mergeColumns(old.columns, fresh.columns),
    fields_headers: [
      ...old.fields_headers,
      ...fresh.fields_headers.filter((header) => !known.has(header.name)),
    ],
  };
}
