import type { CompanyInTree } from "@metrum/contract/access";
import { formatDate, formatDateTime, formatOffset, formatShort, formatTime } from "#lib/format";
import { IconButton } from "#ui/button";
import { columnsOf, defineRows, search, segments, yesNo, type Words } from "#ui/list";
import { Status, StatusGlyph } from "#ui/status";
import { ActiveSwitch } from "./ActiveSwitch.tsx";
import { endOf, type States, type TreeRow } from "./companies.ts";
import { CompanyMenu, type CompanyActions } from "./CompanyMenu.tsx";

interface Own {
  readonly now: number;
  /** Numbers of companies by state, as counted by the server. */
  readonly states: States | undefined;
  /** Deleted ones are visible to staff of the provider only. */
  readonly seesDeleted: boolean;
  readonly onToggle: (row: TreeRow) => void;
  readonly actions: CompanyActions;
}
export type CompanyContext = Words & Own;

/** Expiry of the company as text. */
function endWords(company: TreeRow["company"], { t, now }: Pick<CompanyContext, "t" | "now">): string {
  const { key, days } = endOf(company, now);
  return t(`end.${key}`, { count: days });
}

type Props = { readonly row: TreeRow } & Pick<CompanyContext, "t">;

/** Expiry of the company, as a status shape and text. */
export function EndCell({ row: { company }, t, now }: Props & Pick<CompanyContext, "now">) {
  const { key, kind, isWeak, days } = endOf(company, now);
  return (
    <Status kind={kind} isWeak={isWeak}>
      <span
        className={`company-end is-${kind}`}
        data-strong={kind === "alarm" || (kind === "warn" && !isWeak)}
      >
        {t(`end.${key}`, { count: days })}
      </span>
    </Status>
  );
}

export function Marks({ row: { company, isOwn }, t, isFrozen }: Props & { readonly isFrozen: boolean }) {
  const marks = [
    isOwn ? t("mark.own") : null,
    company.is_dealer ? t("mark.dealer") : null,
    company.is_demo ? t("mark.demo") : null,
    company.options.only_api ? t("mark.api") : null,
  ].filter((each) => each !== null);
  return (
    <>
      {isFrozen ? (
        <span className="company-mark" data-frozen>
          <StatusGlyph kind="alarm" />
          {t("mark.frozen")}
        </span>
      ) : null}
      {marks.map((each) => (
        <span key={each} className="company-mark">
          {each}
        </span>
      ))}
    </>
  );
}

function Name({ row, t, onToggle, actions }: Props & Pick<CompanyContext, "onToggle" | "actions">) {
  const { company, level, isOpen } = row;
  const indent = Math.min(level, 8);
  return (
    <span className="company-name" data-level={indent}>
      {isOpen === null ? (
        <i className="company-twig" aria-hidden="true" />
      ) : (
        <IconButton
          icon={isOpen ? "chevronDown" : "chevronRight"}
          size="small"
          tabIndex={-1}
          aria-expanded={isOpen}
          label={t(isOpen ? "tree.close" : "tree.open", { name: company.name })}
          onClick={() => onToggle(row)}
        />
      )}
      <strong>{company.name}</strong>
      {level > 0 ? <span className="visually-hidden">{t("tree.level", { level })}</span> : null}
      <Marks row={row} t={t} isFrozen={actions.isFrozen(row)} />
      {isOpen === false ? <small>{t("tree.inside", { count: company.children_count })}</small> : null}
    </span>
  );
}

function LastSignIn({
  at,
  zone,
  now,
}: {
  readonly at: number | null;
  readonly zone: string;
  readonly now: number;
}) {
  if (at === null) return "—";
  const isToday = formatDate(at, zone) === formatDate(now, zone);
  return isToday ? formatTime(at, zone) : formatShort(at, zone);
}

/** The last day of the company, which expires at the end of that day. */
export function lastDay(company: TreeRow["company"]): string | null {
  return company.expires_at === null ? null : formatDate(company.expires_at - 1, company.timezone_name);
}

