import { useNavigate, useSearch } from "@tanstack/react-router";
import { accessGroups, users, type ListedGroup, type Member } from "@metrum/contract";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useAllowed, useSession } from "#lib/session";
import {
  Grid,
  isFiltered,
  nextSort,
  readGridState,
  shownColumns,
  sortText,
  useGridMemory,
  writeGridState,
  type GridState,
  type GridStatus,
} from "#ui/grid";
import { userColumns } from "./userColumns.tsx";
import { UserFilters } from "./UserFilters.tsx";
import { UserPhoneRow } from "./UserPhoneRow.tsx";
import { listDefaults, listInput } from "./users.ts";

const UserDialog = lazy(async () => ({ default: (await import("./UserDialog.tsx")).UserDialog }));

const rowKey = (row: Member) => String(row.id);
const rowClass = (row: Member) => (row.is_active ? "" : "is-off");
const noGroups: readonly ListedGroup[] = [];
const everyGroup = { body: { paginate: false } };

function statusOf(query: { isPending: boolean; isError: boolean; data: unknown }): GridStatus {
  if (query.isPending) return "loading";
  return query.isError && query.data === undefined ? "error" : "ready";
}

/** Users of the company; search, filters and paging live in the address. */
export function UserList() {
  const { t } = useTranslation(["users", "common"]);
  const { zone, user } = useSession();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { memory, remember } = useGridMemory("users");
  const state = useMemo(() => readGridState(search, listDefaults, memory), [search, memory]);
  const input = useMemo(() => ({ body: listInput(state) }), [state]);
  const query = useCall(users.list, input, { keepsPrevious: true, isQuiet: true });
  const groups =
    useCall(accessGroups.list, everyGroup, { isQuiet: true, freshMs: 60_000 }).data?.access_groups ??
    noGroups;
  const [edited, setEdited] = useState<Member | "new" | null>(null);
  const mayInvite = useAllowed("1:create");
  const mayChange = useAllowed("1:update");
  const mayDelete = useAllowed("1:delete");

  const change = useCallback(
    (next: Partial<GridState>, replace = true) => {
      void navigate({ to: ".", search: writeGridState(search, next, listDefaults, memory), replace });
    },
    [memory, navigate, search],
  );
  const context = useMemo(
    () => ({ t, zone, ownId: user.id, mayInvite, mayChange, mayDelete, onEdit: setEdited }),
    [t, zone, user.id, mayInvite, mayChange, mayDelete],
  );
  const columns = useMemo(() => userColumns(context), [context]);
  const shown = useMemo(() => shownColumns(columns, null), [columns]);
  const reset = useCallback(() => change({ q: "", filters: {} }), [change]);
  const total = query.data?.total ?? 0;
  return (
    <>
      <UserFilters
        state={state}
        groups={groups}
        found={query.data && isFiltered(state) ? total : undefined}
        onChange={change}
        onInvite={mayInvite ? () => setEdited("new") : undefined}
      />
      <Grid
        label={t("list")}
        columns={columns}
        shown={shown}
        {...(memory.widths ? { widths: memory.widths } : {})}
        onWidths={(widths) => remember({ widths })}
        rows={query.data?.users ?? []}
        rowKey={rowKey}
        rowClass={rowClass}
        status={statusOf(query)}
        isRefetching={query.isPlaceholderData}
        error={reasonOf(query.error, t("common:error.offline"))}
        onRetry={() => void query.refetch()}
        sort={state.sort}
        onSort={(field) => {
          const sort = nextSort(state.sort, field);
          remember({ sort: sortText(sort) });
          change({ sort });
        }}
        onResetFilters={isFiltered(state) ? reset : undefined}
        empty={t("empty")}
        onOpen={(row) => {
          if (mayChange && row.is_manageable) setEdited(row);
        }}
        phoneRow={(row) => <UserPhoneRow row={row} context={context} />}
        listKey={JSON.stringify([state.q, state.sort, state.page, state.size, state.filters])}
        paging={{
          page: state.page,
          size: state.size,
          total,
          onPage: (page) => change({ page }, false),
          onSize: (size) => {
            remember({ size });
            change({ size });
          },
        }}
      />
      {edited === null ? null : (
        <Suspense>
          <UserDialog
            key={edited === "new" ? "new" : edited.id}
            member={edited === "new" ? null : edited}
            groups={groups}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </>
  );
}
