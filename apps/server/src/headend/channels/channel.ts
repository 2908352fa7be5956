/** Moves bytes to and from one physical line; knows nothing of meters. */
export interface Channel {
  /** Sends; rejects with `LineLost` when the line is closed or the peer does not accept earlier bytes. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Sets the receiver; undefined: received bytes are dropped. While the promise of a listener is pending,
   * nothing more is read from the peer.
   */
  listen(listener: ((bytes: Uint8Array) => void | Promise<void>) | undefined): void;
  /**
   * Calls back once when the line is closed, at once when it already is; returns the function that cancels
   * it.
   */
  onClose(callback: () => void): () => void;
  close(): void;
  readonly isOpen: boolean;
  /** Round-trip time of the transport, added to the response time of the device. */
  readonly roundTripMs: number;
  /** Longest gap that the transport may insert inside a frame. */
  readonly gapMs: number;
  /** The line echoes sent bytes before the answer (two-wire adapters). */
  readonly echoes: boolean;
  /** For a line whose baud rate can change during a dialogue; absent: fixed (TCP, modems). */
  readonly speed?: LineSpeed;
}

export interface LineSpeed {
  /** Baud rate with which the line was opened. */
  readonly startBaud: number;
  /**
   * Changes the baud rate as soon as all written bytes are sent; bytes received and not yet delivered are
   * lost. Rejects with `LineLost` when the port cannot; the line is then closed.
   */
  change(baud: number): Promise<void>;
}

/** The line cannot be used: not connected, refused, or closed during use. */
export class LineLost extends Error {
  override readonly name = "LineLost";
}

/** The line is lent exclusively for a while: a transparent port connects it to an external program. */
export class LineLent extends Error {
  override readonly name = "LineLent";
}
