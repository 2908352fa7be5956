import { administration, letterStates, type Letter } from "@metrum/contract";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { IconButton } from "#ui/button";
import { SelectField } from "#ui/field";
import { useListState, type GridColumn, type GridDefaults } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { snack } from "#ui/snackbar";
import { Status, type StatusKind } from "#ui/status";
import { LetterDialog } from "./LetterDialog.tsx";
import { ListGrid } from "./ListGrid.tsx";
import { pageOf } from "./pageOf.ts";

const defaults: GridDefaults = { sort: null, size: 25, sortFields: [], filters: ["state"] };
const rowKey = (row: Letter) => String(row.id);
const kinds: Readonly<Record<Letter["state"], StatusKind>> = {
  queued: "pending",
  sending: "pending",
  sent: "ok",
  parked: "alarm",
  unknown: "warn",
};

/** The outbox: what was sent to whom, what waits, what was given up. */
export function LettersSection() {
  const { t } = useTranslation("administration");
  const { zone } = useSession();
  const list = useListState("adminLetters", defaults);
  const { state, change } = list;
  const only = letterStates.find((each) => each === state.filters["state"]?.[0]);
  const input = useMemo(
    () => ({ body: { ...pageOf(state), ...(only ? { state: only } : {}) } }),
    [state, only],
  );
  const query = useCall(administration.letters, input, { keepsPrevious: true, isQuiet: true });
  const [readId, setReadId] = useState<number | null>(null);
  const again = async ({ id }: Letter): Promise<void> => {
    const { msg } = await exchange(administration.letterAgain, { params: { id: String(id) } });
    if (msg) snack({ text: msg });
    await refetch(administration.letters);
  };
  const status = (row: Letter) => <Status kind={kinds[row.state]}>{t(`letter.${row.state}`)}</Status>;
  const at = (row: Letter) => formatDateTime(row.created_at, zone);
  const kind = (row: Letter) => t(`letter.kinds.${row.kind}`, { defaultValue: row.kind });
  const buttons = (row: Letter) => (
    <span className="administration-buttons">
      {row.can_read ? (
        <IconButton
          icon="eye"
          label={t("letter.read", { to: row.recipient })}
          onClick={() => setReadId(row.id)}
        />
      ) : null}
      {row.can_send_again ? (
        <IconButton
          icon="refresh"
          label={t("letter.again", { to: row.recipient })}
          onClick={() => void again(row).catch(() => undefined)}
        />
      ) : null}
    </span>
  );
  const columns: readonly GridColumn<Letter>[] = [
    {
      id: "recipient",
      title: t("letter.to"),
      width: 205,
      isFixed: true,
      isSticky: true,
      value: (row) => row.recipient,
      cell: (row) => <b>{row.recipient}</b>,
    },
    { id: "kind", title: t("letter.kind"), width: 170, value: kind, cell: kind },
    { id: "state", title: t("letter.state"), width: 136, cell: status },
    { id: "at", title: t("letter.at"), width: 130, align: "right", value: at, cell: at },
    {
      id: "error",
      title: t("letter.error"),
      width: 160,
      value: (row) => row.error ?? "",
      cell: (row) => row.error ?? "—",
    },
    { id: "actions", title: t("letter.actions"), width: 101, align: "right", cell: buttons },
  ];
  const { data } = query;
  return (
    <>
      <div className="administration-bar">
        <SearchBox
          label={t("letter.search")}
          value={state.q}
          onSearch={useCallback((q: string) => change({ q }), [change])}
        />
        <SelectField
          label={t("letter.state")}
          value={only ?? ""}
          placeholder={t("letter.everyState")}
          options={letterStates.map((each) => ({ value: each, title: t(`letter.${each}`) }))}
          onChange={({ currentTarget: { value } }) =>
            change({ filters: value === "" ? {} : { state: [value] } })
          }
        />
      </div>
      <ListGrid
        list={list}
        label={t("section.letters")}
        columns={columns}
        rows={data?.letters.data}
        total={data?.letters.total}
        query={query}
        rowKey={rowKey}
        empty={t("letter.empty")}
        phoneRow={(row) => (
          <span className="administration-phone">
            <b>{row.recipient}</b>
            {status(row)}
            <small>{kind(row)}</small>
            {buttons(row)}
          </span>
        )}
      />
      {readId === null ? null : <LetterDialog id={readId} onClose={() => setReadId(null)} />}
    </>
  );
}
