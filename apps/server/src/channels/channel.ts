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
}

/** The line cannot be used: not connected, refused, or closed in the middle. */
export class LineLost extends Error {
  override readonly name = "LineLost";
}

/** The line is somebody's alone for a while: a transparent port joins it to a program elsewhere. */
export class LineLent extends Error {
  override readonly name = "LineLent";
}
