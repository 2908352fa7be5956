/**
 * The used part of the optional package; its own types do not resolve under `exports`, and it need not be
 * installed.
 */
declare module "@serialport/bindings-cpp" {
  export interface SerialBinding {
    readonly isOpen: boolean;
    /** Waits for at least one byte; rejects when the port is closed or gone. */
    read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
    /** Resolves when the system has accepted the bytes; one call at a time. */
    write(bytes: Buffer): Promise<void>;
    /** Resolves when the bytes have been transmitted. */
    drain(): Promise<void>;
    /** Discards bytes in transit in both directions. */
    update(options: { readonly baudRate: number }): Promise<void>;
    close(): Promise<void>;
  }

  export interface OpenOptions {
    readonly path: string;
    readonly baudRate: number;
    readonly dataBits: 7 | 8;
    readonly parity: "none" | "even" | "odd";
    readonly stopBits: 1 | 2;
  }

  export function autoDetect(): { readonly open: (options: OpenOptions) => Promise<SerialBinding> };
}
