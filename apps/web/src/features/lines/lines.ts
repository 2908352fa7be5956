import {
  lineSortFields,
  lineWays,
  type Line,
  type LineListInput,
  type LinkState,
} from "@metrum/contract/headend";
import { pageInput } from "#ui/list";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

export const stateKinds: Readonly<Record<LinkState, StatusKind>> = {
  open: "ok",
  ready: "ok",
  idle: "off",
  lost: "alarm",
  missing: "alarm",
  off: "off",
};

/** "8N1": data bits, parity and stop bits as engineers write them. */
export const formatOf = ({
  data_bits,
  parity,
  stop_bits,
}: Pick<NonNullable<Line["serial"]>, "data_bits" | "parity" | "stop_bits">): string =>
  `${String(data_bits)}${parity.charAt(0).toUpperCase()}${String(stop_bits)}`;

/** "10.0.0.5:5000", or the last part of the path of a serial port. */
export function addressOf({ tcp, serial }: Line): string {
  if (tcp) return `${tcp.host.includes(":") ? `[${tcp.host}]` : tcp.host}:${String(tcp.port)}`;
  return serial?.path ?? "—";
}

/** The input of the call for the state in the address. */
export function listInput(state: GridState): LineListInput {
  const { filters, sort } = state;
  const way = lineWays.find((each) => each === filters["way"]?.[0]);
  const [use] = filters["use"] ?? [];
  const field = lineSortFields.find((each) => each === sort?.field);
  return {
    ...pageInput(state),
    ...(field ? { sort_field: field } : {}),
    ...(way ? { way } : {}),
    ...(use === "receiver" || use === "polled" ? { is_receiver: use === "receiver" } : {}),
  };
}
