import type { Responder } from "../../core/conversation.ts";
import type { DeviceAddress, ModeE } from "../../core/driver.ts";
import { iecResponder } from "../../iec62056-21/responder.ts";
import { switchToBinary } from "../../iec62056-21/signOn.ts";
import type { Link } from "./link.ts";

/**
 * HDLC behind an optical head: every connection begins with the sign-on of mode E, because the meter returns
 * to it at the end of a connection.
 * Source: IEC 62056-21, annex E; IEC 62056-42. The meter is alone at its head and addressed without an
 * address.
 * Errors: of the sign-on, ProtocolError "unsupported" if the meter lacks mode E; else those of the link.
 */
export function opticalLink(link: Link, device: Pick<DeviceAddress, "fixedBaud">, signOn: ModeE): Link {
  const { fixedBaud } = device;
  return {
    ...link,
    *open() {
      yield* switchToBinary({ address: "", ...signOn, ...(fixedBaud === undefined ? {} : { fixedBaud }) });
      yield* link.open();
    },
  };
}

/**
 * The meter's side of the same: it speaks IEC 62056-21 until it has confirmed the binary mode, then HDLC, and
 * accepts a new sign-on at any time. A real one accepts it only after its connection has ended, or after a
 * time of silence. Never throws.
 */
export function opticalSide(meter: Responder, device: DeviceAddress, { evenParity }: ModeE): Responder {
  const options = { access: "readout", manufacturer: "MTR", type: "\\2SIM", rows: [], evenParity } as const;
  const head = iecResponder({
    options,
    plan: { ...options, utcOffsetMinutes: 0 },
    device,
    state: () => 0,
    now: () => 0,
  });
  let isBinary = false;
  return {
    ...(head.baud ? { baud: head.baud } : {}),
    receive(bytes) {
      if (isBinary && !isOfSignOn(bytes)) return meter.receive(bytes);
      const answers = head.receive(bytes);
      isBinary = answers.some(([first, protocol]) => first === 0x06 && protocol === confirmed(evenParity));
      return answers;
    },
  };
}

/** `2` of the confirmation 06 32 Z 32, which has an odd number of ones. */
const confirmed = (evenParity: boolean): number => (evenParity ? 0xb2 : 0x32);

/** HDLC frames begin with 7E, the preceding lines with `/` (also with a parity bit) or ACK. */
export const isOfSignOn = ([first]: Uint8Array): boolean =>
  first === 0x2f || first === 0xaf || first === 0x06;
