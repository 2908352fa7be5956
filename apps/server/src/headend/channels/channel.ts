/** Moves bytes between us and one physical line; knows nothing of meters. */
export interface Channel {
  /** Sends; rejects with `LineLost` when the line is closed or the peer does not take what was sent before. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Who receives from now on; undefined: nobody, and what arrives is dropped. While the promise of a listener is pending, nothing
   * more is read from the peer.
   */
  listen(listener: ((bytes: Uint8Array) => void | Promise<void>) | undefined): void;
  /** Calls back once when the line is closed, at once when it already is; returns the function that stops it. */
  onClose(callback: () => void): () => void;
  close(): void;
  readonly isOpen: boolean;
  /** Time that the way itself may need for one round trip, on top of what the device needs. */
  readonly roundTripMs: number;
  /** Longest silence that the way itself may put inside a frame. */
  readonly gapMs: number;
  /** The line returns what was sent, in front of the answer (two-wire adapters). */
  readonly echoes: boolean;
  /** Of a line that can go to another speed in the middle of a dialogue; absent: it keeps its own (TCP, modems). */
  readonly speed?: LineSpeed;
}

export interface LineSpeed {
  /** Baud with which the line was opened. */
  readonly startBaud: number;
  /**
   * Changes as soon as everything that was written has left; what was received before and not yet passed on is lost. Rejects with
   * `LineLost` when the port cannot; the line is then closed.
   */
  change(baud: number): Promise<void>;
}

/** The line cannot be used: not connected, refused, or closed in the middle. */
export class LineLost extends Error {
  override readonly name = "LineLost";
}

/** The line is somebody's alone for a while: a transparent port joins it to a program elsewhere. */
export class LineLent extends Error {
  override readonly name = "LineLent";
}
