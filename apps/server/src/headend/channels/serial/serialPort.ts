import { stat } from "node:fs/promises";
import type { OpenOptions, SerialBinding } from "@serialport/bindings-cpp";
import { LineLost, type Channel } from "../channel.ts";
import { sendingMs, serialMode, type SerialTarget } from "./serialTarget.ts";

/** Opens serial ports. Rejects with `LineLost` when one cannot be opened. */
export type OpenSerial = (target: SerialTarget) => Promise<Channel>;

/** A USB adapter delivers received bytes every 16 ms, and may be late. */
const gapMs = 60;
const roundTripMs = 100;
/** A port that does not accept bytes for this long, plus their time on the wire, is closed. */
const stuckMs = 5000;
/** Interval of the checks whether the adapter is still plugged in. */
const watchMs = 1000;
const readAtOnce = 4096;

/**
 * Loads the optional package that opens serial ports. Errors: Error that names the setting when it is not
 * installed or has no build for this system.
 */
export async function loadSerial(): Promise<OpenSerial> {
  try {
    const { autoDetect } = await import("@serialport/bindings-cpp");
    const binding = autoDetect();
    const closing = new Map<string, Promise<void>>();
    return (target) => openPort({ open: (options) => binding.open(options), closing }, target);
  } catch (cause) {
    throw new Error(
      "METRUM_SERIAL_PORTS: the optional package @serialport/bindings-cpp is not installed, or not for this system",
      { cause },
    );
  }
}

interface Ports {
  readonly open: (options: OpenOptions) => Promise<SerialBinding>;
  /** Ports being closed: the system gives a port to one user at a time, which is this process until then. */
  readonly closing: Map<string, Promise<void>>;
}

async function openPort({ open, closing }: Ports, target: SerialTarget): Promise<Channel> {
  const { path, baud_rate: baudRate, data_bits: dataBits, stop_bits: stopBits, parity } = target;
  await closing.get(path);
  try {
    const port = await open({ path, baudRate, dataBits, parity, stopBits });
    return serialChannel(port, target, (closed) => closing.set(path, closed));
  } catch (cause) {
    throw new LineLost(`the serial port ${path} cannot be opened with ${serialMode(target)}`, { cause });
  }
}

/** An open port as a channel. */
function serialChannel(
  port: SerialBinding,
  target: SerialTarget,
  onClosing: (closed: Promise<void>) => void,
): Channel {
  let listener: Parameters<Channel["listen"]>[0];
  let isOpen = true;
  let baud = target.baud_rate;
  let sending: Promise<void> = Promise.resolve();
  const closed = new Set<() => void>();
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    stopWatching();
    // Closing a port whose adapter is gone fails; it is closed in effect.
    if (port.isOpen) onClosing(port.close().catch(() => undefined));
    for (const callback of closed) callback();
    closed.clear();
  };
  const stopWatching = watchPath(target.path, close);
  void readUntilClosed(port, { isOpen: () => isOpen, pass: (bytes) => listener?.(bytes) }).finally(close);
  /** A port that ends or fails is closed. */
  const orClose = async (work: Promise<void>, limitMs: number, what: string): Promise<void> => {
    const late = setTimeout(close, limitMs);
    try {
      await work;
    } catch (cause) {
      close();
      throw new LineLost(what, { cause });
    } finally {
      clearTimeout(late);
    }
  };
  const send = async (bytes: Uint8Array): Promise<void> => {
    const onWireMs = sendingMs(bytes.length, { ...target, baud_rate: baud });
    await orClose(port.write(Buffer.from(bytes)), onWireMs + stuckMs, "the line broke while sending");
    // The system has accepted it; the answer time starts when the bytes are on the wire.
    await new Promise((resolve) => setTimeout(resolve, onWireMs));
  };
  const change = async (next: number): Promise<void> => {
    if (next === baud) return;
    const changed = port.drain().then(() => port.update({ baudRate: next }));
    await orClose(changed, stuckMs, `the serial port ${target.path} cannot go to ${String(next)} baud`);
    baud = next;
  };
  /** Runs operations one by one, in order of request. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = sending.then(() => {
      if (!isOpen) throw new LineLost("the line is closed");
      return work();
    });
    sending = done.catch(() => undefined);
    return done;
  };
  return {
    get isOpen() {
      return isOpen;
    },
    roundTripMs,
    gapMs,
    echoes: target.echoes ?? false,
    listen(next) {
      listener = next;
    },
    onClose(callback) {
      if (isOpen) closed.add(callback);
      else callback();
      return () => closed.delete(callback);
    },
    close,
    write: (bytes) => inTurn(() => send(bytes)),
    speed: { startBaud: target.baud_rate, change: (next) => inTurn(() => change(next)) },
  };
}

interface Reading {
  readonly isOpen: () => boolean;
  readonly pass: (bytes: Uint8Array) => void | Promise<void>;
}

/**
 * Reads until the port is closed or breaks, and pauses while a listener is busy. Never rejects: a failure
 * closes the port.
 */
async function readUntilClosed(port: SerialBinding, { isOpen, pass }: Reading): Promise<void> {
  const buffer = Buffer.alloc(readAtOnce);
  try {
    while (isOpen()) {
      const { bytesRead } = await port.read(buffer, 0, buffer.length);
      if (bytesRead > 0) await pass(Uint8Array.from(buffer.subarray(0, bytesRead)));
    }
  } catch {
    // Closed locally, unplugged, or the listener is done: in each case the port has ended.
    return;
  }
}

/** Calls back when the port has vanished or was replaced: an unplugged adapter does not always end a read. */
function watchPath(path: string, onGone: () => void): () => void {
  let first: number | undefined;
  const check = async (): Promise<void> => {
    const now = await stat(path).then(
      ({ rdev }) => rdev,
      () => undefined,
    );
    if (first !== undefined && now !== first) onGone();
    first ??= now;
  };
  void check();
  const timer = setInterval(() => void check(), watchMs).unref();
  return () => clearInterval(timer);
}
