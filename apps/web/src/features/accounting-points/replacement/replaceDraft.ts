import { z } from "zod/mini";
import type { StepName } from "./replaceSteps.ts";

/** What is known of a meter at the swap: when, its register and the readings by register. */
export interface SwapEnd {
  readonly at: number | null;
  readonly readings: Readonly<Record<string, number | null>>;
}

/** The input of the wizard; nothing of it is on the server before the last step. */
export interface SwapDraft {
  readonly step: StepName;
  readonly closing: SwapEnd;
  readonly opening: SwapEnd;
  readonly device: { readonly id: string; readonly title: string; readonly note?: string } | null;
  readonly field: string;
  readonly act: string;
  readonly note: string;
  readonly gap: "none" | "load";
}

const end = z.object({
  at: z.nullable(z.number()),
  readings: z.record(z.string(), z.nullable(z.number())),
});
const Kept = z.object({
  at: z.number(),
  draft: z.object({
    step: z.enum(["old", "new", "readings", "check"]),
    closing: end,
    opening: end,
    device: z.nullable(z.object({ id: z.string(), title: z.string(), note: z.optional(z.string()) })),
    field: z.string(),
    act: z.string(),
    note: z.string(),
    gap: z.enum(["none", "load"]),
  }),
});

const keyOf = (userId: number, pointId: number) => `metrum.replacement.${String(userId)}.${String(pointId)}`;

export interface KeptDraft {
  readonly draft: SwapDraft;
  /** Epoch seconds when it was kept. */
  readonly at: number;
}

/** The draft kept in this browser by this user for the point; one that cannot be read is none. */
export function readDraft(userId: number, pointId: number): KeptDraft | null {
  const text = localStorage.getItem(keyOf(userId, pointId));
  if (text === null) return null;
  try {
    const { at, draft } = Kept.parse(JSON.parse(text));
    const { device } = draft;
    const { note, ...named } = device ?? { id: "", title: "" };
    return {
      at,
      draft: {
        ...draft,
        device: device === null ? null : { ...named, ...(note === undefined ? {} : { note }) },
      },
    };
  } catch {
    return null;
  }
}

/** False when the browser has no space for it. */
export function keepDraft(userId: number, pointId: number, kept: KeptDraft): boolean {
  try {
    localStorage.setItem(keyOf(userId, pointId), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(userId: number, pointId: number): void {
  localStorage.removeItem(keyOf(userId, pointId));
}
