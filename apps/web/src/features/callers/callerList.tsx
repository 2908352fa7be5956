import { inbox, inboxKinds, type InboxEntry } from "@metrum/contract/headend";
import { formatTimeDate } from "#lib/format";
import { Button } from "#ui/button";
import { columnsOf, defineList, PhoneRow, yesNo, type Words } from "#ui/list";
import { Status } from "#ui/status";

export const callerKey = ({ kind, identity, port, company_id }: InboxEntry): string =>
  [kind, identity, port ?? "", company_id ?? ""].join("/");

/** Known transports by name; others are shown as received. */
const wayNames: ReadonlyMap<string, string> = new Map([
  ["chirpstack", "ChirpStack"],
  ["things", "The Things Stack"],
  ["actility", "ThingPark"],
  ["senml", "SenML"],
  ["readings", "HTTP"],
  ["mqtt", "MQTT"],
  ["udp", "UDP"],
  ["imei", "IMEI"],
  ["iccid", "ICCID"],
  ["wmbus", "wM-Bus"],
  ["p1", "P1"],
]);
const wayName = (way: string): string => wayNames.get(way) ?? way;

/** "wM-Bus, RECEIVER-1" of a receiver, the network server of a message, else its topic. */
export function wayOf({ way, port }: InboxEntry, { t }: Pick<Words, "t">): string {
  if (port !== null) return t("callers:wayOf", { port, way: wayName(way) });
  const [, receiver, number] = /^(wmbus|p1)\/(.*)$/.exec(way) ?? [];
  if (receiver !== undefined) return `${wayName(receiver)}, ${number ?? ""}`;
  if (way.startsWith("http/")) return wayName(way.slice("http/".length));
  if (/(^|\/)application\/.+\/event\//.test(way)) return wayName("chirpstack");
  return /(^|\/)v3\/.+\/devices\//.test(way) ? wayName("things") : wayName(way);
}

export interface CallerContext {
  readonly isStaff: boolean;
  readonly onAdd: (row: InboxEntry) => void;
}

function Add({
  row,
  context: { t, onAdd },
}: {
  readonly row: InboxEntry;
  readonly context: Words & CallerContext;
}) {
  return (
    <Button
      size="small"
      icon="plus"
      aria-label={t("callers:addOf", { id: row.identity })}
      onClick={() => onAdd(row)}
    >
      {t("callers:add")}
    </Button>
  );
}

/** Whether a modem is connected, or how many messages of a device are kept. */
function State({ row, context: { t, number } }: { readonly row: InboxEntry; readonly context: Words }) {
  if (row.kind === "modem")
    return (
      <Status kind={row.is_online ? "ok" : "off"}>
        {t(row.is_online ? "callers:online" : "callers:offline")}
      </Status>
    );
  return t("callers:messages", { count: row.count ?? 0, shown: number(row.count ?? 0, 0) });
}

const kindWords = ({ t }: Words) =>
  Object.fromEntries(inboxKinds.map((kind) => [kind, t(`callers:kindOf.${kind}`)]));

const { cell, text, actions } = columnsOf<InboxEntry, CallerContext>();

/** Unregistered callers. */
export const callerList = defineList({
  call: inbox.list,
  texts: ["callers"],
  label: "list",
  empty: "empty",
  asks: { freshMs: 0, everyMs: 15_000 },
  input: () => ({ body: {} }),
  answer: (reply) => ({ rows: reply.inbox }),
  rowKey: callerKey,
  open: (row, { onAdd }) => onAdd(row),
  columns: [
    text("identity", 220, (row) => row.identity, { isName: true, file: "identity" }),
    text("kind", 170, (row, { t }) => t(`kindOf.${row.kind}`), {
      file: { of: "kind", words: kindWords },
    }),
    text("way", 230, wayOf, { file: [{ of: "way" }, { of: "port", title: "file.port" }] }),
    cell(
      "state",
      150,
      { cell: (row, context) => <State row={row} context={context} /> },
      { file: [{ of: "count" }, { of: "is_online", title: "online", words: yesNo }] },
    ),
    text("company", 200, (row) => row.company_name, {
      isShown: ({ isStaff }) => isStaff,
      file: "company_name",
    }),
    text(
      "first",
      150,
      (row, { zone }) => (row.first_at === null ? null : formatTimeDate(row.first_at, zone)),
      { file: { of: "first_at", shows: "time" } },
    ),
    text("last", 150, (row, { zone }) => formatTimeDate(row.last_at, zone), {
      file: { of: "last_at", shows: "time" },
    }),
    actions("add", 130, (row, context) => <Add row={row} context={context} />, { title: "action" }),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={row.identity}
      line={
        <>
          {wayOf(row, context)} · <State row={row} context={context} />
        </>
      }
      more={[formatTimeDate(row.last_at, context.zone)]}
      menu={<Add row={row} context={context} />}
    />
  ),
});
