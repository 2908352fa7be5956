import { quarantine, type QuarantinedReading } from "@metrum/contract/metering";
import { isMessageType, messageTypes } from "@metrum/vocabulary";
import { formatDateTime } from "#lib/format";
import { deviceHref } from "#lib/screen";
import { choice, columnsOf, defineList, PhoneRow, type Words } from "#ui/list";
import { Status, type StatusKind } from "#ui/status";
import { listInput, reasons, stateKinds, states, valuesText } from "./quarantine.ts";

interface Context {
  /** User who decided, for decided readings. */
  readonly isWaiting: boolean;
}
type Said = Words & Context;

const hrefOf = ({ device_id }: QuarantinedReading) => deviceHref(device_id);

function stampOf({ datetime }: QuarantinedReading, { t, zone }: Said): string {
  return datetime === null ? t("noMoment") : formatDateTime(datetime, zone);
}

function stateOf(row: QuarantinedReading, { t, zone }: Said) {
  const at = row.decided_at === null ? "" : formatDateTime(row.decided_at, zone);
  const decision = at === "" ? "" : t("decided", { at, by: row.decided_by ?? "—" });
  return { kind: stateKinds[row.state], text: `${t(`state.${row.state}`)}, ${decision}` };
}

function reasonOf({ reason }: QuarantinedReading, { t }: Said) {
  const kind: StatusKind = "warn";
  return { kind, text: t(`reason.${reason}`) };
}

/** A phone shows device and reason, then the two times, then the values. */
function PhoneLines({ row, context }: { readonly row: QuarantinedReading; readonly context: Said }) {
  const { t, zone } = context;
  const state = stateOf(row, context);
  const reason = reasonOf(row, context);
  return (
    <PhoneRow
      title={row.device_name}
      aside={<Status kind={reason.kind}>{reason.text}</Status>}
      more={[
        t("times", { stamp: stampOf(row, context), receipt: formatDateTime(row.received_at, zone) }),
        valuesText(row, context),
        ...(row.state === "waiting" ? [] : [<Status kind={state.kind}>{state.text}</Status>]),
      ]}
    />
  );
}

const wordsOf =
  (group: string, values: readonly string[]) =>
  ({ t }: Words) =>
    Object.fromEntries(values.map((each) => [each, t(`${group}.${each}`)]));
const sources = ["polled", "pushed", "imported", "manual", "calculated"];
const typeWords = ({ language }: Words) =>
  Object.fromEntries(Object.entries(messageTypes).map(([type, { title }]) => [type, title[language]]));

const { text, at, status, link } = columnsOf<QuarantinedReading, Context>();

/** Readings with an implausible time stamp, of a device or of the company. */
export const quarantineList = defineList({
  call: quarantine.list,
  key: "quarantine",
  texts: ["quarantine"],
  label: "title",
  empty: "empty",
  input: (state) => ({ body: listInput(state) }),
  answer: ({ readings: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: QuarantinedReading) => row.id,
  href: hrefOf,
  addressed: ["device"],
  filters: [
    choice("reason", {
      label: "column.reason",
      any: "everyReason",
      options: ({ t }) => reasons.map((each) => ({ value: each, title: t(`reason.${each}`) })),
    }),
    choice("state", {
      label: "column.state",
      usual: "waiting",
      options: ({ t }) => states.map((each) => ({ value: each, title: t(`state.${each}`) })),
    }),
  ],
  columns: [
    link(
      "device",
      150,
      { text: (row) => row.device_name, href: hrefOf },
      { isName: true, file: "device_name" },
    ),
    status("reason", 176, reasonOf, { file: { of: "reason", words: wordsOf("reason", reasons) } }),
    text("stamp", 132, stampOf, { align: "right", file: { of: "datetime", shows: "time" } }),
    at("receipt", 128, (row) => row.received_at, { file: "received_at" }),
    text(
      "type",
      116,
      ({ msgType }, { language }) =>
        isMessageType(msgType) ? messageTypes[msgType].title[language] : String(msgType),
      { file: { of: "msgType", words: typeWords } },
    ),
    text("values", 296, valuesText, { file: { of: "values", shows: "values" } }),
    text("source", 112, (row, { t }) => t(`source.${row.source}`), {
      file: { of: "source", words: wordsOf("source", sources) },
    }),
    status("state", 280, stateOf, {
      isShown: ({ isWaiting }) => !isWaiting,
      file: [
        { of: "state", words: wordsOf("state", states) },
        { of: "decided_at", title: "file.decidedAt", shows: "time" },
        { of: "decided_by", title: "file.decidedBy" },
      ],
    }),
  ],
  phone: (row, context) => <PhoneLines row={row} context={context} />,
});
