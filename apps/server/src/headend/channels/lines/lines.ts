import type { Clock } from "#core";
import { LineLent, LineLost, type Channel } from "../channel.ts";
import type { OpenSerial } from "../serial/serialPort.ts";
import { serialMode, type SerialTarget } from "../serial/serialTarget.ts";
import { openTcp, type OutgoingHosts, type TcpTarget } from "../tcp/tcpClient.ts";

/** A physical line as the poll plan sees it: a key, and for lines opened by the server, the address. */
export interface LineTarget {
  readonly key: string;
  /** Undefined without a serial port: the modem dials in. With an address, any process can open the line. */
  readonly tcp: TcpTarget | undefined;
  /** A serial port of the machine of one process, which holds the line. */
  readonly serial?: SerialTarget;
}

/** Whether the server opens the line; otherwise its modem dials in. */
export const isOpenedByUs = ({ tcp, serial }: LineTarget): boolean =>
  tcp !== undefined || serial !== undefined;

/** Key of the line behind a modem that dials in. */
export const dialInLine = (gatewayId: number): string => `modem:${gatewayId}`;
/** Key of a line opened by the server: a converter is one line, however many devices are registered on it. */
export const tcpLine = (host: string, port: number): string => `tcp:${host.toLowerCase()}:${port}`;

/**
 * Whether a line is held only as long as it is connected; serial ports and connections to network servers are
 * held longer.
 */
export const isHeldWhileOpen = (key: string): boolean => key.startsWith("modem:") || key.startsWith("tcp:");

/** The lines that this process holds. Exchanges on a line are serialised. */
export interface Lines {
  /** A modem has dialled in. */
  attach(key: string, channel: Channel): void;
  held(key: string): Channel | undefined;
  /**
   * Runs an exchange with exclusive use of the line; opens it if the server opens this kind of line. Rejects
   * with `LineLost` when there is no line, with `LineElsewhere` when another process holds it, with
   * `LineLent` while it is lent.
   */
  use<Result>(target: LineTarget, run: (channel: Channel) => Promise<Result>): Promise<Result>;
  /** Lends the line for as long as `run` takes: running exchanges end first, new ones are refused. */
  lend<Result>(target: LineTarget, run: (channel: Channel) => Promise<Result>): Promise<Result>;
  /** Passes bytes received on a lent line to those who watch it. */
  heard(key: string, bytes: Uint8Array): void;
  /** Calls back with bytes received on a line that is listened to; returns the function that ends it. */
  watch(key: string, onBytes: (bytes: Uint8Array) => void): () => void;
  /** Keys of the lines with an open connection. */
  readonly open: () => readonly string[];
  /** Whether a connection of the line is being opened. */
  readonly isOpening: (key: string) => boolean;
  /** Closes everything; lines opened by the server are released. */
  closeAll(): Promise<void>;
}

/** The line is held by another process, which must do the work. */
export class LineElsewhere extends Error {
  override readonly name = "LineElsewhere";
}

/**
 * This process is closing its lines; the exchange did not fail because of the device and belongs to another
 * process.
 */
export class LinesClosing extends Error {
  override readonly name = "LinesClosing";
}

export interface LinesOptions {
  readonly clock: Clock;
  /** Claims a line opened by the server for this process. */
  readonly claim: (key: string) => Promise<boolean>;
  /** Releases it. Never rejects: the exchange on the line has ended in any case. */
  readonly release: (key: string) => Promise<void>;
  /** Opens the serial ports of this process; absent: it has none. */
  readonly openSerial?: OpenSerial;
  /** Hosts outside the public network that entered addresses may name; none if absent. */
  readonly outgoing?: OutgoingHosts;
  readonly idleMs?: number;
}

/** An idle connection is closed after this time, so that other clients can connect to the converter. */
const defaultIdleMs = 30_000;
/** After a failed connect the converter, or serial port, is not tried again for every meter behind it. */
const refusedMs = 5_000;
/** Upper limit of the doubling pause for a serial port: an unplugged adapter may be missing for long. */
const longestRefusedMs = 60_000;

interface Line {
  channel: Channel | undefined;
  /** Settings of a serial port, or the guard of a connection, when it was opened. */
  mode: string | undefined;
  tail: Promise<void>;
  idle: NodeJS.Timeout | undefined;
  refused:
    | {
        readonly error: unknown;
        /** Refused as an entered address: one set by the operator may be reached nevertheless. */
        readonly isEntered: boolean;
        readonly pauseMs: number;
        readonly untilMs: number;
      }
    | undefined;
}

const newLine = (): Line => ({
  channel: undefined,
  mode: undefined,
  tail: Promise.resolve(),
  idle: undefined,
  refused: undefined,
});

function lineIn(lines: Map<string, Line>, key: string): Line {
  const line = lines.get(key) ?? newLine();
  lines.set(key, line);
  return line;
}

type Run<Result> = (channel: Channel) => Promise<Result>;

/** Waits for all earlier users; returns the function that ends the turn. */
async function takeTurn(line: Line): Promise<() => void> {
  const turn = line.tail;
  let done = (): void => undefined;
  line.tail = new Promise((resolve) => (done = resolve));
  await turn;
  clearTimeout(line.idle);
  return () => done();
}

