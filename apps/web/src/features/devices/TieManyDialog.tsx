import { users } from "@metrum/contract/access";
import { ties } from "@metrum/contract/accounting";
import { tasks } from "@metrum/contract/headend";
import { devices } from "@metrum/contract/metering";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { FormDialog, useForm } from "#ui/form";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import type { Chosen } from "./changeMany.ts";
import { TieList } from "./TieUsersDialog.tsx";

interface Props {
  readonly action: "tie" | "untie";
  readonly chosen: Chosen;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Users shown at a time; others are found by the search. */
const most = 50;
const none: readonly number[] = [];

/** Ties users to many devices, or unties them, as a task; their other ties stay. */
export function TieManyDialog({ action, chosen: { filter, count }, onMade, onClose }: Props) {
  const { t } = useTranslation(["ties", "deviceBulk"]);
  const { number } = useFormat();
  const [search, setSearch] = useState("");
  const query = useCall(
    users.list,
    { body: { page: 1, per_page: most, ...(search === "" ? {} : { search_string: search }) } },
    { isQuiet: true, keepsPrevious: true },
  );
  const form = useForm({
    stored: { user_ids: none },
    send: (values, options) =>
      exchange(tasks.change, { body: { action, user_ids: [...values.user_ids], filter } }, options),
    onSaved: async () => {
      onClose();
      onMade();
      await refetch(tasks.list, devices.list, ties.get);
    },
  });
  const { user_ids: ids } = form.values;
  const toggle = (id: number) =>
    form.set({ user_ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id] });
  return (
    <FormDialog
      form={form}
      title={t(`deviceBulk:confirm.${action}`, { count, shown: number(count, 0) })}
      size={450}
      action={t(`deviceBulk:${action}`)}
      isDisabled={form.isBusy || ids.length === 0}
      onClose={onClose}
      foot={
        <span className="tie-count" role="status">
          {t("chosen", { shown: number(ids.length, 0) })}
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
        {query.data ? (
          <TieList rows={query.data.users} isTied={(id) => ids.includes(id)} onToggle={toggle} />
        ) : query.isError ? (
          <ErrorState
            title={t("failed")}
            message={reasonOf(query.error)}
            onRetry={() => void query.refetch()}
          />
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
