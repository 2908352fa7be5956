import type { pointDevices } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import type { SwapDraft } from "./replaceDraft.ts";

export type SwapInput = NonNullable<InputOf<typeof pointDevices.replaceDevice>["body"]>;

/** Readings that were entered, by register. */
function given(readings: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(readings).flatMap(([field, value]) => (value === null ? [] : [[field, value]])),
  );
}

/** The draft as the call takes it; null without a new meter. */
export function swapInput(pointId: number, draft: SwapDraft): SwapInput | null {
  const { device, field, closing, opening, act, note, gap } = draft;
  if (device === null) return null;
  return {
    accounting_point_id: pointId,
    device_id: Number(device.id),
    ...(closing.at === null ? {} : { removed_at: closing.at }),
    ...(opening.at === null ? {} : { installed_at: opening.at }),
    closing: given(closing.readings),
    opening: given(opening.readings),
    ...(field === "" ? {} : { field }),
    ...(act === "" ? {} : { act }),
    ...(note === "" ? {} : { note }),
    meterless: gap === "load" ? "load_before" : "not_counted",
  };
}

export const newDraft = (now: number): SwapDraft => ({
  step: "old",
  closing: { at: Math.floor(now / 60) * 60, readings: {} },
  opening: { at: null, readings: {} },
  device: null,
  field: "",
  act: "",
  note: "",
  gap: "none",
});

/** Registers that are asked at a swap: the main one, and others of its unit that have counted. */
export function askedRegisters<
  Each extends { readonly field: string; readonly unit: string; readonly last_value: number | null },
>(all: readonly Each[], main: string | null): readonly Each[] {
  const first = all.find(({ field }) => field === main);
  if (first === undefined) return [];
  const others = all.filter(
    ({ field, unit, last_value }) =>
      field !== main && unit === first.unit && last_value !== null && last_value !== 0,
  );
  return [...others.slice(0, 7), first];
}
