import { users } from "@metrum/contract/access";
import type { TreeObject } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { FormDialog, useForm } from "#ui/form";
import { tieUsers } from "./many.ts";
import { refreshed } from "./objects.ts";
import { PickList } from "./PickList.tsx";

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
  const query = useCall(
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
      <PickList
        searchLabel={t("users.search")}
        search={search}
        onSearch={setSearch}
        rows={query.data?.users.map(({ id, name, email }) => ({ id, name, detail: email }))}
        total={query.data?.total ?? 0}
        {...{ query, chosen }}
        onChosen={(next) => form.set({ chosen: next })}
      />
    </FormDialog>
  );
}
