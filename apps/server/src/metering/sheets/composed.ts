import type { SheetOutcome } from "@metrum/contract";
import type { Ctx } from "#core";
import type { FieldOfSheet } from "./fields.ts";
import type { RowValues } from "./kinds.ts";

/** A row of some table that a row of the file has made, changed or deleted; short, because all are stored. */
export interface Step {
  /** Table and id. */
  readonly t: string;
  readonly i: number;
  /** The row before; null: made. */
  readonly b: Readonly<Record<string, unknown>> | null;
  /** Hash of the row after; null: deleted. */
  readonly h: string | null;
}

/** The steps of a row of the file. */
export interface StepsOfRow {
  readonly row: number;
  readonly name: string;
  readonly steps: readonly Step[];
}

/** A kind whose rows make several things each. Registered by the wing that owns them. */
export interface ComposedKind {
  readonly fields: readonly FieldOfSheet[];
  /** Rights to see such imports, and to begin one; those of the things are checked row by row. */
  readonly reads: string;
  readonly begins: string;
  readonly store: (
    ctx: Ctx,
    values: RowValues,
    before: number,
  ) => Promise<{ readonly outcome: Exclude<SheetOutcome, "refused">; readonly steps: readonly Step[] }>;
  /** Takes all steps back. Problem: sheet_changed_since. */
  readonly undo: (ctx: Ctx, rows: readonly StepsOfRow[]) => Promise<void>;
}

declare module "#core" {
  interface Parts {
    /** Objects with their accounting points, devices and parties. */
    readonly objectSheets: ComposedKind;
  }
}
