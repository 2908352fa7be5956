import type { ReplyOf } from "@metrum/contract/core";
import {
  gatewaySortFields,
  type Gateway,
  type GatewayListInput,
  type GatewaySelection,
  type GatewayState,
  type models,
} from "@metrum/contract/metering";
import { placeInput, placeOf } from "#carriers";
import { gatewayHref } from "#lib/screen";
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

export const cardOf = ({ id }: Pick<Gateway, "id">): string => gatewayHref(id);

/** The input of the call for the state in the address. */
export function listInput(state: GridState): GatewayListInput {
  const field = gatewaySortFields.find((each) => each === state.sort?.field);
  return { ...pageInput(state), ...selectionOf(state), ...(field ? { sort_field: field } : {}) };
}

/** Gateways that the state in the address shows, on all pages. */
export function selectionOf(state: GridState): GatewaySelection {
  const { filters } = state;
  const { search_string } = pageInput(state);
  const [active] = filters["active"] ?? [];
  const modelIds = (filters["model"] ?? []).map(Number).filter((id) => Number.isInteger(id) && id > 0);
  return {
    ...(search_string === undefined ? {} : { search_string }),
    ...(active === "active" || active === "inactive" ? { device_state: active } : {}),
    ...(modelIds.length > 0 ? { model_id: modelIds } : {}),
    ...placeInput(placeOf(state)),
  };
}
