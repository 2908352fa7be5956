import type { FieldFault } from "@metrum/contract/core";
import type { FieldName, MessageTypeId } from "@metrum/vocabulary";

/** A reading of a file, its device not looked up yet. */
export interface ImportRow {
  /** Its position as the sender counts: the line of a table, the item of a JSON file. */
  readonly place: string;
  readonly device: { readonly number: string } | { readonly id: number };
  /** Epoch seconds UTC, or those that the clock of the device shows where the file names no zone. */
  readonly at: number;
  readonly clock: "utc" | "device";
  readonly msgType: MessageTypeId;
  readonly values: Readonly<Partial<Record<FieldName, number | null>>>;
}

export interface ImportError {
  readonly place: string;
  readonly fault: FieldFault;
}

export interface Parsed {
  readonly rows: readonly ImportRow[];
  readonly errors: readonly ImportError[];
}

/** A row, or its error. */
export type Found = ImportRow | ImportError;

export const isError = (found: Found): found is ImportError => "fault" in found;

/** Reported errors; further ones are only counted. */
export const mostErrors = 100;
