import type { Clock } from "#core";
import { LineLent, LineLost, type Channel } from "./channel.ts";
import { openTcp, type TcpTarget } from "./tcpClient.ts";

/** A physical line as the poll plan sees it: a key, and for lines that we open, where. */
export interface LineTarget {
  readonly key: string;
  /** Undefined: the modem dials in, so the line is there or it is not. */
  readonly tcp: TcpTarget | undefined;
}

/** Key of the line behind a modem that dials in. */
export const dialInLine = (gatewayId: number): string => `modem:${gatewayId}`;
/** Key of the line that we open: the same converter is one line, whoever registered it. */
export const tcpLine = (host: string, port: number): string => `tcp:${host.toLowerCase()}:${port}`;

/** The lines that this process holds. One line, one talker: uses of a line follow each other. */
export interface Lines {
  /** A modem has dialled in. */
  attach(key: string, channel: Channel): void;
  held(key: string): Channel | undefined;
  /**
   * Runs an exchange as the only talker of the line; opens it when it is ours to open.
   * Rejects with `LineLost` when there is no line, with `LineElsewhere` when another process holds it, with `LineLent` while it is lent.
   */
  use<Result>(target: LineTarget, run: (channel: Channel) => Promise<Result>): Promise<Result>;
  /** The same for as long as it takes: exchanges under way end first, new ones are refused until `run` is done. */
  lend<Result>(target: LineTarget, run: (channel: Channel) => Promise<Result>): Promise<Result>;
  /** Takes all open lines again; those that another process has taken meanwhile are closed. */
  reclaim(): Promise<void>;
  /** Closes everything; lines that were opened are given back. */
  closeAll(): Promise<void>;
}

/** The line is held by another process, which must do the work. */
export class LineElsewhere extends Error {
  override readonly name = "LineElsewhere";
}

/** This process closes its lines; the exchange did not fail for any fault of the device and belongs to another process. */
export class LinesClosing extends Error {
  override readonly name = "LinesClosing";
}

export interface LinesOptions {
  readonly clock: Clock;
  /** Takes a line that we open for this process. */
  readonly claim: (key: string) => Promise<boolean>;
  /** Gives it back. Never rejects: the exchange on the line has ended, whatever becomes of it. */
  readonly release: (key: string) => Promise<void>;
  readonly idleMs?: number;
}

/** A connection that nobody uses for this long is closed, so that others reach the converter too. */
const defaultIdleMs = 30_000;
/** A converter that did not answer is not called again for every meter behind it. */
const refusedMs = 5_000;

interface Line {
  channel: Channel | undefined;
  tail: Promise<void>;
  idle: NodeJS.Timeout | undefined;
  refused: { readonly error: unknown; readonly untilMs: number } | undefined;
}

type Run<Result> = (channel: Channel) => Promise<Result>;

/** Waits until everybody before has ended; returns what ends the own turn. */
async function takeTurn(line: Line): Promise<() => void> {
  const turn = line.tail;
  let done = (): void => undefined;
  line.tail = new Promise((resolve) => (done = resolve));
  await turn;
  clearTimeout(line.idle);
  return () => done();
}

/** The line is somebody's alone for as long as `run` takes. */
function createLoans() {
  const lent = new Set<string>();
  const refuse = (key: string): void => {
    if (lent.has(key)) throw new LineLent("the line is taken by a transparent port");
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

export function createLines(options: LinesOptions): Lines {
  const { clock, claim, release, idleMs = defaultIdleMs } = options;
  const lines = new Map<string, Line>();
  const loans = createLoans();
  let isClosing = false;
  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? {
      channel: undefined,
      tail: Promise.resolve(),
      idle: undefined,
      refused: undefined,
    };
    lines.set(key, line);
    return line;
  };
  const attach = (key: string, channel: Channel): void => {
    const line = lineOf(key);
    line.channel = channel;
    channel.onClose(() => {
      if (line.channel === channel) line.channel = undefined;
    });
  };
  const open = async (target: LineTarget, line: Line): Promise<Channel> => {
    if (line.channel?.isOpen) return line.channel;
    if (!target.tcp) throw new LineLost("the modem is not connected");
    if (line.refused && line.refused.untilMs > clock.monotonicMs()) throw line.refused.error;
    if (!(await claim(target.key))) throw new LineElsewhere(target.key);
    try {
      const channel = await openTcp(target.tcp);
      attach(target.key, channel);
      channel.onClose(() => void release(target.key));
      line.refused = undefined;
      return channel;
    } catch (error) {
      line.refused = { error, untilMs: clock.monotonicMs() + refusedMs };
      await release(target.key);
      throw error;
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
    attach,
    held: (key) => lines.get(key)?.channel,
    async use(target, run) {
      loans.refuse(target.key);
      return useInTurn(target, run);
    },
    lend: (target, run) => loans.during(target.key, () => useInTurn(target, run)),
    async reclaim() {
      for (const [key, { channel }] of lines) if (channel?.isOpen && !(await claim(key))) channel.close();
    },
    async closeAll() {
      isClosing = true;
      const keys = [...lines].filter(([, line]) => line.channel !== undefined).map(([key]) => key);
      for (const line of lines.values()) {
        clearTimeout(line.idle);
        line.channel?.close();
      }
      await Promise.all(keys.map((key) => release(key)));
      isClosing = false;
    },
  };
}
