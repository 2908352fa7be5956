import { users, type User } from "@metrum/contract/access";
import { ties } from "@metrum/contract/accounting";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Checkbox } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import "./tieUsers.css";

/** Users shown at a time; others are found by the search. */
const most = 50;
/** Ties that were ticked or unticked, by user. */
type Changes = Readonly<Record<number, boolean>>;
const nothing: Changes = {};

/** Users tied to a device. The selection is kept while searching. */
export function TieUsersDialog({
  deviceId,
  name,
  onClose,
}: {
  readonly deviceId: number;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("ties");
  const { number } = useFormat();
  const [search, setSearch] = useState("");
  const tied = useCall(ties.get, { body: { device_id: deviceId } }, { isQuiet: true });
  const query = useCall(
    users.list,
    { body: { page: 1, per_page: most, ...(search === "" ? {} : { search_string: search }) } },
    { isQuiet: true, keepsPrevious: true },
  );
  const had = tied.data?.users.map(({ id }) => id) ?? [];
  const chosenOf = (changes: Changes) =>
    [...new Set([...had, ...Object.keys(changes).map(Number)])].filter(
      (id) => changes[id] ?? had.includes(id),
    );
  const form = useForm({
    stored: { changed: nothing },
    send: (values, options) =>
      exchange(ties.set, { body: { device_id: deviceId, user_ids: chosenOf(values.changed) } }, options),
    onSaved: async () => {
      onClose();
      await refetch(ties.get);
    },
  });
  const { changed } = form.values;
  const chosen = chosenOf(changed);
  const isTied = (id: number) => chosen.includes(id);
  const toggle = (id: number) => form.set({ changed: { ...changed, [id]: !isTied(id) } });
  const failed = [tied, query].find((each) => each.isError && !each.data);
  return (
    <FormDialog
      form={form}
      title={`${t("title")}: ${name}`}
      size={450}
      action={t("save")}
      isDisabled={form.isBusy || !form.isDirty}
      onClose={onClose}
      foot={
        <span className="tie-count" role="status">
          {t("chosen", { shown: number(chosen.length, 0) })}
        </span>
      }
    >
      <div className="tie">
        <p>{t("text")}</p>
        <SearchBox
          label={t("search")}
          value={search}
          onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
        />
        {failed ? (
          <ErrorState
            title={t("failed")}
            message={reasonOf(failed.error)}
            onRetry={() => void Promise.all([tied.refetch(), query.refetch()])}
          />
        ) : tied.data && query.data ? (
          <TieList rows={query.data.users} isTied={isTied} onToggle={toggle} />
        ) : (
          <Skeleton height={160} />
        )}
        {query.data && query.data.total > most ? (
          <p className="tie-more">{t("more", { shown: number(most, 0) })}</p>
        ) : null}
      </div>
    </FormDialog>
  );
}

/** Users with a box each. */
export function TieList(props: {
  readonly rows: readonly User[];
  readonly isTied: (id: number) => boolean;
  readonly onToggle: (id: number) => void;
}) {
  const { t } = useTranslation("ties");
  if (props.rows.length === 0) return <p role="status">{t("nothing")}</p>;
  return (
    <ul className="tie-list" aria-label={t("list")}>
      {props.rows.map((row) => (
        <li key={row.id}>
          <Checkbox checked={props.isTied(row.id)} onChange={() => props.onToggle(row.id)}>
            <b>{row.name}</b> <small>{row.is_admin ? t("all") : row.email}</small>
          </Checkbox>
        </li>
      ))}
    </ul>
  );
}
