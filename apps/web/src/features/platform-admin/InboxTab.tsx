import { inbox, type InboxEntry } from "@metrum/contract";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatTimeDate, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Grid, shownColumns, type GridColumn } from "#ui/grid";
import { Connection } from "./modemColumns.tsx";
import { useRefused } from "./useRefused.ts";

const AddDialog = lazy(async () => ({ default: (await import("./AddDialog.tsx")).AddDialog }));

const everyMs = 15_000;
const rowKey = ({ kind, identity, port, company_id }: InboxEntry) =>
  [kind, identity, port ?? "", company_id ?? ""].join("/");

/** Ways by the names that they are known by; another one, as it is called. */
const wayNames: ReadonlyMap<string, string> = new Map([
  ["chirpstack", "ChirpStack"],
  ["things", "The Things Stack"],
  ["actility", "ThingPark"],
  ["senml", "SenML"],
  ["mqtt", "MQTT"],
  ["udp", "UDP"],
  ["imei", "IMEI"],
  ["iccid", "ICCID"],
]);
const wayName = (way: string): string => wayNames.get(way) ?? way;

/** The button that opened the form goes with its row; then the tab takes the focus, so that the keyboard stays in the page. */
function useFocusAfter(isOpen: boolean): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      document.querySelector<HTMLElement>(".platform [role=tab][aria-selected=true]")?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
}

/** Who calls and is registered nowhere. */
export function InboxTab() {
  const { t } = useTranslation(["admin", "common"]);
  const { number } = useFormat();
  const { zone } = useSession();
  const [added, setAdded] = useState<InboxEntry | null>(null);
  const query = useCall(inbox.list, {}, { isQuiet: true, freshMs: 0, everyMs });
  useRefused(query.error);
  const columns = useMemo((): readonly GridColumn<InboxEntry>[] => {
    const add = (row: InboxEntry) => (
      <Button
        size="small"
        icon="plus"
        aria-label={t("inbox.addOf", { id: row.identity })}
        onClick={() => setAdded(row)}
      >
        {t("inbox.add")}
      </Button>
    );
    return [
      {
        id: "identity",
        title: t("column.device_id"),
        width: 200,
        isFixed: true,
        isSticky: true,
        value: (row) => row.identity,
        cell: (row) => <b>{row.identity}</b>,
      },
      { id: "kind", title: t("inbox.kind"), width: 190, cell: (row) => t(`inbox.kindOf.${row.kind}`) },
      {
        id: "way",
        title: t("inbox.way"),
        width: 220,
        value: (row) => row.way,
        cell: ({ way, port }) =>
          port === null ? wayName(way) : t("inbox.wayOf", { port, way: wayName(way) }),
      },
      {
        id: "state",
        title: t("column.connect_status"),
        width: 150,
        cell: (row) =>
          row.kind === "modem" ? (
            <Connection isOnline={row.is_online} t={t} />
          ) : (
            t("inbox.messages", { count: row.count ?? 0, shown: number(row.count ?? 0, 0) })
          ),
      },
      { id: "company", title: t("inbox.company"), width: 200, cell: (row) => row.company_name ?? "—" },
      {
        id: "last",
        title: t("column.last_date"),
        width: 160,
        value: (row) => row.last_at,
        cell: (row) => formatTimeDate(row.last_at, zone),
      },
      { id: "add", title: t("inbox.action"), width: 130, align: "right", cell: add },
    ];
  }, [t, number, zone]);
  const shown = useMemo(() => shownColumns(columns, null), [columns]);
  const { data } = query;
  // What a poll has found meanwhile belongs to the form that is open.
  const entry = added && (data?.inbox.find((row) => rowKey(row) === rowKey(added)) ?? added);
  useFocusAfter(entry !== null);
  return (
    <>
      <Grid
        label={t("tab.inbox")}
        columns={columns}
        shown={shown}
        rows={data?.inbox ?? []}
        rowKey={rowKey}
        status={query.isPending ? "loading" : query.error && !data ? "error" : "ready"}
        error={reasonOf(query.error, t("common:error.offline"))}
        onRetry={() => void query.refetch()}
        empty={t("inbox.empty")}
        phoneRow={(row) => (
          <span className="platform-phone">
            <b>{row.identity}</b>
            <small>{t(`inbox.kindOf.${row.kind}`)}</small>
            <small>{formatTimeDate(row.last_at, zone)}</small>
            {columns.at(-1)?.cell(row)}
          </span>
        )}
      />
      {entry === null ? null : (
        <Suspense>
          <AddDialog
            key={`${rowKey(entry)}/${String(entry.model_id)}`}
            entry={entry}
            onClose={() => setAdded(null)}
          />
        </Suspense>
      )}
    </>
  );
}
