/**
 * HDLC address. `bytes` 1: `upper` alone (a client, or a short server address), `lower` null; 2: 7 bits each;
 * 4: 14 bits each. `upper` is the client or the logical device, `lower` the physical device.
 */
export interface HdlcAddress {
  readonly upper: number;
  readonly lower: number | null;
  readonly bytes: 1 | 2 | 4;
}
/** Control byte. `isFinal` is the poll bit in commands, the final bit in responses. */
export type HdlcControl =
  | { readonly type: "i"; readonly send: number; readonly receive: number; readonly isFinal: boolean }
  | { readonly type: "rr" | "rnr"; readonly receive: number; readonly isFinal: boolean }
  | { readonly type: "snrm" | "ua" | "disc" | "dm" | "frmr" | "ui"; readonly isFinal: boolean };
export interface HdlcFrame {
  readonly destination: HdlcAddress;
  readonly source: HdlcAddress;
  readonly control: HdlcControl;
  /** More frames of the same message follow. */
  readonly isSegmented: boolean;
  readonly information: Uint8Array;
}
/** Parameters proposed by SNRM and granted by UA: information length of a frame and window size. */
export interface HdlcParameters {
  readonly maxInfoTx: number;
  readonly maxInfoRx: number;
  readonly windowTx: number;
  readonly windowRx: number;
}

/** Wrapper of TCP and UDP: ports and the message. */
export interface WrapperFrame {
  readonly source: number;
  readonly destination: number;
  readonly payload: Uint8Array;
}
