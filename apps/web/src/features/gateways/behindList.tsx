import type { ReplyOf } from "@metrum/contract/core";
import { deviceStates, type DeviceListInput, type devices } from "@metrum/contract/metering";
import { formatDateTime } from "#lib/format";
import { deviceHref } from "#lib/screen";
import type { GridState } from "#ui/grid";
import { columnsOf, defineRows, pageInput, PhoneRow, search, type Words } from "#ui/list";
import { stateKinds, Status } from "#ui/status";

export type BehindRow = ReplyOf<typeof devices.list>["metering_devices"]["data"][number] & {
  readonly id: number;
};

const shownState = ({ state = "never" }: BehindRow, { t }: Pick<Words, "t">) => ({
  kind: stateKinds[state],
  text: t(`devices:state.${state}`),
});
const hrefOf = ({ id }: BehindRow) => deviceHref(id);

const sortFields = ["name", "deviceID", "last_data_at"] as const;

/** The call for the devices behind a gateway. */
export function behindInput(state: GridState, gatewayId: number): { readonly body: DeviceListInput } {
  const field = sortFields.find((each) => each === state.sort?.field);
  return {
    body: { ...pageInput(state), ...(field ? { sort_field: field } : {}), gateway_ids: [gatewayId] },
  };
}

const { text, status, link, at } = columnsOf<BehindRow>();

/** Devices behind one gateway. */
export const behindList = defineRows({
  key: "behindGateway",
  texts: ["gateways", "devices"],
  label: "behindList",
  empty: "behindEmpty",
  sort: { field: "name", desc: false },
  rowKey: (row: BehindRow) => String(row.id),
  rowClass: (row) => (row.is_active === false ? "is-off" : ""),
  href: hrefOf,
  filters: [search("searchBehind")],
  columns: [
    status("status", 140, shownState, {
      file: {
        of: "state",
        words: ({ t }) => Object.fromEntries(deviceStates.map((each) => [each, t(`devices:state.${each}`)])),
      },
    }),
    link(
      "device",
      240,
      { text: (row) => row.name, href: hrefOf },
      { sort: "name", isName: true, file: "name" },
    ),
    text("place", 220, (row) => row.place, { isQuiet: true, file: "place" }),
    text("deviceID", 130, (row) => row.deviceID, { sort: "deviceID", file: "deviceID" }),
    text("address", 90, (row) => row.inside_addr, { file: "inside_addr" }),
    text("model", 130, (row) => row.model_title, { isQuiet: true, file: "model_title" }),
    at("lastData", 140, (row) => row.last_data_at ?? null, { sort: "last_data_at", file: "last_data_at" }),
  ],
  phone: (row, context) => {
    const { kind, text: words } = shownState(row, context);
    return (
      <PhoneRow
        title={row.name}
        aside={row.inside_addr}
        line={<Status kind={kind}>{words}</Status>}
        end={typeof row.last_data_at === "number" ? formatDateTime(row.last_data_at, context.zone) : "—"}
      />
    );
  },
});
