import type { DeviceAddress } from "../core/driver.ts";
import { fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { address } from "./frame.ts";

/** Addressing of a meter: by its primary address, or selected by its identity. */
export type Target =
  | { readonly kind: "primary"; readonly address: number }
  | {
      readonly kind: "secondary";
      readonly address: number;
      /** Eight digits, F for any. */
      readonly id: string;
      /** The eight bytes of the selection. */
      readonly selection: Uint8Array;
    };

/**
 * The target that the user typed.
 * Source: EN 13757-2, 5.7.5 (addresses), EN 13757-3, 11.3 (selection). Layout: "0" to "250", or "254" for the
 * only meter on the line; eight digits of the identification number, F for any digit; sixteen with
 * manufacturer, version and medium as they are sent.
 * Errors: ProtocolError "unexpected" for anything else.
 */
export function targetOf(device: Pick<DeviceAddress, "insideAddr">): Target {
  const text = device.insideAddr.trim().toUpperCase();
  if (/^\d{1,3}$/.test(text)) {
    const number = Number(text);
    if (number <= 250 || number === address.anyWithAnswer) return { kind: "primary", address: number };
  }
  if (/^[0-9F]{8}([0-9A-F]{8})?$/.test(text)) {
    const id = text.slice(0, 8);
    const rest = text.slice(8) || "FFFFFFFF";
    const selection = Uint8Array.of(...fromHex(id).toReversed(), ...fromHex(rest));
    return { kind: "secondary", address: address.selected, id, selection };
  }
  throw new ProtocolError(
    "unexpected",
    "the address is neither 0..250 nor eight digits of the meter's number",
  );
}

/** Whether an identification number fits eight digits with F for any. */
export function fitsMask(id: string, mask: string): boolean {
  const wanted = new RegExp(`^${mask.replaceAll("F", "[0-9A-F]")}$`, "i");
  return wanted.test(id);
}
