import { administration, platformUserSortFields, type PlatformUser } from "@metrum/contract/platform";
import { columnsOf, defineList, ListView, pageInput, search, useList, yesNo, type Words } from "#ui/list";
import { Status, type StatusKind } from "#ui/status";
import { EnterButton } from "./EnterButton.tsx";
import { useEntering, type Entering } from "./enterVia.ts";

type Said = Words & Entering;

function stateOf({ is_active, is_admin }: PlatformUser, { t }: Said) {
  const kind: StatusKind = is_active ? "ok" : "off";
  return { kind, text: t(is_active ? (is_admin ? "user.admin" : "user.on") : "user.off") };
}

function Enter({ row, context }: { readonly row: PlatformUser; readonly context: Said }) {
  const { enteringId, enter } = context;
  return (
    <EnterButton
      name={row.name}
      isBusy={enteringId === row.id}
      isClosed={!row.can_enter || enteringId !== null}
      onEnter={() => void enter(row.id)}
    />
  );
}

function PhoneRow({ row, context }: { readonly row: PlatformUser; readonly context: Said }) {
  const { kind, text } = stateOf(row, context);
  return (
    <span className="administration-phone">
      <b>{row.name}</b>
      <Status kind={kind}>{text}</Status>
      <small>{row.company_name}</small>
      <Enter row={row} context={context} />
    </span>
  );
}

const { text, at, status, actions } = columnsOf<PlatformUser, Entering>();

const userList = defineList({
  call: administration.users,
  key: "adminUsers",
  texts: ["administration"],
  label: "section.users",
  empty: "user.empty",
  sort: { field: "name", desc: false },
  input: (state) => {
    const sort_field = platformUserSortFields.find((each) => each === state.sort?.field);
    return { body: { ...pageInput(state), ...(sort_field ? { sort_field } : {}) } };
  },
  answer: ({ users }) => ({ rows: users.data, total: users.total }),
  rowKey: (row: PlatformUser) => String(row.id),
  rowClass: (row) => (row.is_active ? "" : "is-off"),
  filters: [search("user.search")],
  columns: [
    text("name", 150, (row) => row.name, { title: "user.name", sort: "name", isName: true, file: "name" }),
    text("email", 205, (row) => row.email, { title: "user.email", sort: "email", file: "email" }),
    text("company", 190, (row) => row.company_name, {
      title: "user.company",
      sort: "company_name",
      file: "company_name",
    }),
    status("state", 130, stateOf, {
      title: "user.state",
      file: [
        { of: "is_active", words: ({ t }) => ({ true: t("user.on"), false: t("user.off") }) },
        { of: "is_admin", title: "user.admin", words: yesNo },
      ],
    }),
    at("last_sign_in", 132, (row) => row.last_sign_in_at, {
      title: "user.lastSignIn",
      sort: "last_sign_in_at",
      file: "last_sign_in_at",
    }),
    actions("enter", 101, (row, context) => <Enter row={row} context={context} />, { title: "enter.column" }),
  ],
  phone: (row, context) => <PhoneRow row={row} context={context} />,
});

/** Users of every company, with a button to enter the account. */
export function UsersSection() {
  return <ListView list={useList(userList, useEntering(administration.enterUser))} />;
}
