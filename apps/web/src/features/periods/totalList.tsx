import { periods, type PeriodTotal } from "@metrum/contract/accounting";
import { pointCardHref } from "#lib/screen";
import type { StatusKind } from "#ui/status";
import { Status } from "#ui/status";
import { columnsOf, defineList, only, PhoneRow, search, type Words } from "#ui/list";
import { amountText, coveredText, differenceText, typeTitle } from "./periods.ts";

const { text, status, link } = columnsOf<PeriodTotal>();

const changeKinds = { same: "ok", changed: "warn", appeared: "warn", gone: "warn" } as const satisfies Record<
  PeriodTotal["change"],
  StatusKind
>;

const changeOf = ({ change }: PeriodTotal, { t }: Words) => ({
  kind: changeKinds[change],
  text: t(`change.${change}`),
});

const hrefOf = ({ point_id, is_removed }: PeriodTotal) =>
  is_removed ? undefined : pointCardHref(point_id, null);

/** On a phone, where no column has the unit. */
const withUnit = (value: number | null, { register }: PeriodTotal, { number }: Words): string =>
  value === null ? "—" : `${amountText(value, number)} ${register.unit}`;

const nameOf = ({ name, is_removed }: PeriodTotal, { t }: Words): string =>
  is_removed ? t("removedPoint", { name }) : name;

/** Totals of a version beside those of another, or those of now. */
export const totalList = (id: number, version: number, compare: number) =>
  defineList({
    call: periods.get,
    texts: ["periods"],
    label: "totals",
    empty: "noTotals",
    size: 50,
    sizes: [25, 50, 100, 500, 1000],
    input: ({ page, size, q, filters }) => ({
      body: {
        id,
        version,
        compare,
        page,
        per_page: size,
        only_different: filters["different"]?.[0] === "1",
        ...(q.trim() === "" ? {} : { search_string: q.trim() }),
      },
    }),
    answer: ({ totals: { data, total } }) => ({ rows: data, total }),
    rowKey: ({ point_id, field }: PeriodTotal) => `${String(point_id)}-${field}`,
    filters: [search("search"), only("different", "1", "onlyDifferent")],
    columns: [
      link("point", 240, { text: nameOf, href: hrefOf }, { isName: true, file: "name" }),
      // Within sight, however many columns follow.
      status("change", 150, changeOf, { file: "change" }),
      text("resource", 130, ({ resource_type_id }, { language }) => typeTitle(resource_type_id, language), {
        file: "resource_type_id",
      }),
      text("register", 190, ({ register }) => `${register.title}, ${register.unit}`, {
        file: [{ of: "register.title" }, { of: "register.unit", title: "column.unit" }],
      }),
      text("start", 110, ({ start_value }, { number }) => amountText(start_value, number), {
        align: "right",
        file: "start_value",
      }),
      text("end", 110, ({ end_value }, { number }) => amountText(end_value, number), {
        align: "right",
        file: "end_value",
      }),
      text("amount", 140, ({ amount }, { number }) => amountText(amount, number), {
        align: "right",
        file: "amount",
      }),
      text("carried", 120, ({ carried }, { number }) => (carried ? amountText(carried, number) : null), {
        align: "right",
        file: "carried",
      }),
      text(
        "estimated",
        120,
        ({ estimated }, { number }) => (estimated ? amountText(estimated, number) : null),
        {
          align: "right",
          file: "estimated",
        },
      ),
      text("loss", 110, ({ loss }, { number }) => (loss === null ? null : amountText(loss, number)), {
        align: "right",
        file: "loss",
      }),
      text("covered", 100, ({ covered }, words) => coveredText(covered, words), {
        align: "right",
        file: "covered",
      }),
      text("other", 140, ({ other }, { number }) => amountText(other.amount, number), {
        align: "right",
        file: "other.amount",
      }),
      text(
        "difference",
        120,
        ({ difference }, { number }) => (difference === 0 ? null : differenceText(difference, number)),
        {
          align: "right",
          file: "difference",
        },
      ),
      text(
        "otherLoss",
        140,
        ({ other }, { number }) => (other.loss === null ? null : amountText(other.loss, number)),
        {
          align: "right",
          file: "other.loss",
        },
      ),
    ],
    phone: (row, words) => {
      const change = changeOf(row, words);
      return (
        <PhoneRow
          title={nameOf(row, words)}
          aside={withUnit(row.amount, row, words)}
          line={row.register.title}
          more={[
            ...(row.carried ? [words.t("carriedPart", { amount: withUnit(row.carried, row, words) })] : []),
            ...(row.change === "same"
              ? []
              : [
                  <Status key="c" kind={change.kind}>
                    {`${change.text}: ${withUnit(row.other.amount, row, words)}`}
                  </Status>,
                ]),
          ]}
        />
      );
    },
  });
