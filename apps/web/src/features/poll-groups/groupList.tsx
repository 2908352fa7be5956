import { pollGroups, type PollGroup } from "@metrum/contract/headend";
import type { DeviceModel } from "@metrum/contract/metering";
import { interfaceTitle, interfaceWords, isPermitted } from "#carriers";
import { activeChip, columnsOf, defineList, many, PhoneRow, search, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { switchGroup } from "./actions.ts";
import { GroupMenu, type Allowed } from "./GroupMenu.tsx";
import { groupHref, intervalText, isPolled, listInput, successOf } from "./pollGroups.ts";

interface Own extends Allowed {
  readonly known: readonly DeviceModel[] | undefined;
}
type Said = Words & Own;

const modelText = ({ model_title, device_interface_id }: PollGroup, { language }: Pick<Words, "language">) =>
  `${model_title} · ${interfaceTitle(device_interface_id, language)}`;

function Success({ row, context }: { readonly row: PollGroup; readonly context: Said }) {
  const success = successOf(row, context);
  if (success === null) return "—";
  return (
    <span title={success.detail}>
      <Status kind={success.kind}>{success.text}</Status>
    </span>
  );
}

const { cell, text, number, at, toggle, actions } = columnsOf<PollGroup, Own>();

/** Poll groups of the company by name. */
export const groupList = defineList({
  call: pollGroups.list,
  key: "pollGroups",
  texts: ["pollGroups", "devices"],
  label: "list",
  empty: "empty",
  found: "found",
  hasChooser: true,
  input: (state) => ({ body: listInput(state) }),
  answer: ({ data, total }) => ({ rows: data, total }),
  rowKey: (row: PollGroup) => String(row.id),
  rowClass: (row) => (row.is_active ? "" : "is-off"),
  href: groupHref,
  filters: [
    search("search"),
    many<Own>(["model", "active"], ({ t, known = [] }) => [
      {
        id: "model",
        title: t("filters.model"),
        options: known
          .filter(isPolled)
          .map(({ id, brand, title }) => ({ id: String(id), title: `${brand} ${title}` })),
      },
      activeChip({ t }),
    ]),
  ],
  columns: [
    cell(
      "name",
      300,
      {
        value: (row) => row.name,
        cell: (row, context) => (
          <span className="group-name">
            <a href={groupHref(row)}>{row.name}</a>
            <span>{modelText(row, context)}</span>
          </span>
        ),
      },
      {
        isName: true,
        file: [
          { of: "name" },
          { of: "model_title", title: "filters.model" },
          { of: "device_interface_id", title: "file.interface", words: interfaceWords },
        ],
      },
    ),
    number("devices", 96, (row) => row.device_count, { file: "device_count" }),
    text("interval", 190, intervalText, { file: { of: "report_period_update", title: "file.interval" } }),
    cell(
      "success",
      110,
      {
        value: (row) => row.success_rate,
        cell: (row, context) => <Success row={row} context={context} />,
      },
      { file: "success_rate" },
    ),
    at("lastRun", 140, (row) => row.last_run_at, { file: "last_run_at" }),
    at("nextRun", 140, (row) => row.next_run_at, { file: "next_run_at" }),
    text("warning", 140, (row, { age }) => age(row.warning_report_period), {
      isOptional: true,
      file: { of: "warning_report_period", title: "file.warning" },
    }),
    toggle(
      "active",
      84,
      {
        isOn: (row) => row.is_active,
        label: (row, { t }) => t("toggleActive", { name: row.name }),
        isDisabled: (_, { mayChange }) => !mayChange,
        isSure: () => Promise.resolve(isPermitted(pollGroups.switch)),
        change: switchGroup,
      },
      { file: "is_active" },
    ),
    actions("menu", 56, (row, context) => <GroupMenu group={row} {...context} />, { title: "" }),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={row.name}
      aside={row.is_active ? <Success row={row} context={context} /> : context.t("active.inactive")}
      line={modelText(row, context)}
      end={context.t("devicesOf", {
        count: row.device_count,
        shown: context.number(row.device_count, 0),
        interval: intervalText(row, context),
      })}
      menu={<GroupMenu group={row} {...context} />}
    />
  ),
});
