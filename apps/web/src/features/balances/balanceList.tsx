import { balances, type ListedBalanceGroup } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { IconButton } from "#ui/button";
import { columnsOf, defineList, pageInput, PhoneRow, search, type Words } from "#ui/list";
import { Menu } from "#ui/menu";
import { Status } from "#ui/status";
import { remove } from "./actions.ts";
import { editHref, groupHref, stateKinds } from "./balances.ts";

interface Own {
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
}
type Said = Words & Own;

const { cell, link, number, status, actions } = columnsOf<ListedBalanceGroup, Own>();
const dash = "—";
const sortable = ["name", "allowed_imbalance", "point_count"] as const;

const numberOf = (value: number | null, { number: text }: Words, decimals: number): string =>
  value === null ? dash : text(value, decimals);
const amountOf = (value: number | null, words: Words): string => numberOf(value, words, amountDecimals);
const percentOf = (value: number | null, words: Words): string => numberOf(value, words, 1);

function GroupMenu({ group, context }: { readonly group: ListedBalanceGroup; readonly context: Said }) {
  const { t, mayChange, mayDelete } = context;
  const label = t("menu.label", { name: group.name });
  return (
    // Keys of the menu must not reach the table around it.
    <span onKeyDown={(event) => event.stopPropagation()}>
      <Menu
        label={label}
        items={[
          { id: "open", title: t("menu.open"), icon: "chart", href: groupHref(group.id) },
          ...(mayChange
            ? [{ id: "edit", title: t("menu.edit"), icon: "edit" as const, href: editHref(group.id) }]
            : []),
          ...(mayDelete
            ? [
                {
                  id: "remove",
                  title: t("menu.remove"),
                  icon: "trash" as const,
                  isHarmful: true,
                  startsGroup: true,
                  onSelect: () => void remove(group, t),
                },
              ]
            : []),
        ]}
        trigger={(trigger) => <IconButton {...trigger} icon="more" size="small" label={label} />}
      />
    </span>
  );
}

/** Balance groups with the result of the last full month. */
export const balanceList = defineList({
  call: balances.list,
  key: "balanceGroups",
  texts: ["balances"],
  label: "list",
  empty: "empty",
  found: "found",
  hasChooser: true,
  input: (state) => {
    const field = sortable.find((each) => each === state.sort?.field);
    return { body: { ...pageInput(state), ...(field ? { sort_field: field } : {}) } };
  },
  answer: ({ balance_groups }) => ({ rows: balance_groups.data, total: balance_groups.total }),
  rowKey: (row: ListedBalanceGroup) => String(row.id),
  href: ({ id }) => groupHref(id),
  filters: [search("search")],
  columns: [
    link(
      "name",
      260,
      { text: (row) => row.name, href: (row) => groupHref(row.id) },
      { isName: true, sort: "name", file: "name" },
    ),
    status("state", 150, (row) => ({ kind: stateKinds[row.month.state], text: row.state_text }), {
      file: "state_text",
    }),
    cell(
      "in",
      130,
      { value: (row) => row.month.in, cell: (row, context) => amountOf(row.month.in, context) },
      { align: "right", file: "month.in" },
    ),
    cell(
      "imbalance",
      130,
      { value: (row) => row.month.imbalance, cell: (row, context) => amountOf(row.month.imbalance, context) },
      { align: "right", file: "month.imbalance" },
    ),
    cell("unit", 70, { value: (row) => row.unit, cell: (row) => row.unit }, { isQuiet: true, file: "unit" }),
    cell(
      "percent",
      90,
      {
        value: (row) => row.month.imbalance_percent,
        cell: (row, context) => percentOf(row.month.imbalance_percent, context),
      },
      { align: "right", file: "month.imbalance_percent" },
    ),
    cell(
      "allowed",
      100,
      {
        value: (row) => row.allowed_imbalance,
        cell: (row, { number: text }) => text(row.allowed_imbalance, amountDecimals),
      },
      { align: "right", sort: "allowed_imbalance", file: "allowed_imbalance" },
    ),
    cell(
      "covered",
      110,
      {
        value: (row) => row.month.covered_percent,
        cell: (row, { number: text }) => text(row.month.covered_percent, 1),
      },
      { align: "right", file: "month.covered_percent" },
    ),
    number("points", 90, (row) => row.point_count, { sort: "point_count", file: "point_count" }),
    actions("menu", 56, (row, context) => <GroupMenu group={row} context={context} />, { title: "" }),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={row.name}
      aside={<Status kind={stateKinds[row.month.state]}>{row.state_text}</Status>}
      line={context.t("phone", {
        amount: amountOf(row.month.imbalance, context),
        unit: row.unit,
        percent: percentOf(row.month.imbalance_percent, context),
      })}
      end={context.t("pointsOf", { count: row.point_count, shown: context.number(row.point_count, 0) })}
      menu={<GroupMenu group={row} context={context} />}
    />
  ),
});
