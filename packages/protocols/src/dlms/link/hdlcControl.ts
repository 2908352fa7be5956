import type { HdlcControl } from "./frames.ts";

const unnumbered = { snrm: 0x83, ua: 0x63, disc: 0x43, dm: 0x0f, frmr: 0x87, ui: 0x03 } as const;
const finalBit = 0x10;

/**
 * Meaning of a control byte.
 * Source: IEC 62056-46, 6.4.3. Layout: I `rrr f sss 0`, RR `rrr f 0001`, RNR `rrr f 0101`; with the bit f
 * SNRM 93, UA 73, DISC 53, DM 1F, FRMR 97, UI 13.
 * Returns undefined for a code that the standard does not use here.
 */
export function parseHdlcControl(byte: number): HdlcControl | undefined {
  const isFinal = (byte & finalBit) !== 0;
  const receive = byte >> 5;
  if ((byte & 1) === 0) return { type: "i", send: (byte >> 1) & 7, receive, isFinal };
  if ((byte & 0x0f) === 0x01) return { type: "rr", receive, isFinal };
  if ((byte & 0x0f) === 0x05) return { type: "rnr", receive, isFinal };
  switch (byte & ~finalBit) {
    case unnumbered.snrm:
      return { type: "snrm", isFinal };
    case unnumbered.ua:
      return { type: "ua", isFinal };
    case unnumbered.disc:
      return { type: "disc", isFinal };
    case unnumbered.dm:
      return { type: "dm", isFinal };
    case unnumbered.frmr:
      return { type: "frmr", isFinal };
    case unnumbered.ui:
      return { type: "ui", isFinal };
    default:
      return undefined;
  }
}

/** The byte of a control; the mirror of `parseHdlcControl`. */
export function hdlcControl(control: HdlcControl): number {
  const final = control.isFinal ? finalBit : 0;
  switch (control.type) {
    case "i":
      return ((control.receive & 7) << 5) | final | ((control.send & 7) << 1);
    case "rr":
      return ((control.receive & 7) << 5) | final | 0x01;
    case "rnr":
      return ((control.receive & 7) << 5) | final | 0x05;
    default:
      return unnumbered[control.type] | final;
  }
}

/** "I N(S)=3 N(R)=4 F", "UA F" and so on, for the log. */
export function hdlcControlName(control: HdlcControl): string {
  const sent = control.type === "i" ? ` N(S)=${String(control.send)}` : "";
  const received = "receive" in control ? ` N(R)=${String(control.receive)}` : "";
  return `${control.type.toUpperCase()}${sent}${received}${control.isFinal ? " F" : ""}`;
}
