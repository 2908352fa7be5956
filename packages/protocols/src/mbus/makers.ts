import type { MbusRecord } from "./records.ts";

/**
 * Records whose manufacturer deviates from the standard meaning of their code.
 * Axioma (AXI): the remaining life of the battery in one byte is a share in percent; FD 74 of the standard is
 * days. Source: behaviour of wmbusmeters on telegrams of the Qalcosonic. Errors: none.
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
