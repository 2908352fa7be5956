import { administration, letterStates, type Letter } from "@metrum/contract/platform";
import { useState } from "react";
import { exchange, ignoreFailure, refetch } from "#lib/call";
import { IconButton } from "#ui/button";
import { choice, columnsOf, defineList, ListView, pageInput, search, useList, type Words } from "#ui/list";
import { snack } from "#ui/snackbar";
import { Status, type StatusKind } from "#ui/status";
import { LetterDialog } from "./LetterDialog.tsx";

interface Context {
  readonly onRead: (id: number) => void;
}
type Said = Words & Context;

const kinds: Readonly<Record<Letter["state"], StatusKind>> = {
  queued: "pending",
  sending: "pending",
  sent: "ok",
  parked: "alarm",
  unknown: "warn",
};

const kindOf = (row: Letter, { t }: Said) => t(`letter.kinds.${row.kind}`, { defaultValue: row.kind });
const stateOf = ({ state }: Letter, { t }: Said) => ({ kind: kinds[state], text: t(`letter.${state}`) });

async function sendAgain({ id }: Letter): Promise<void> {
  const { msg } = await exchange(administration.letterAgain, { params: { id: String(id) } });
  if (msg) snack({ text: msg });
  await refetch(administration.letters);
}

function Buttons({ row, context }: { readonly row: Letter; readonly context: Said }) {
  const { t, onRead } = context;
  return (
    <span className="administration-buttons">
      {row.can_read ? (
        <IconButton
          icon="eye"
          label={t("letter.read", { to: row.recipient })}
          onClick={() => onRead(row.id)}
        />
      ) : null}
      {row.can_send_again ? (
        <IconButton
          icon="refresh"
          label={t("letter.again", { to: row.recipient })}
          onClick={() => void sendAgain(row).catch(ignoreFailure)}
        />
      ) : null}
    </span>
  );
}

function PhoneRow({ row, context }: { readonly row: Letter; readonly context: Said }) {
  const { kind, text } = stateOf(row, context);
  return (
    <span className="administration-phone">
      <b>{row.recipient}</b>
      <Status kind={kind}>{text}</Status>
      <small>{kindOf(row, context)}</small>
      <Buttons row={row} context={context} />
    </span>
  );
}

const { text, at, status, actions } = columnsOf<Letter, Context>();

const letterList = defineList({
  call: administration.letters,
  key: "adminLetters",
  texts: ["administration"],
  label: "section.letters",
  empty: "letter.empty",
  input: (state) => {
    const only = letterStates.find((each) => each === state.filters["state"]?.[0]);
    return { body: { ...pageInput(state), ...(only ? { state: only } : {}) } };
  },
  answer: ({ letters }) => ({ rows: letters.data, total: letters.total }),
  rowKey: (row: Letter) => String(row.id),
  filters: [
    search("letter.search"),
    choice("state", {
      label: "letter.state",
      any: "letter.everyState",
      options: ({ t }) => letterStates.map((each) => ({ value: each, title: t(`letter.${each}`) })),
    }),
  ],
  columns: [
    text("recipient", 205, (row) => row.recipient, { title: "letter.to", isName: true, file: "recipient" }),
    text("kind", 170, kindOf, { title: "letter.kind", file: "kind" }),
    status("state", 136, stateOf, {
      title: "letter.state",
      file: {
        of: "state",
        words: ({ t }) => Object.fromEntries(letterStates.map((each) => [each, t(`letter.${each}`)])),
      },
    }),
    at("at", 130, (row) => row.created_at, { title: "letter.at", file: "created_at" }),
    text("error", 160, (row) => row.error, { title: "letter.error", file: "error" }),
    actions("actions", 101, (row, context) => <Buttons row={row} context={context} />, {
      title: "letter.actions",
    }),
  ],
  phone: (row, context) => <PhoneRow row={row} context={context} />,
});

/** The outbox: sent, waiting and given-up letters. */
export function LettersSection() {
  const [readId, setReadId] = useState<number | null>(null);
  const list = useList(letterList, { onRead: setReadId });
  return (
    <>
      <ListView list={list} />
      {readId === null ? null : <LetterDialog id={readId} onClose={() => setReadId(null)} />}
    </>
  );
}
