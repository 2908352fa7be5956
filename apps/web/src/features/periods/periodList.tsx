import { periods, type SettlementPeriod } from "@metrum/contract/accounting";
import { formatDateTime } from "#lib/format";
import { columnsOf, defineList, PhoneRow, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { closeHref, coveredText, differingOf, hrefOf, monthTitle, stateKinds } from "./periods.ts";

const { cell, text, status, link } = columnsOf<SettlementPeriod>();

function closedText({ closed_at, closed_by, state }: SettlementPeriod, { t, zone }: Words): string | null {
  if (closed_at === null || state !== "closed") return null;
  return t("closedAt", { at: formatDateTime(closed_at, zone), by: closed_by ?? "—" });
}

function lackingText({ summary }: SettlementPeriod, { t, number }: Words): string | null {
  if (summary === null) return null;
  const { points, lacking } = summary;
  return lacking === 0
    ? t("complete", { count: points, shown: number(points, 0) })
    : t("lackingOf", { count: lacking, shown: number(lacking, 0), all: number(points, 0) });
}

const stateOf = ({ state }: SettlementPeriod, { t }: Words) => ({
  kind: stateKinds[state],
  text: t(`state.${state}`),
});

function Differing({ row, words }: { readonly row: SettlementPeriod; readonly words: Words }) {
  const differing = differingOf(row, words);
  return differing === null ? "—" : <Status kind={differing.kind}>{differing.text}</Status>;
}

/** Months from the newest on. */
export const periodList = defineList({
  call: periods.list,
  texts: ["periods"],
  label: "title",
  empty: "empty",
  size: 12,
  sizes: [12, 24],
  input: ({ page, size }) => ({ body: { page, per_page: size } }),
  answer: ({ periods: { data, total } }) => ({ rows: data, total }),
  rowKey: ({ month }: SettlementPeriod) => month,
  href: hrefOf,
  columns: [
    link("month", 150, { text: (row, { t }) => monthTitle(row.month, t), href: hrefOf }, { isName: true }),
    status("state", 130, stateOf),
    text(
      "covered",
      90,
      ({ summary }, words) => (summary === null ? null : coveredText(summary.covered, words)),
      {
        align: "right",
      },
    ),
    text("lacking", 220, lackingText),
    cell("differing", 190, {
      value: (row, words) => differingOf(row, words)?.text ?? null,
      cell: (row, words) => <Differing row={row} words={words} />,
    }),
    text("version", 80, ({ version }) => (version === 0 ? null : String(version)), { align: "right" }),
    text("closed", 220, closedText),
    cell(
      "action",
      110,
      {
        cell: (row, { t }) =>
          row.state === "open" || row.state === "reopened" ? (
            <a href={closeHref(row.month)}>{t("toClose")}</a>
          ) : null,
      },
      { title: "" },
    ),
  ],
  phone: (row, words) => (
    <PhoneRow
      title={monthTitle(row.month, words.t)}
      aside={<Status kind={stateKinds[row.state]}>{words.t(`state.${row.state}`)}</Status>}
      more={[
        lackingText(row, words),
        closedText(row, words),
        <Differing key="d" row={row} words={words} />,
      ].filter((each) => each !== null)}
    />
  ),
});
