import { deviceHref, nodeHref } from "#lib/screen";
import { accountingPoints, pointStates, type AccountingPoint } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { aged, agoText, columnsOf, defineList, many, PhoneRow, search, type Words } from "#ui/list";
import { ResourceIcon } from "#ui/icon";
import { Status } from "#ui/status";
import { BranchFilter, PartyFilter } from "./listFilters.tsx";
import { shortAddressText, addressText } from "../pointAddress.ts";
import { PointMenu, type PointActions } from "../PointMenu.tsx";
import { cardHref, listInput, meterText, resourceOf, stateKinds, unitTitle } from "../points.ts";
import { typeIds, typeTitle } from "../typeTitle.ts";

export interface PointListContext extends PointActions {
  readonly now: number;
  /** The name of a device leads to its data. */
  readonly mayOpenDevices: boolean;
}
type Said = Words & PointListContext;

export const shownState = ({ state }: Pick<AccountingPoint, "state">, { t }: Pick<Words, "t">) => ({
  kind: stateKinds[state],
  text: t(`accountingPoints:state.${state}`),
});

/** "104 826.318 kWh", as the device shows it. */
export function lastText({ last_reading }: AccountingPoint, { number, language }: Words): string | null {
  if (last_reading === null) return null;
  return `${number(last_reading.value, amountDecimals)} ${unitTitle(last_reading.unit, language)}`;
}

const deviceText = ({ device }: AccountingPoint): string | null =>
  device === null ? null : meterText(device);

/** Two lines of a phone: name and last reading, state and address. */
function PhoneLines({ row, context }: { readonly row: AccountingPoint; readonly context: Said }) {
  const { kind, text } = shownState(row, context);
  return (
    <PhoneRow
      icon={<ResourceIcon resource={resourceOf(row).key} label={typeTitle(row, context.t)} />}
      title={row.name}
      aside={lastText(row, context)}
      line={
        <>
          <Status kind={kind}>{text}</Status> {shortAddressText(row)}
        </>
      }
      end={agoText(row.last_reading?.ts ?? null, context)}
      menu={<PointMenu point={row} {...context} />}
    />
  );
}

const { cell, text, status, link, actions } = columnsOf<AccountingPoint, PointListContext>();

const stateWords = ({ t }: Words) =>
  Object.fromEntries(pointStates.map((state) => [state, t(`accountingPoints:state.${state}`)]));
const typeWords = ({ t }: Words) =>
  Object.fromEntries(typeIds.map((id) => [id, typeTitle({ resource_type_id: id }, t)]));

/** Accounting points of the company. */
export const pointList = defineList({
  call: accountingPoints.companyList,
  key: "accountingPoints",
  texts: ["accountingPoints"],
  label: "list",
  empty: "empty",
  found: "found",
  sort: { field: "name", desc: false },
  hasChooser: true,
  input: (state) => ({ body: listInput(state) }),
  answer: ({ accounting_points: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: AccountingPoint) => String(row.id),
  href: cardHref,
  filters: [
    search("search"),
    { ids: ["object"], Draw: BranchFilter },
    { ids: ["consumer"], Draw: PartyFilter },
    many<PointListContext>(["resource", "status"], ({ t }) => [
      {
        id: "resource",
        title: t("column.resource"),
        options: typeIds.map((id) => ({
          id: String(id),
          title: typeTitle({ resource_type_id: id }, t),
          icon: <ResourceIcon resource={resourceOf({ resource_type_id: id }).key} />,
        })),
      },
      {
        id: "status",
        title: t("column.state"),
        options: pointStates.map((id) => ({ id, title: t(`state.${id}`) })),
      },
    ]),
  ],
  columns: [
    status("state", 118, shownState, { file: { of: "state", words: stateWords } }),
    cell(
      "name",
      226,
      {
        value: (row) => row.name,
        cell: (row, { t }) => (
          <span className="points-name">
            <ResourceIcon resource={resourceOf(row).key} label={typeTitle(row, t)} />
            <a href={cardHref(row)}>{row.name}</a>
            <small>{t("number", { id: row.id })}</small>
          </span>
        ),
      },
      { sort: "name", isName: true, file: [{ of: "name" }, { of: "id", title: "column.number" }] },
    ),
    cell(
      "address",
      206,
      {
        value: addressText,
        cell: (row) => <span title={addressText(row)}>{shortAddressText(row)}</span>,
      },
      { sort: "address", file: "address" },
    ),
    text("resource", 126, (row, { t }) => typeTitle(row, t), {
      sort: "resource_type_id",
      isQuiet: true,
      file: { of: "resource_type_id", words: typeWords },
    }),
    link(
      "device",
      184,
      {
        text: deviceText,
        href: ({ device }, { mayOpenDevices }) =>
          device === null || !mayOpenDevices ? undefined : deviceHref(device.id),
      },
      {
        sort: "device",
        file: [{ of: "device.name" }, { of: "device.deviceID", title: "column.deviceNumber" }],
      },
    ),
    text("last", 150, lastText, {
      align: "right",
      file: [{ of: "last_reading.value" }, { of: "last_reading.unit", title: "column.unit" }],
    }),
    cell(
      "at",
      110,
      aged((row) => row.last_reading?.ts ?? null),
      { align: "right", sort: "last_data_at", file: { of: "last_reading.ts", shows: "time" } },
    ),
    link(
      "object",
      160,
      {
        text: (row) => row.parent_name,
        href: ({ parent_id }) => (parent_id === null ? undefined : nodeHref(parent_id)),
      },
      { isQuiet: true, isOptional: true, file: "parent_name" },
    ),
    text("consumer", 160, (row) => row.consumer?.name, { isOptional: true, file: "consumer.name" }),
    text("supplier", 150, (row) => row.supplier?.name, { isOptional: true, file: "supplier.name" }),
    text("ratio", 80, (row, { number }) => number(row.transformation_ratio), {
      isOptional: true,
      align: "right",
      file: "transformation_ratio",
    }),
    actions("menu", 56, (row, context) => <PointMenu point={row} {...context} />, { title: "" }),
  ],
  phone: (row, context) => <PhoneLines row={row} context={context} />,
});
