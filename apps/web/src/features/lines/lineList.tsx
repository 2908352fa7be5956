import { lines, lineWays, linkStates, receivers, type Line } from "@metrum/contract/headend";
import { gatewayHref } from "#lib/screen";
import { aged, agoText, columnsOf, defineList, many, PhoneRow, search, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { LineMenu, type LineActions } from "./LineMenu.tsx";
import { addressOf, formatOf, listInput, stateKinds } from "./lines.ts";

interface Own extends LineActions {
  readonly now: number;
}

const cardOf = ({ id }: Line): string => gatewayHref(id);

const stateOf = ({ state }: Line, { t }: Pick<Words, "t">) => ({
  kind: stateKinds[state],
  text: t(`lines:state.${state}`),
});

const stateWords = ({ t }: Words) =>
  Object.fromEntries(linkStates.map((state) => [state, t(`lines:state.${state}`)]));
const wayWords = ({ t }: Words) => Object.fromEntries(lineWays.map((way) => [way, t(`lines:way.${way}`)]));
const receiverWords = ({ t }: Words) =>
  Object.fromEntries(receivers.map((each) => [each, t(`lines:listens.${each}`)]));

/** "TCP", or "9600 8N1". */
function wayText({ serial }: Line, { t }: Pick<Words, "t">): string {
  if (!serial) return t("lines:way.tcp");
  return t("lines:serialWay", { speed: String(serial.baud_rate), format: formatOf(serial) });
}

const useText = ({ listens }: Line, { t }: Pick<Words, "t">): string =>
  t(listens ? `lines:listens.${listens.to}` : "lines:polled");

/** "12" or "12, 3 silent". */
function devicesText(
  { devices_count, silent_count }: Line,
  { t, number }: Pick<Words, "t" | "number">,
): string {
  const all = number(devices_count, 0);
  return silent_count === 0
    ? all
    : t("lines:withSilent", { all, count: silent_count, silent: number(silent_count, 0) });
}

const { cell, text, status, actions } = columnsOf<Line, Own>();

/** Lines that the server opens, of the company. */
export const lineList = defineList({
  call: lines.list,
  key: "lines",
  texts: ["lines", "devices"],
  label: "list",
  empty: "empty",
  found: "found",
  sort: { field: "name", desc: false },
  hasChooser: true,
  asks: { everyMs: 30_000 },
  input: (state) => ({ body: listInput(state) }),
  answer: ({ lines: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: Line) => String(row.id),
  rowClass: (row) => (row.state === "off" ? "is-off" : ""),
  href: cardOf,
  filters: [
    search("search"),
    many<Own>(["way", "use"], ({ t }) => [
      {
        id: "way",
        title: t("filters.way"),
        isSingle: true,
        options: (["tcp", "serial"] as const).map((id) => ({ id, title: t(`way.${id}`) })),
      },
      {
        id: "use",
        title: t("filters.use"),
        isSingle: true,
        options: (["polled", "receiver"] as const).map((id) => ({ id, title: t(`use.${id}`) })),
      },
    ]),
  ],
  columns: [
    status("state", 144, stateOf, { file: { of: "state", words: stateWords } }),
    cell(
      "address",
      196,
      { value: addressOf, cell: (row) => <b className="line-address">{addressOf(row)}</b> },
      {
        sort: "host",
        isName: true,
        file: [{ of: ["tcp.host", "serial.path"] }, { of: "tcp.port", title: "file.port" }],
      },
    ),
    text("way", 112, wayText, {
      isQuiet: true,
      file: [
        { of: "way", words: wayWords },
        { of: "serial.baud_rate", title: "file.speed" },
      ],
    }),
    text("use", 150, useText, {
      file: { of: "listens.to", words: receiverWords, title: "file.receiver" },
    }),
    cell(
      "name",
      226,
      {
        value: (row) => row.name,
        cell: (row) => (
          <span className="line-gateway">
            <a href={cardOf(row)}>{row.name}</a>
            <span>{row.model_title}</span>
          </span>
        ),
      },
      { sort: "name", file: [{ of: "name" }, { of: "model_title", title: "file.model" }] },
    ),
    text("number", 150, (row) => row.device_id, {
      sort: "device_id",
      isQuiet: true,
      isOptional: true,
      file: "device_id",
    }),
    text("devices", 118, devicesText, {
      align: "right",
      file: [{ of: "devices_count" }, { of: "silent_count", title: "file.silent" }],
    }),
    cell(
      "contact",
      124,
      aged((row) => row.last_contact_at),
      { align: "right", file: { of: "last_contact_at", shows: "time" } },
    ),
    actions("menu", 56, (row, context) => <LineMenu line={row} {...context} />, { title: "" }),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={addressOf(row)}
      aside={context.t("lines:behind", { devices: devicesText(row, context) })}
      line={
        <>
          <Status kind={stateKinds[row.state]}>{stateOf(row, context).text}</Status> {row.name}
        </>
      }
      end={agoText(row.last_contact_at, context)}
      menu={<LineMenu line={row} {...context} />}
    />
  ),
});
