import { accessGroups, users, type ListedGroup, type Member } from "@metrum/contract";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useAllowed, useSession } from "#lib/session";
import { Grid, isFiltered, shownColumns, useListProps, useListState } from "#ui/grid";
import { userColumns } from "./userColumns.tsx";
import { UserFilters } from "./UserFilters.tsx";
import { UserPhoneRow } from "./UserPhoneRow.tsx";
import { listDefaults, listInput } from "./users.ts";

const UserDialog = lazy(async () => ({ default: (await import("./UserDialog.tsx")).UserDialog }));

const rowKey = (row: Member) => String(row.id);
const rowClass = (row: Member) => (row.is_active ? "" : "is-off");
const noGroups: readonly ListedGroup[] = [];
const everyGroup = { body: { paginate: false } };

/** Users of the company; search, filters and paging live in the address. */
export function UserList() {
  const { t } = useTranslation("users");
  const { zone, user } = useSession();
  const list = useListState("users", listDefaults);
  const { state, change } = list;
  const input = useMemo(() => ({ body: listInput(state) }), [state]);
  const query = useCall(users.list, input, { keepsPrevious: true, isQuiet: true });
  const groups =
    useCall(accessGroups.list, everyGroup, { isQuiet: true, freshMs: 60_000 }).data?.access_groups ??
    noGroups;
  const [edited, setEdited] = useState<Member | "new" | null>(null);
  const mayInvite = useAllowed("1:create");
  const mayChange = useAllowed("1:update");
  const mayDelete = useAllowed("1:delete");

  const context = useMemo(
    () => ({ t, zone, ownId: user.id, mayInvite, mayChange, mayDelete, onEdit: setEdited }),
    [t, zone, user.id, mayInvite, mayChange, mayDelete],
  );
  const columns = useMemo(() => userColumns(context), [context]);
  const shown = useMemo(() => shownColumns(columns, null), [columns]);
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
        {...useListProps(list, query, total)}
        rows={query.data?.users ?? []}
        rowKey={rowKey}
        rowClass={rowClass}
        empty={t("empty")}
        onOpen={(row) => {
          if (mayChange && row.is_manageable) setEdited(row);
        }}
        phoneRow={(row) => <UserPhoneRow row={row} context={context} />}
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
