import { users, type TreeObject } from "@metrum/contract";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Checkbox } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { tieUsers } from "./many.ts";
import { refreshed } from "./objects.ts";

const nothing: readonly number[] = [];

/** Chooses users to tie to each of several nodes. The choice is kept while searching. */
export function PickUsersDialog(props: {
  readonly nodes: readonly TreeObject[];
  readonly onClose: () => void;
  readonly onTied: () => void;
}) {
  const { nodes, onClose } = props;
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const [search, setSearch] = useState("");
  const {
    data,
    error,
    refetch: retry,
  } = useCall(
    users.list,
    { body: { page: 1, per_page: 25, ...(search === "" ? {} : { search_string: search }) } },
    { isQuiet: true, keepsPrevious: true },
  );
  const form = useForm({
    stored: { chosen: nothing },
    send: ({ chosen }, options) => tieUsers(nodes, chosen, { t, ...options }),
    onSaved: async () => {
      props.onTied();
      onClose();
      await refetch(...refreshed);
    },
  });
  const { chosen } = form.values;
  const toggle = (id: number) =>
    form.set({ chosen: chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id] });
  return (
    <FormDialog
      form={form}
      title={t("users.title", { count: nodes.length })}
      size={450}
      action={t("users.tie")}
      isDisabled={form.isBusy || chosen.length === 0}
      onClose={onClose}
      foot={<span role="status">{t("placed.chosen", { shown: number(chosen.length, 0) })}</span>}
    >
      <p>{t("users.text")}</p>
      <SearchBox
        label={t("users.search")}
        value={search}
        onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
      />
      {error && !data ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void retry()} />
      ) : !data ? (
        <Skeleton height={160} />
      ) : data.users.length === 0 ? (
        <EmptyState title={t("nothing")} />
      ) : (
        <ul className="objects-pick">
          {data.users.map(({ id, name, email }) => (
            <li key={id}>
              <Checkbox checked={chosen.includes(id)} onChange={() => toggle(id)}>
                <b>{name}</b> <small>{email}</small>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}
