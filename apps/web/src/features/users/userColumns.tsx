import type { Member } from "@metrum/contract";
import type { TFunction } from "i18next";
import { formatDateTime } from "#lib/format";
import type { GridColumn } from "#ui/grid";
import { Status } from "#ui/status";
import { ActiveSwitch } from "./ActiveSwitch.tsx";
import { UserMenu } from "./UserMenu.tsx";
import { initialsOf, stateKinds, stateOf } from "./users.ts";

export interface UserContext {
  readonly t: TFunction<["users", "common"]>;
  readonly zone: string;
  /** The account of who looks: nobody switches off or removes himself. */
  readonly ownId: number;
  readonly mayInvite: boolean;
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly onEdit: (row: Member) => void;
}

export function Initials({ name }: { readonly name: string }) {
  return (
    <span className="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

export function groupOf(row: Member, t: UserContext["t"]): string {
  if (row.is_admin) return t("administrator");
  return row.access_group_name ?? t("noGroup");
}

export function lastSignIn(row: Member, { zone }: Pick<UserContext, "zone">): string {
  return row.last_sign_in_at === null ? "—" : formatDateTime(row.last_sign_in_at, zone);
}

/** The columns of the list as data. */
export function userColumns(context: UserContext): readonly GridColumn<Member>[] {
  const { t } = context;
  return [
    {
      id: "name",
      title: t("column.name"),
      width: 168,
      sortField: "name",
      isFixed: true,
      isSticky: true,
      value: (row) => row.name,
      cell: (row) => (
        <span className="member-name">
          <Initials name={row.name} />
          <b>{row.name}</b>
          {row.id === context.ownId ? <small>{t("you")}</small> : null}
        </span>
      ),
    },
    {
      id: "email",
      title: t("column.email"),
      width: 176,
      sortField: "email",
      value: (row) => row.email,
      cell: (row) => row.email,
    },
    {
      id: "group",
      title: t("column.group"),
      width: 128,
      sortField: "group",
      value: (row) => groupOf(row, t),
      cell: (row) => groupOf(row, t),
    },
    {
      id: "state",
      title: t("column.state"),
      width: 108,
      value: (row) => t(`state.${stateOf(row)}`),
      cell: (row) => <Status kind={stateKinds[stateOf(row)]}>{t(`state.${stateOf(row)}`)}</Status>,
    },
    {
      id: "last_sign_in",
      title: t("column.lastSignIn"),
      width: 128,
      align: "right",
      sortField: "last_sign_in",
      value: (row) => lastSignIn(row, context),
      cell: (row) => <span className="quiet-text">{lastSignIn(row, context)}</span>,
    },
    {
      id: "two_factor",
      title: t("column.twoFactor"),
      width: 52,
      value: (row) => row["2fa_enabled"],
      cell: (row) => (row["2fa_enabled"] ? t("twoFactor.on") : "—"),
    },
    {
      id: "active",
      title: t("column.active"),
      width: 76,
      sortField: "active",
      value: (row) => row.is_active,
      cell: (row) => <ActiveSwitch row={row} context={context} />,
    },
    {
      id: "menu",
      title: t("column.actions"),
      width: 84,
      align: "right",
      cell: (row) => <UserMenu row={row} context={context} />,
    },
  ];
}
