import {
  gatewaySortFields,
  type Gateway,
  type GatewayListInput,
  type GatewayState,
  type ReplyOf,
  type models,
} from "@metrum/contract";
import { pageInput } from "#ui/list";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

export type GatewayModel = ReplyOf<typeof models.gateways>["gateways"][number];

export const stateKinds: Readonly<Record<GatewayState, StatusKind>> = {
  online: "ok",
  silent: "silent",
  never: "silent",
  off: "off",
};

/** Value of the filter that shows the trash. */
export const trashed = "trash";
export const showsTrash = ({ filters }: Pick<GridState, "filters">): boolean =>
  filters["show"]?.[0] === trashed;

export const cardOf = ({ id }: Pick<Gateway, "id">): string => `#/cloud/devices/gateway/${String(id)}`;

/** The input of the call for the state in the address. */
export function listInput(state: GridState): GatewayListInput {
  const { filters, sort } = state;
  const [active] = filters["active"] ?? [];
  const modelIds = (filters["model"] ?? []).map(Number).filter((id) => Number.isInteger(id) && id > 0);
  const field = gatewaySortFields.find((each) => each === sort?.field);
  return {
    ...pageInput(state),
    ...(field ? { sort_field: field } : {}),
    ...(active === "active" || active === "inactive" ? { device_state: active } : {}),
    ...(modelIds.length > 0 ? { model_id: modelIds } : {}),
    ...(showsTrash(state) ? { is_deleted: true } : {}),
  };
}
