import type { InputOf } from "@metrum/contract/core";
import {
  quarantineReasons,
  quarantineStates,
  type quarantine,
  type QuarantinedReading,
  type QuarantineReason,
  type QuarantineState,
} from "@metrum/contract/metering";
import { fieldOf, isFieldName, resourceOfGroup, units, type Language } from "@metrum/vocabulary";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

const isKeyOf = <Table extends object>(
  table: Table,
  name: string | undefined,
): name is keyof Table & string => name !== undefined && Object.hasOwn(table, name);

export const reasons = Object.keys(quarantineReasons).filter((name): name is QuarantineReason =>
  isKeyOf(quarantineReasons, name),
);
export const states = Object.keys(quarantineStates).filter((name): name is QuarantineState =>
  isKeyOf(quarantineStates, name),
);

/** Filter values of the address; invalid ones are ignored. */
export interface QuarantineFilter {
  readonly device_id?: number;
  readonly reason?: QuarantineReason;
}

export function filterOf({ filters }: Pick<GridState, "filters">): QuarantineFilter {
  const [device] = filters["device"] ?? [];
  const [reason] = filters["reason"] ?? [];
  const deviceId = Number(device);
  return {
    ...(Number.isInteger(deviceId) && deviceId > 0 && deviceId < 2 ** 31 ? { device_id: deviceId } : {}),
    ...(isKeyOf(quarantineReasons, reason) ? { reason } : {}),
  };
}

/** Waiting readings are shown by default. */
export function stateOf({ filters }: Pick<GridState, "filters">): QuarantineState {
  const [state] = filters["state"] ?? [];
  return isKeyOf(quarantineStates, state) ? state : "waiting";
}

/** The input of the call for the state in the address. */
export function listInput(state: GridState): NonNullable<InputOf<typeof quarantine.list>["body"]> {
  return { ...filterOf(state), state: stateOf(state), page: state.page, per_page: state.size };
}

export const stateKinds: Readonly<Record<QuarantineState, StatusKind>> = {
  waiting: "pending",
  released: "ok",
  discarded: "off",
};

interface Words {
  readonly language: Language;
  readonly number: (value: number, decimals?: number) => string;
}

/**
 * Values worded for the device's resource: "Energy, total: 12.5 kWh". Unknown fields are shown as received.
 */
export function valuesText(
  { values, device_group_id }: Pick<QuarantinedReading, "values" | "device_group_id">,
  { language, number }: Words,
): string {
  const resource = resourceOfGroup(device_group_id).key;
  return Object.entries(values)
    .map(([name, value]) => {
      const field = isFieldName(name) ? fieldOf(name, resource) : undefined;
      const text = value === null ? "—" : number(value, field?.decimals);
      const unit = field ? units[field.unit][language] : "";
      return [`${field ? field.title[language] : name}:`, text, unit].filter((part) => part !== "").join(" ");
    })
    .join("; ");
}