/** Two lines: name with its marks; expiry, last day, devices. Its menu is at the right. */
function PhoneRow({ row, context }: { readonly row: TreeRow; readonly context: CompanyContext }) {
  const { t, now, number, onToggle, actions } = context;
  const { company, isOpen, level } = row;
  return (
    <div className="company-phone" data-level={Math.min(level, 8)}>
      <div>
        <span className="company-phone-name">
          {isOpen === null ? (
            <strong>{company.name}</strong>
          ) : (
            <button type="button" aria-expanded={isOpen} onClick={() => onToggle(row)}>
              <strong>{company.name}</strong>
              <small>{t("tree.inside", { count: company.children_count })}</small>
            </button>
          )}
          <Marks row={{ ...row, isOwn: false }} t={t} isFrozen={actions.isFrozen(row)} />
        </span>
        <span className="company-phone-facts">
          <EndCell row={row} t={t} now={now} />
          {endOf(company, now).key === "expired" ? null : <span className="quiet">{lastDay(company)}</span>}
          <span className="quiet">
            {t("deviceCount", { count: company.device_count, shown: number(company.device_count, 0) })}
          </span>
        </span>
      </div>
      <CompanyMenu row={row} actions={actions} />
    </div>
  );
}

const { cell, text, number } = columnsOf<TreeRow, Own, CompanyInTree>();

/** Companies below one's own: a tree while nothing is filtered. */
export const companyList = defineRows({
  key: "companies",
  texts: ["companies", "common"],
  label: "list",
  empty: "empty",
  sort: { field: "name", desc: false },
  size: 100,
  hasChooser: true,
  addressed: ["view"],
  rowKey: ({ company }: TreeRow) => String(company.id),
  rowClass: ({ company }) => (company.is_active ? "" : "is-off"),
  open: (row, { actions }) => {
    if (!row.isOwn && row.company.deleted_at === null) actions.enter(row);
  },
  filters: [
    search("search"),
    segments<Own>("state", {
      label: "states",
      usual: "all",
      options: ({ t, states, seesDeleted }) => {
        const counts: Readonly<Record<string, number>> = states ?? {};
        return ["all", "ending", "expired", "off", "demo", ...(seesDeleted ? ["deleted"] : [])].map(
          (value) => ({
            value,
            title: `${t(`state.${value}`)} ${String(counts[value] ?? "")}`,
          }),
        );
      },
    }),
  ],
  columns: [
    cell(
      "name",
      380,
      {
        value: ({ company }) => company.name,
        cell: (row, { t, onToggle, actions }) => <Name {...{ row, t, onToggle, actions }} />,
      },
      { sort: "name", isName: true, file: "name" },
    ),
    cell("end", 170, {
      value: ({ company }, context) => endWords(company, context),
      cell: (row, { t, now }) => <EndCell row={row} t={t} now={now} />,
    }),
    text("until", 104, ({ company }) => lastDay(company), {
      align: "right",
      sort: "expires_at",
      isQuiet: true,
      file: { of: "expires_at", shows: "time" },
    }),
    number("devices", 104, ({ company }) => company.device_count, { file: "device_count" }),
    number("users", 104, ({ company }) => company.user_count, { file: "user_count" }),
    cell(
      "signIn",
      124,
      {
        value: ({ company: { last_sign_in_at: at } }, { zone }) =>
          at === null ? null : formatDateTime(at, zone),
        cell: ({ company }, { zone, now }) => (
          <LastSignIn at={company.last_sign_in_at} zone={zone} now={now} />
        ),
      },
      { align: "right", file: { of: "last_sign_in_at", shows: "time" } },
    ),
    cell(
      "zone",
      104,
      {
        value: ({ company }) => company.timezone_name,
        cell: ({ company }, { now }) => (
          <span className="quiet" title={company.timezone_name}>
            {formatOffset(now, company.timezone_name)}
          </span>
        ),
      },
      { file: "timezone_name" },
    ),
    cell(
      "inn",
      130,
      {
        value: ({ company }) => company.inn,
        cell: ({ company }) => <span className="quiet">{company.inn === "" ? "—" : company.inn}</span>,
      },
      { isOptional: true, file: "inn" },
    ),
    cell(
      "id",
      101,
      { value: ({ company }) => company.id, cell: ({ company }) => company.id },
      { align: "right", isOptional: true, file: "id" },
    ),
    cell(
      "active",
      72,
      { cell: (row, { actions }) => <ActiveSwitch row={row} onToggle={actions.toggle} /> },
      { file: { of: "is_active", words: yesNo } },
    ),
    cell(
      "actions",
      56,
      { cell: (row, { actions }) => <CompanyMenu row={row} actions={actions} /> },
      { title: "" },
    ),
  ],
  phone: (row, context) => <PhoneRow row={row} context={context} />,
});
