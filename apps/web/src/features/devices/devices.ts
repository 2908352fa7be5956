import type { ReplyOf } from "@metrum/contract/core";
import type { DeviceListInput, DeviceState, devices } from "@metrum/contract/metering";
import { placeFilter, placeInput, placeOf } from "#carriers";
import type { GridState } from "#ui/grid";
import { stateKinds } from "#ui/status";

/** A row of the list: some of the fields are returned on request only, so each one is optional. */
export type DeviceRow = ReplyOf<typeof devices.list>["metering_devices"]["data"][number] & {
  readonly id: number;
};

/** Whether the list shows a part of the devices of its place only. */
export const isNarrowed = ({ q, filters }: GridState): boolean =>
  q !== "" || Object.keys(filters).some((name) => name !== placeFilter);

/** Minimum length of a search: shorter texts match half the company. */
export const searchFrom = 3;

const sortFields: Readonly<Record<string, NonNullable<DeviceListInput["sort_field"]>>> = {
  name: "name",
  model: "model",
  interface: "interface_id",
  last_data: "last_data_at",
};

const isState = (text: string): text is DeviceState => Object.hasOwn(stateKinds, text);
const numbers = (texts: readonly string[] | undefined): number[] =>
  (texts ?? []).map(Number).filter((each) => Number.isInteger(each) && each > 0);
const filled = <Key extends string, Value>(key: Key, values: readonly Value[]) =>
  values.length > 0 ? { [key]: [...values] } : {};

/** The input of the call for the state in the address. A search that is too short is not sent. */
export function listInput(state: GridState): DeviceListInput {
  const { filters, sort, q } = state;
  const states = (filters["status"] ?? []).filter(isState);
  const [active] = filters["active"] ?? [];
  const field = sort ? sortFields[sort.field] : undefined;
  return {
    page: state.page,
    per_page: state.size,
    ...placeInput(placeOf(state)),
    ...(field ? { sort_field: field, sort: sort?.desc === true ? "desc" : "asc" } : {}),
    ...(q.trim().length >= searchFrom ? { search_string: q.trim() } : {}),
    ...filled("device_group_id", numbers(filters["resource"])),
    ...filled("model_id", numbers(filters["model"])),
    ...filled("interface_id", numbers(filters["interface"])),
    ...(active === "active" || active === "inactive" ? { device_state: active } : {}),
    ...(states.length > 0 ? { fields_filter: { state: states } } : {}),
  };
}

/** Socket event after readings of a device were stored. */
export interface DeviceDataEvent {
  readonly device_id: number;
  readonly to: number;
}

/**
 * A row after an event of its device, at its old position: the newest time advances and a silent device is no
 * longer silent. The value itself comes with the next answer; numbers are never estimated.
 */
export function freshened<
  Row extends Pick<Partial<DeviceRow>, "state" | "last_data_at"> & { readonly id?: number | undefined },
>(row: Row, event: DeviceDataEvent): Row {
  if (row.id !== event.device_id || event.to <= (row.last_data_at ?? 0)) return row;
  const state = row.state === "silent" || row.state === "never" ? "on_time" : row.state;
  return { ...row, last_data_at: event.to, ...(state ? { state } : {}) };
}
