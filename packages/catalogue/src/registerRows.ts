import type { RegisterRow } from "@metrum/protocols/modbus";
import { fieldNames, type FieldName } from "@metrum/vocabulary";

/**
 * Rows of a register map that differ in field and address only.
 * Source: the map of the model. Layout and units: `common`. Errors: none.
 */
export function rowsAt(
  common: Omit<RegisterRow, "address" | "field">,
  addresses: Readonly<Partial<Record<FieldName, number>>>,
): RegisterRow[] {
  return fieldNames.flatMap((field) => {
    const address = addresses[field];
    return address === undefined ? [] : [{ ...common, address, field }];
  });
}
