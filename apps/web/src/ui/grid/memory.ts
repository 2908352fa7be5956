import { useCallback, useMemo } from "react";
import { saveSettings, useSession } from "#lib/session";
import type { GridMemory } from "./state.ts";

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Table settings of a user, as far as they are valid. */
export function memoryOf(stored: unknown): GridMemory {
  if (typeof stored !== "object" || stored === null) return {};
  const { size, cols, widths, sort }: Readonly<Record<string, unknown>> = { ...stored };
  const numbers = typeof widths === "object" && widths !== null ? Object.entries(widths) : [];
  const known = numbers.filter((each): each is [string, number] => typeof each[1] === "number");
  return {
    ...(typeof size === "number" ? { size } : {}),
    ...(isTexts(cols) ? { cols } : {}),
    ...(typeof sort === "string" ? { sort } : {}),
    ...(known.length > 0 ? { widths: Object.fromEntries(known) } : {}),
  };
}

/** Page size, columns, widths and sort that this user has set for a table, on any device. */
export function useGridMemory(table: string) {
  const { settings } = useSession().user;
  const key = `grid.${table}`;
  const stored = settings[key];
  const memory = useMemo(() => memoryOf(stored), [stored]);
  const remember = useCallback(
    (change: { readonly [Key in keyof GridMemory]: GridMemory[Key] | undefined }) => {
      const next = Object.fromEntries(
        Object.entries({ ...memory, ...change }).filter(([, value]) => value !== undefined),
      );
      saveSettings({ [key]: next });
    },
    [key, memory],
  );
  return { memory, remember };
}
