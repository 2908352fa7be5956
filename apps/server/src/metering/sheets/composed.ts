import { Problem } from "@metrum/contract/core";
import type { SheetOutcome } from "@metrum/contract/metering";
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

/** A problem of one of the rows that were to be stored together. */
export class ProblemOfRow extends Problem {
  /** Its place among them. */
  readonly row: number;
  constructor({ code, params, attributes }: Problem, row: number) {
    super(code, { params, attributes });
    this.row = row;
  }
}

/** What the storing of a row has done. */
export interface StoredSteps {
  readonly outcome: Exclude<SheetOutcome, "refused">;
  readonly steps: readonly Step[];
}

/** A kind whose rows make several things each. Registered by the wing that owns them. */
export interface ComposedKind {
  readonly fields: readonly FieldOfSheet[];
  /**
   * Stores rows, all or none, as if one after another; `before` others are made that no transaction has committed
   * yet. A problem is that of one of them, a ProblemOfRow if it is known of which. Undefined: some depend on others so that only one after another is right,
   * and what is stored must be taken back; of a single row never.
   */
  readonly store: (
    ctx: Ctx,
    rows: readonly RowValues[],
    before: number,
  ) => Promise<readonly StoredSteps[] | undefined>;
  /** Takes all steps back. Problem: sheet_changed_since. */
  readonly undo: (ctx: Ctx, rows: readonly StepsOfRow[]) => Promise<void>;
}

declare module "#core" {
  interface Parts {
    /** Objects with their accounting points, devices and parties. */
    readonly objectSheets: ComposedKind;
  }
}
