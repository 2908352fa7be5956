import { useQueryClient } from "@tanstack/react-query";
import { devices, models, type ReplyOf } from "@metrum/contract";
import { interfaces, resources, type Language } from "@metrum/vocabulary";
import { createElement, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { keyOf, refetch, useCall } from "#lib/call";
import { useSocketEvent, type DeviceData } from "#lib/socket";
import type { GridState } from "#ui/grid";
import { ResourceIcon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import type { Filter } from "./DeviceFilters.tsx";
import { freshened, listInput, stateKinds } from "./devices.ts";

/** Rows are asked again this long after the first news: a burst of readings is one question. */
const refreshMs = 5000;

type ListRow = ReplyOf<typeof devices.list>["metering_devices"]["data"][number];
const hasId = (row: ListRow): row is ListRow & { id: number } => row.id !== undefined;

/** The page of devices the address asks for. News move the times at once and bring the values a moment later, in place. */
export function useDeviceList(state: GridState) {
  const input = useMemo(() => ({ body: listInput(state) }), [state]);
  const query = useCall(devices.list, input, { keepsPrevious: true, isQuiet: true });
  const client = useQueryClient();
  const page = query.data?.metering_devices;
  const rows = useMemo(() => (page?.data ?? []).filter(hasId), [page]);
  const shownIds = useMemo(() => new Set(rows.map((row) => row.id)), [rows]);
  useRefresh(shownIds, (event) => {
    client.setQueryData<typeof query.data>(keyOf(devices.list, input), (old) =>
      old
        ? {
            metering_devices: {
              ...old.metering_devices,
              data: old.metering_devices.data.map((row) => (hasId(row) ? freshened(row, event) : row)),
            },
          }
        : old,
    );
  });
  return { query, rows, total: page?.total ?? 0 };
}

function useRefresh(shownIds: ReadonlySet<number>, onNews: (event: DeviceData) => void): void {
  const timer = useMemo((): { id: ReturnType<typeof setTimeout> | undefined } => ({ id: undefined }), []);
  const ask = () => {
    timer.id = undefined;
    void refetch(devices.list);
  };
  const onData = (event: DeviceData) => {
    if (!shownIds.has(event.device_id)) return;
    onNews(event);
    timer.id ??= setTimeout(ask, refreshMs);
  };
  useSocketEvent("device_data", onData);
  useSocketEvent("joined", ask);
  useEffect(() => () => clearTimeout(timer.id), [timer]);
}

/** What the list can be filtered by; models and interfaces are those that exist. */
export function useDeviceFilters(language: Language): readonly Filter[] {
  const { t } = useTranslation("devices");
  const known = useCall(models.devices, { body: {} }, { freshMs: 3_600_000, isQuiet: true }).data
    ?.metering_devices;
  return useMemo(() => {
    const used = new Set(known?.flatMap((model) => model.interface_ids));
    const states = ["on_time", "silent", "never", "off"] as const;
    return [
      {
        id: "status",
        title: t("filters.status"),
        options: states.map((id) => ({
          id,
          title: t(`state.${id}`),
          icon: createElement(StatusGlyph, { kind: stateKinds[id] }),
        })),
      },
      {
        id: "resource",
        title: t("filters.resource"),
        options: resources.map((each) => ({
          id: String(each.deviceGroupId),
          title: each.title[language],
          icon: createElement(ResourceIcon, { resource: each.key }),
        })),
      },
      {
        id: "model",
        title: t("filters.model"),
        options: (known ?? []).map((model) => ({
          id: String(model.id),
          title: `${model.brand} ${model.title}`,
        })),
      },
      {
        id: "interface",
        title: t("filters.interface"),
        options: interfaces
          .filter((each) => used.has(each.id))
          .map((each) => ({ id: String(each.id), title: each.title[language] })),
      },
      {
        id: "active",
        title: t("filters.active"),
        isSingle: true,
        options: (["active", "inactive"] as const).map((id) => ({ id, title: t(`active.${id}`) })),
      },
    ];
  }, [known, language, t]);
}
