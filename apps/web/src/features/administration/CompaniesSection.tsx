import { companies, type CompanyInTree } from "@metrum/contract/access";
import { administration } from "@metrum/contract/platform";
import { formatDate } from "#lib/format";
import { useSession } from "#lib/session";
import { columnsOf, defineList, ListView, pageInput, search, useList, type Words } from "#ui/list";
import { Status, type StatusKind } from "#ui/status";
import { designAddress } from "./designAddress.ts";
import { EnterButton } from "./EnterButton.tsx";
import { useEntering, type Entering } from "./enterVia.ts";

interface Context extends Entering {
  readonly ownId: number;
}
type Said = Words & Context;

type State = "on" | "off" | "expired" | "deleted";
const kinds: Readonly<Record<State, StatusKind>> = { on: "ok", off: "off", expired: "alarm", deleted: "off" };

function stateOf(row: CompanyInTree): State {
  if (row.deleted_at !== null) return "deleted";
  if (!row.is_active) return "off";
  return row.expires_at !== null && row.expires_at <= Date.now() / 1000 ? "expired" : "on";
}

function shownState(row: CompanyInTree, { t }: Said) {
  const state = stateOf(row);
  return { kind: kinds[state], text: t(`company.${state}`) };
}

function Buttons({ row, context }: { readonly row: CompanyInTree; readonly context: Said }) {
  const { t, ownId, enteringId, enter } = context;
  return (
    <span className="administration-buttons">
      {row.deleted_at === null ? (
        <a
          className="button button-secondary button-small"
          href={`#${designAddress(row.id)}`}
          aria-label={t("company.designOf", { name: row.name })}
        >
          {t("company.design")}
        </a>
      ) : null}
      <EnterButton
        name={row.name}
        isBusy={enteringId === row.id}
        isClosed={row.id === ownId || stateOf(row) !== "on" || enteringId !== null}
        onEnter={() => void enter(row.id)}
      />
    </span>
  );
}

function PhoneRow({ row, context }: { readonly row: CompanyInTree; readonly context: Said }) {
  const { t, number } = context;
  const { kind, text } = shownState(row, context);
  const counts = { devices: number(row.device_count, 0), users: number(row.user_count, 0) };
  return (
    <span className="administration-phone administration-company">
      <b>{row.name}</b>
      <Status kind={kind}>{text}</Status>
      <small>{t("company.counts", counts)}</small>
      <Buttons row={row} context={context} />
    </span>
  );
}

const { text, number, status, actions } = columnsOf<CompanyInTree, Context>();

const companyList = defineList({
  call: companies.list,
  key: "adminCompanies",
  texts: ["administration"],
  label: "section.companies",
  empty: "company.empty",
  sort: { field: "name", desc: false },
  input: (state) => {
    const sort_field = state.sort?.field === "expires_at" ? ("expires_at" as const) : ("name" as const);
    return { body: { ...pageInput(state), sort_field } };
  },
  answer: (reply) => ({ rows: reply.companies.data, total: reply.companies.total }),
  rowKey: (row: CompanyInTree) => String(row.id),
  filters: [search("company.search")],
  columns: [
    text("name", 220, (row) => row.name, { title: "company.name", sort: "name", isName: true, file: "name" }),
    text("id", 84, (row) => String(row.id), { title: "company.id", align: "right", file: "id" }),
    status("state", 140, shownState, {
      title: "company.state",
      file: { of: "is_active", words: ({ t }) => ({ true: t("company.on"), false: t("company.off") }) },
    }),
    number("devices", 100, (row) => row.device_count, { title: "company.devices", file: "device_count" }),
    number("users", 100, (row) => row.user_count, { title: "company.users", file: "user_count" }),
    text(
      "expires_at",
      112,
      (row, { zone }) => (row.expires_at === null ? null : formatDate(row.expires_at, zone)),
      {
        title: "company.ends",
        align: "right",
        sort: "expires_at",
        file: { of: "expires_at", shows: "day" },
      },
    ),
    actions("enter", 180, (row, context) => <Buttons row={row} context={context} />, {
      title: "company.actions",
    }),
  ],
  phone: (row, context) => <PhoneRow row={row} context={context} />,
});

/** Every company of the platform, with a button to enter it. */
export function CompaniesSection() {
  const { company } = useSession();
  const entering = useEntering(administration.enterCompany);
  return <ListView list={useList(companyList, { ...entering, ownId: company.id })} />;
}
