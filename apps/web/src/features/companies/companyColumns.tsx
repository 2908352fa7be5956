import type { TFunction } from "i18next";
import { formatDate, formatDateTime, formatOffset, formatShort, formatTime } from "#lib/format";
import { IconButton } from "#ui/button";
import type { GridColumn } from "#ui/grid";
import { Status } from "#ui/status";
import { endOf, type TreeRow } from "./companies.ts";

export interface ColumnContext {
  readonly t: TFunction<["companies", "common"]>;
  readonly number: (value: number, decimals?: number) => string;
  readonly zone: string;
  readonly now: number;
  readonly onToggle: (row: TreeRow) => void;
}

/** The same in words alone. */
function endWords(company: TreeRow["company"], { t, now }: Pick<ColumnContext, "t" | "now">): string {
  const { key, days } = endOf(company, now);
  return t(`end.${key}`, { count: days });
}

type Props = { readonly row: TreeRow } & Pick<ColumnContext, "t">;

/** How near its end the company is, by shape and words. */
export function EndCell({ row: { company }, t, now }: Props & Pick<ColumnContext, "now">) {
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

export function Marks({ row: { company, isOwn }, t }: Props) {
  const marks = [
    isOwn ? t("mark.own") : null,
    company.is_dealer ? t("mark.dealer") : null,
    company.is_demo ? t("mark.demo") : null,
    company.options.only_api ? t("mark.api") : null,
  ].filter((each) => each !== null);
  return marks.map((each) => (
    <span key={each} className="company-mark">
      {each}
    </span>
  ));
}

function Name({ row, t, onToggle }: Props & Pick<ColumnContext, "onToggle">) {
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
      <Marks row={row} t={t} />
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

/** Its last day: the company ends with it. */
export function lastDay(company: TreeRow["company"]): string | null {
  return company.expires_at === null ? null : formatDate(company.expires_at - 1, company.timezone_name);
}

/** The columns of the tree as data; the switch and the menu come from the page. */
export function companyColumns(context: ColumnContext): readonly GridColumn<TreeRow>[] {
  const { t, number, zone, now, onToggle } = context;
  return [
    {
      id: "name",
      title: t("column.name"),
      width: 380,
      sortField: "name",
      isFixed: true,
      isSticky: true,
      value: ({ company }) => company.name,
      cell: (row) => <Name row={row} t={t} onToggle={onToggle} />,
    },
    {
      id: "end",
      title: t("column.end"),
      width: 170,
      value: ({ company }) => endWords(company, context),
      cell: (row) => <EndCell row={row} t={t} now={now} />,
    },
    {
      id: "until",
      title: t("column.until"),
      width: 104,
      align: "right",
      sortField: "expires_at",
      value: ({ company }) => lastDay(company),
      cell: ({ company }) => <span className="quiet">{lastDay(company) ?? "—"}</span>,
    },
    {
      id: "devices",
      title: t("column.devices"),
      width: 104,
      align: "right",
      value: ({ company }) => company.device_count,
      cell: ({ company }) => number(company.device_count, 0),
    },
    {
      id: "users",
      title: t("column.users"),
      width: 104,
      align: "right",
      value: ({ company }) => company.user_count,
      cell: ({ company }) => number(company.user_count, 0),
    },
    {
      id: "signIn",
      title: t("column.signIn"),
      width: 124,
      align: "right",
      value: ({ company: { last_sign_in_at: at } }) => (at === null ? null : formatDateTime(at, zone)),
      cell: ({ company }) => <LastSignIn at={company.last_sign_in_at} zone={zone} now={now} />,
    },
    {
      id: "zone",
      title: t("column.zone"),
      width: 104,
      value: ({ company }) => company.timezone_name,
      cell: ({ company }) => (
        <span className="quiet" title={company.timezone_name}>
          {formatOffset(now, company.timezone_name)}
        </span>
      ),
    },
    {
      id: "inn",
      title: t("column.inn"),
      width: 130,
      isOptional: true,
      value: ({ company }) => company.inn,
      cell: ({ company }) => <span className="quiet">{company.inn === "" ? "—" : company.inn}</span>,
    },
    {
      id: "id",
      title: t("column.id"),
      width: 101,
      align: "right",
      isOptional: true,
      value: ({ company }) => company.id,
      cell: ({ company }) => company.id,
    },
  ];
}
