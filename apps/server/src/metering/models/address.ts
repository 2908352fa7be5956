import type { MeterModel } from "@metrum/catalogue";
import { ProtocolError } from "@metrum/protocols/core";

/** Whether the driver of a model can address a device so; it finds out before its first request. */
export function isAddress({ driver }: MeterModel, insideAddr: string, deviceID: string): boolean {
  if (driver.kind !== "line") return true;
  try {
    driver.poll({ kind: "now" }, { insideAddr, deviceID }).next();
    return true;
  } catch (error) {
    if (error instanceof ProtocolError) return error.kind !== "unexpected";
    throw error;
  }
}