/** Lends the line exclusively for as long as `run` takes. */
function createLoans() {
  const lent = new Set<string>();
  const refuse = (key: string): void => {
    if (lent.has(key))
      throw new LineLent("the line is taken: a transparent port has it, or it is listened to");
  };
  return {
    refuse,
    async during<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
      refuse(key);
      lent.add(key);
      try {
        return await run();
      } finally {
        lent.delete(key);
      }
    },
  };
}

const refuseSerial: OpenSerial = ({ path }) =>
  Promise.reject(
    new LineLost(`the serial port ${path} is not in METRUM_SERIAL_PORTS, for this server has none`),
  );

type Opening = Pick<LinesOptions, "outgoing"> & { readonly openSerial: OpenSerial };

function openTarget({ tcp, serial }: LineTarget, { openSerial, outgoing }: Opening): Promise<Channel> {
  if (serial) return openSerial(serial);
  return tcp ? openTcp(tcp, outgoing) : Promise.reject(new LineLost("the modem is not connected"));
}

/** Watchers of lines, by key. */
function createWatchers(): Pick<Lines, "heard" | "watch"> {
  const watchers = new Map<string, Set<(bytes: Uint8Array) => void>>();
  return {
    heard(key, bytes) {
      for (const onBytes of watchers.get(key) ?? []) onBytes(bytes);
    },
    watch(key, onBytes) {
      const all = watchers.get(key) ?? new Set();
      watchers.set(key, all.add(onBytes));
      return () => {
        all.delete(onBytes);
        if (all.size === 0 && watchers.get(key) === all) watchers.delete(key);
      };
    },
  };
}

/** How a line is opened: a channel of another mode is not reused. */
function modeOf({ tcp, serial }: LineTarget): {
  readonly mode: string | undefined;
  readonly isEntered: boolean;
} {
  const isEntered = tcp?.isEntered === true;
  return { mode: serial ? serialMode(serial) : isEntered ? "entered" : undefined, isEntered };
}

/** Until when a line that could not be opened is not tried again. */
function refusal(
  error: unknown,
  { serial }: LineTarget,
  { before, now }: { before: Line["refused"]; now: number },
): Omit<NonNullable<Line["refused"]>, "isEntered"> {
  const pauseMs = serial && before ? Math.min(before.pauseMs * 2, longestRefusedMs) : refusedMs;
  return { error, pauseMs, untilMs: now + pauseMs };
}

export function createLines(options: LinesOptions): Lines {
  const { clock, claim, idleMs = defaultIdleMs, openSerial = refuseSerial } = options;
  // A serial line stays with this process, open or not: no other one could open it.
  const release = async ({ key, tcp }: LineTarget) => (tcp ? options.release(key) : undefined);
  const lines = new Map<string, Line>();
  const loans = createLoans();
  const opening = new Set<string>();
  let isClosing = false;
  const lineOf = (key: string) => lineIn(lines, key);
  const attach = (key: string, channel: Channel): void => {
    const line = lineOf(key);
    line.channel = channel;
    channel.onClose(() => {
      if (line.channel === channel) line.channel = undefined;
    });
  };
  const open = async (target: LineTarget, line: Line): Promise<Channel> => {
    const { mode, isEntered } = modeOf(target);
    // Meters on a port may have different settings; the port is then reopened for each. A connection that only
    // the operator may open is not reused for an address that a user has entered.
    if (line.channel?.isOpen && line.mode !== mode) line.channel.close();
    if (line.channel?.isOpen) return line.channel;
    if (!isOpenedByUs(target)) throw new LineLost("the modem is not connected");
    const { refused } = line;
    if (refused?.isEntered === isEntered && refused.untilMs > clock.monotonicMs()) throw refused.error;
    opening.add(target.key);
    try {
      if (!(await claim(target.key))) throw new LineElsewhere(target.key);
      const channel = await openTarget(target, { ...options, openSerial });
      attach(target.key, channel);
      channel.onClose(() => void release(target));
      line.refused = undefined;
      line.mode = mode;
      return channel;
    } catch (error) {
      if (!(error instanceof LineElsewhere)) {
        const now = clock.monotonicMs();
        line.refused = { ...refusal(error, target, { before: refused, now }), isEntered };
        await release(target);
      }
      throw error;
    } finally {
      opening.delete(target.key);
    }
  };
  const useInTurn = async <Result>(target: LineTarget, run: Run<Result>): Promise<Result> => {
    const line = lineOf(target.key);
    const end = await takeTurn(line);
    try {
      return await run(await open(target, line));
    } catch (error) {
      throw isClosing && error instanceof LineLost ? new LinesClosing(target.key, { cause: error }) : error;
    } finally {
      end();
      if (target.tcp) line.idle = setTimeout(() => line.channel?.close(), idleMs).unref();
    }
  };
  return {
    ...createWatchers(),
    attach,
    held: (key) => lines.get(key)?.channel,
    async use(target, run) {
      loans.refuse(target.key);
      return useInTurn(target, run);
    },
    lend: (target, run) => loans.during(target.key, () => useInTurn(target, run)),
    open: () => [...lines].flatMap(([key, { channel }]) => (channel?.isOpen ? [key] : [])),
    isOpening: (key) => opening.has(key),
    async closeAll() {
      isClosing = true;
      const keys = [...lines].filter(([, line]) => line.channel !== undefined).map(([key]) => key);
      for (const line of lines.values()) {
        clearTimeout(line.idle);
        line.channel?.close();
      }
      await Promise.all(keys.map((key) => options.release(key)));
      isClosing = false;
    },
  };
}
