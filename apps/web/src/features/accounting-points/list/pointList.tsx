import { deviceHref, nodeHref } from "#lib/screen";
import { accountingPoints, pointStates, type AccountingPoint } from "@metrum/contract/accounting";
import { aged, columnsOf, defineList, many, search, type Words } from "#ui/list";
import { ResourceIcon } from "#ui/icon";
import { BranchFilter, PartyFilter } from "./listFilters.tsx";
import { shortAddressText, addressText } from "../pointAddress.ts";
import { PointMenu } from "../PointMenu.tsx";
import { cardHref, listInput, resourceOf } from "../points.ts";
import { typeIds, typeTitle } from "../typeTitle.ts";
import { deviceText, lastText, PhoneLines, shownState, type PointListContext } from "./pointTexts.tsx";

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
