import type { Call, ReplyOf } from "@metrum/contract/core";
import {
  baseStations,
  devices,
  gateways,
  sheetImports,
  sheetKinds,
  type SheetImport,
  type SheetKind,
  type SheetOutcome,
  type SheetState,
} from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { useEffect, useRef } from "react";
import { refetch, useCall } from "#lib/call";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

/** Why rows are refused, and how many. */
export type Reason = ReplyOf<typeof sheetImports.get>["reasons"][number];

export const importHref = ({ id }: Pick<SheetImport, "id">): string => `#/cloud/devices/import/${String(id)}`;
/** The list that shows what an import of a kind has made. */
export const listHrefs: Readonly<Record<SheetKind, string>> = {
  devices: "#/cloud/devices",
  gateways: "#/cloud/devices/gateways",
  base_stations: "#/cloud/devices/base-stations",
  objects: "#/cloud/objects",
};
export const startHref = (kind: SheetKind): string => `#/cloud/devices/import?f.kind=${kind}`;

/** The pages above an import: objects are not below the devices, which their users may not see. */
export const wayTo = (kind: SheetKind, t: TFunction<["sheetImports", "devices"]>) => [
  ...(kind === "objects" ? [] : [{ title: t("devices:title"), href: "#/cloud/devices" }]),
  { title: t(`kind.${kind}`), href: listHrefs[kind] },
];

/** Kind of the next import, kept in the address. */
export const kindOf = ({ filters }: Pick<GridState, "filters">): SheetKind =>
  sheetKinds.find((each) => each === filters["kind"]?.[0]) ?? "devices";

export const stateKinds: Readonly<Record<SheetState, StatusKind>> = {
  uploaded: "silent",
  rehearsing: "pending",
  rehearsed: "silent",
  running: "pending",
  interrupted: "warn",
  done: "ok",
  undone: "off",
};

export const outcomeKinds: Readonly<Record<SheetOutcome, StatusKind>> = {
  made: "ok",
  changed: "pending",
  same: "off",
  refused: "alarm",
};

/** The steps of the wizard, in order. */
export const steps = ["file", "columns", "rehearsal", "run"] as const;
export type StepName = (typeof steps)[number];

const stepOfState: Readonly<Record<SheetState, StepName>> = {
  uploaded: "columns",
  rehearsing: "rehearsal",
  rehearsed: "rehearsal",
  running: "run",
  interrupted: "run",
  done: "run",
  undone: "run",
};

/** The step that an import has reached; its columns can be changed until it runs. */
export function stepOf({ state }: Pick<SheetImport, "state">, isBack: boolean): StepName {
  return state === "rehearsed" && isBack ? "columns" : stepOfState[state];
}

/** Outcomes are said of what will be, of what was stored, or of what was undone. */
export function tenseOf({ ran_at, state }: Pick<SheetImport, "ran_at" | "state">) {
  if (state === "undone") return "undone";
  return ran_at === null ? "will" : "was";
}

const isWorking = (state: SheetState | undefined): boolean => state === "rehearsing" || state === "running";

/** Answers that an import changes. */
export const refreshed: readonly Call[] = [
  sheetImports.get,
  sheetImports.list,
  sheetImports.rows,
  devices.list,
  gateways.list,
  baseStations.list,
];

const progressMs = 1000;

/** An import; while it goes on by itself its progress is asked for every second. */
export function useImport(id: number) {
  const input = { body: { id } };
  const opened = useCall(sheetImports.get, input, { isQuiet: true, freshMs: 0 });
  const state = opened.data?.import.state;
  useCall(sheetImports.get, input, { isQuiet: true, everyMs: progressMs, isEnabled: isWorking(state) });
  const before = useRef(state);
  useEffect(() => {
    if (isWorking(before.current) && !isWorking(state)) void refetch(...refreshed);
    before.current = state;
  }, [state]);
  return opened;
}
