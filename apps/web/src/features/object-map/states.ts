import type { MapState } from "@metrum/contract/accounting";
import type { StatusKind } from "#ui/status";

/** The shape of each state of an object. */
export const kindOf: Readonly<Record<MapState, StatusKind>> = {
  silent: "silent",
  partly: "warn",
  ok: "ok",
  none: "off",
};
