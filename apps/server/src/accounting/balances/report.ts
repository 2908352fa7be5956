import { lossRules, type Balance, type BalanceReportRow } from "@metrum/contract/accounting";
import { numberText, type Ctx } from "#core";
import { dateText, said, type SentenceCode } from "./words.ts";

type Row = BalanceReportRow;
const empty: Row = {
  ...{ section: "", name: "", device: "", amount: null, unit: "", percent: null },
  ...{ in: null, out: null, losses: null, note: "" },
};

/** The rows of the spreadsheet: head, points, days, months, causes, and what is missing. */
export function reportRows(balance: Balance, { language }: Pick<Ctx, "language">): Row[] {
  const { group, total, coverage, limit, state_text } = balance;
  const word = (code: SentenceCode) => said(code, language);
  const { unit } = group;
  const row = (section: SentenceCode, name: string, more: Partial<Row> = {}): Row => ({
    ...empty,
    section: word(section),
    name,
    ...more,
  });
  const fact = (name: SentenceCode, more: Partial<Row>) => row("section_head", word(name), more);
  const head = [
    fact("group_name", { note: group.name }),
    fact("period_name", {
      note: `${dateText(total.start_day)} – ${dateText(total.stop_day)} (${group.timezone})`,
    }),
    fact("in_name", { amount: total.in, unit, percent: total.in === null ? null : 100 }),
    fact("out_name", { amount: total.out, unit }),
    fact("losses_name", { amount: total.losses, unit }),
    fact("imbalance_name", { amount: total.imbalance, unit, percent: total.imbalance_percent }),
    fact("limit_name", { amount: limit.amount, unit, percent: limit.percent }),
    fact("loss_rule_name", { amount: group.loss_value, note: lossRules[group.loss_rule][language] }),
    fact("state_name", { note: state_text }),
    ...balance.closed.map(({ text }) => fact("closed_name", { note: text })),
    fact("coverage_name", { percent: coverage.covered_percent, note: coverage.text }),
  ];
  const roles = { in: "in_name", out: "out_name", loss: "section_loss" } as const;
  const points = balance.points.map((point) =>
    row(roles[point.role], point.name, {
      device: point.device ?? "",
      amount: point.amount,
      unit,
      percent: point.share,
      note: [
        ...(point.coefficient === 1
          ? []
          : [`× ${numberText(point.coefficient, language, { least: 0, most: 6 })}`]),
        ...[point.state_text, ...point.bills.map(({ text }) => text)],
      ].join("; "),
    }),
  );
  const stateOfDay = { computed: "", incomplete: word("day_incomplete"), bridged: word("day_bridged") };
  const days = balance.days.map((day) =>
    row("section_days", dateText(day.day), {
      ...sumsOf(day),
      unit,
      note: stateOfDay[day.state],
    }),
  );
  const months = balance.months.map((month) =>
    row("section_months", `${dateText(month.start_day)} – ${dateText(month.stop_day)}`, {
      ...sumsOf(month),
      unit,
    }),
  );
  return [
    ...head,
    ...points,
    ...days,
    ...months,
    ...causeRows(balance, row, language),
    ...missingRows(balance, row),
  ];
}

/** What a part of the period is computed of; the amount of its row is the imbalance. */
const sumsOf = (
  part: Pick<Balance["total"], "in" | "out" | "losses" | "imbalance" | "imbalance_percent">,
) => ({
  amount: part.imbalance,
  percent: part.imbalance_percent,
  ...{ in: part.in, out: part.out, losses: part.losses },
});

type RowOf = (section: SentenceCode, name: string, more?: Partial<Row>) => Row;

function causeRows({ causes, rest, group }: Balance, row: RowOf, language: Ctx["language"]): Row[] {
  return [
    ...causes
      .filter(({ kind }) => kind !== "no_data")
      .map((cause) =>
        row("section_causes", cause.name, {
          amount: cause.amount,
          unit: group.unit,
          percent: cause.share,
          note: cause.text,
        }),
      ),
    ...(rest
      ? [
          row("section_causes", said("rest_name", language), {
            amount: rest.amount,
            unit: group.unit,
            note: rest.text,
          }),
        ]
      : []),
  ];
}

const missingRows = ({ causes }: Balance, row: RowOf): Row[] =>
  causes
    .filter(({ kind }) => kind === "no_data")
    .map((cause) => row("section_coverage", cause.name, { note: cause.text }));
