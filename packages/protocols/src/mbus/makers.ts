import type { MbusRecord } from "./records.ts";

/**
 * Records as their maker means them, where that is not what the standard says of their code.
 * Axioma (AXI): the remaining life of the battery in one byte is a share in percent; FD 74 of the standard is days. Source: what wmbusmeters
 * reads in telegrams of the Qalcosonic. Errors: none.
 */
export function asMakerMeans(
  records: readonly MbusRecord[],
  manufacturer: string | undefined,
): readonly MbusRecord[] {
  if (manufacturer !== "AXI") return records;
  return records.map((record) =>
    record.quantity === "Remaining battery life" && record.raw.length === 1
      ? { ...record, unit: "%" }
      : record,
  );
}
