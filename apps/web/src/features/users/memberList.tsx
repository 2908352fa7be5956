import { users, type ListedGroup, type Member } from "@metrum/contract/access";
import { formatDateTime } from "#lib/format";
import { choice, columnsOf, defineList, PhoneRow, search, yesNo, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { Initials } from "./Initials.tsx";
import { isSureToSwitch, switchMember } from "./switchMember.ts";
import { UserMenu } from "./UserMenu.tsx";
import { adminsFilter, listInput, stateKinds, stateOf } from "./users.ts";

interface Own {
  /** The account of the current user, who cannot switch off or remove it. */
  readonly ownId: number;
  readonly mayInvite: boolean;
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly groups: readonly ListedGroup[];
  readonly onEdit: (row: Member) => void;
}
export type UserContext = Words & Own;

function groupOf(row: Member, { t }: UserContext): string {
  if (row.is_admin) return t("administrator");
  return row.access_group_name ?? t("noGroup");
}

function shownState(row: Member, { t }: UserContext) {
  const state = stateOf(row);
  return { kind: stateKinds[state], text: t(`state.${state}`) };
}

/** Two lines of a phone: name and state, group and last sign-in. */
function PhoneLines({ row, context }: { readonly row: Member; readonly context: UserContext }) {
  const { kind, text } = shownState(row, context);
  const at = row.last_sign_in_at;
  return (
    <PhoneRow
      icon={<Initials name={row.name} />}
      title={row.name}
      aside={<Status kind={kind}>{text}</Status>}
      line={groupOf(row, context)}
      end={at === null ? "—" : formatDateTime(at, context.zone)}
      menu={<UserMenu row={row} context={context} />}
    />
  );
}

const { cell, text, at, status, toggle, actions } = columnsOf<Member, Own>();

/** Users of the company. */
export const memberList = defineList({
  call: users.list,
  key: "users",
  texts: ["users"],
  label: "list",
  empty: "empty",
  found: "found",
  sort: { field: "name", desc: false },
  input: (state) => ({ body: listInput(state) }),
  answer: ({ users: rows, total }) => ({ rows, total }),
  rowKey: (row: Member) => String(row.id),
  rowClass: (row) => (row.is_active ? "" : "is-off"),
  open: (row, { mayChange, onEdit }) => {
    if (mayChange && row.is_manageable) onEdit(row);
  },
  filters: [
    search("search"),
    choice<Own>("group", {
      label: "column.group",
      any: "filter.everyGroup",
      options: ({ t, groups }) => [
        { value: adminsFilter, title: t("administrators") },
        ...groups.map((each) => ({ value: String(each.id), title: each.name })),
      ],
    }),
    choice("state", {
      label: "column.state",
      any: "filter.everyState",
      options: ({ t }) => ["active", "inactive"].map((value) => ({ value, title: t(`filter.${value}`) })),
    }),
  ],
  columns: [
    cell(
      "name",
      168,
      {
        value: (row) => row.name,
        cell: (row, { t, ownId }) => (
          <span className="member-name">
            <Initials name={row.name} />
            <b>{row.name}</b>
            {row.id === ownId ? <small>{t("you")}</small> : null}
          </span>
        ),
      },
      { sort: "name", isName: true, file: "name" },
    ),
    text("email", 176, (row) => row.email, { sort: "email", file: "email" }),
    text("group", 128, groupOf, {
      sort: "group",
      file: [{ of: "access_group_name" }, { of: "is_admin", title: "administrator", words: yesNo }],
    }),
    status("state", 108, shownState),
    at("last_sign_in", 128, (row) => row.last_sign_in_at, {
      title: "column.lastSignIn",
      sort: "last_sign_in",
      file: "last_sign_in_at",
      isQuiet: true,
    }),
    cell(
      "two_factor",
      52,
      {
        value: (row) => row["2fa_enabled"],
        cell: (row, { t }) => (row["2fa_enabled"] ? t("twoFactor.on") : "—"),
      },
      { title: "column.twoFactor", file: { of: "2fa_enabled", words: yesNo } },
    ),
    toggle(
      "active",
      76,
      {
        isOn: (row) => row.is_active,
        label: (row, { t }) => t("toggleActive", { name: row.name }),
        isDisabled: (row, { mayChange, ownId }) => !mayChange || !row.is_manageable || row.id === ownId,
        isSure: (row, isOn, { t }) => isSureToSwitch(row, isOn, t),
        change: switchMember,
      },
      { sort: "active", file: "is_active" },
    ),
    actions("menu", 84, (row, context) => <UserMenu row={row} context={context} />, { title: "" }),
  ],
  phone: (row, context) => <PhoneLines row={row} context={context} />,
});
