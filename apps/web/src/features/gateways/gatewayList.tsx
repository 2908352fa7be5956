import { gateways, gatewayStates, type Gateway } from "@metrum/contract/metering";
import { interfaceTitle, interfaceWords, isPermitted } from "#carriers";
import { modelHref } from "#models";
import { activeChip, aged, columnsOf, defineList, many, search, type Words } from "#ui/list";
import { switchGateway } from "./actions.ts";
import { GatewayMenu } from "./GatewayMenu.tsx";
import { cardOf, listInput } from "./gateways.ts";
import { devicesText, PhoneLines, shownState, signalText, type Own } from "./gatewayTexts.tsx";

const stateWords = ({ t }: Words) =>
  Object.fromEntries(gatewayStates.map((state) => [state, t(`gateways:state.${state}`)]));

const { cell, text, status, link, toggle, actions } = columnsOf<Gateway, Own>();

/** Gateways of the company, or those in its archive or trash. */
export const gatewayList = defineList({
  call: gateways.list,
  key: "gateways",
  texts: ["gateways", "devices"],
  label: "list",
  empty: "empty",
  found: "found",
  sort: { field: "name", desc: false },
  hasChooser: true,
  addressed: ["show"],
  input: (state) => ({ body: listInput(state) }),
  answer: ({ gateways: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: Gateway) => String(row.id),
  rowClass: (row) => (row.is_active ? "" : "is-off"),
  href: cardOf,
  filters: [
    search("search"),
    many<Own>(["model", "active"], ({ t, known = [] }) => [
      {
        id: "model",
        title: t("filters.model"),
        options: known.map(({ id, title }) => ({ id: String(id), title })),
      },
      activeChip({ t }),
    ]),
  ],
  columns: [
    status("status", 124, shownState, { file: { of: "state", words: stateWords } }),
    cell(
      "name",
      210,
      {
        value: (row) => row.name,
        cell: (row) => (
          <span className="gateway-name">
            <a href={cardOf(row)}>{row.name}</a>
            <span>{row.desc}</span>
          </span>
        ),
      },
      {
        sort: "name",
        isName: true,
        file: [{ of: "name" }, { of: "desc", title: "column.desc" }],
      },
    ),
    text("number", 150, (row) => row.device_id, { sort: "device_id", file: "device_id" }),
    link(
      "model",
      120,
      { text: (row) => row.model_title, href: ({ model_id }) => modelHref(model_id) },
      { isQuiet: true, file: "model_title" },
    ),
    text("interface", 104, (row, { language }) => interfaceTitle(row.interface_id, language), {
      sort: "interface_id",
      isQuiet: true,
      file: { of: "interface_id", words: interfaceWords },
    }),
    text("devices", 118, devicesText, {
      align: "right",
      file: [{ of: "devices_count" }, { of: "silent_count", title: "column.silent" }],
    }),
    text("signal", 80, signalText, { align: "right", file: "signal" }),
    cell(
      "contact",
      124,
      aged((row) => row.last_contact_at),
      { align: "right", file: { of: "last_contact_at", shows: "time" } },
    ),
    text("phone", 120, (row) => row.phone_number || null, { isOptional: true, file: "phone_number" }),
    text("line", 150, (row) => row.line, { isOptional: true, file: "line" }),
    text("station", 120, (row) => row.base_station?.name, { isOptional: true, file: "base_station.name" }),
    text("zone", 130, (row) => row.timezone_name, {
      isOptional: true,
      isQuiet: true,
      file: "timezone_name",
    }),
    toggle(
      "active",
      76,
      {
        isOn: (row) => row.is_active,
        label: (row, { t }) => t("toggleActive", { name: row.name }),
        isDisabled: (row, { mayChange }) => !mayChange || row.is_deleted || row.is_archived,
        isSure: () => Promise.resolve(isPermitted(gateways.edit)),
        change: switchGateway,
      },
      { file: "is_active" },
    ),
    actions("menu", 56, (row, context) => <GatewayMenu gateway={row} {...context} />, { title: "" }),
  ],
  phone: (row, context) => <PhoneLines row={row} context={context} />,
});
