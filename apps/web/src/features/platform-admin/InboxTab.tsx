import { inbox, type InboxEntry } from "@metrum/contract";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { formatTimeDate } from "#lib/format";
import { Button } from "#ui/button";
import { columnsOf, defineList, ListView, useList, type Words } from "#ui/list";
import { Connection } from "./modemList.tsx";
import { useRefused } from "./useRefused.ts";

const AddDialog = lazy(async () => ({ default: (await import("./AddDialog.tsx")).AddDialog }));

const rowKey = ({ kind, identity, port, company_id }: InboxEntry) =>
  [kind, identity, port ?? "", company_id ?? ""].join("/");

/** Known transports by name; others are shown as received. */
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

interface Own {
  readonly onAdd: (row: InboxEntry) => void;
}

function Add({ row, context: { t, onAdd } }: { readonly row: InboxEntry; readonly context: Words & Own }) {
  return (
    <Button
      size="small"
      icon="plus"
      aria-label={t("inbox.addOf", { id: row.identity })}
      onClick={() => onAdd(row)}
    >
      {t("inbox.add")}
    </Button>
  );
}

const { cell, text, actions } = columnsOf<InboxEntry, Own>();

/** Unregistered callers. */
const inboxList = defineList({
  call: inbox.list,
  texts: ["admin"],
  label: "tab.inbox",
  empty: "inbox.empty",
  asks: { freshMs: 0, everyMs: 15_000 },
  input: () => ({}),
  answer: (reply) => ({ rows: reply.inbox }),
  rowKey,
  columns: [
    text("identity", 200, (row) => row.identity, { title: "column.device_id", isName: true }),
    text("kind", 190, (row, { t }) => t(`inbox.kindOf.${row.kind}`), { title: "inbox.kind" }),
    text(
      "way",
      220,
      ({ way, port }, { t }) =>
        port === null ? wayName(way) : t("inbox.wayOf", { port, way: wayName(way) }),
      { title: "inbox.way" },
    ),
    cell(
      "state",
      150,
      {
        cell: ({ kind, is_online, count }, { t, number }) =>
          kind === "modem" ? (
            <Connection isOnline={is_online} t={t} />
          ) : (
            t("inbox.messages", { count: count ?? 0, shown: number(count ?? 0, 0) })
          ),
      },
      { title: "column.connect_status" },
    ),
    text("company", 200, (row) => row.company_name, { title: "inbox.company" }),
    text("last", 160, (row, { zone }) => formatTimeDate(row.last_at, zone), { title: "column.last_date" }),
    actions("add", 130, (row, context) => <Add row={row} context={context} />, { title: "inbox.action" }),
  ],
  phone: (row, context) => (
    <span className="platform-phone">
      <b>{row.identity}</b>
      <small>{context.t(`inbox.kindOf.${row.kind}`)}</small>
      <small>{formatTimeDate(row.last_at, context.zone)}</small>
      <Add row={row} context={context} />
    </span>
  ),
});

/**
 * The button that opened the form disappears with its row; the tab then takes the focus, so that the keyboard
 * stays in the page.
 */
function useFocusAfter(isOpen: boolean): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      document.querySelector<HTMLElement>(".platform [role=tab][aria-selected=true]")?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
}

/** The inbox, and the form that registers a caller. */
export function InboxTab() {
  const [added, setAdded] = useState<InboxEntry | null>(null);
  const list = useList(inboxList, { onAdd: setAdded });
  useRefused(list.query.error);
  // Poll results that arrive meanwhile belong to the open form.
  const entry = added && (list.rows.find((row) => rowKey(row) === rowKey(added)) ?? added);
  useFocusAfter(entry !== null);
  return (
    <>
      <ListView list={list} />
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
