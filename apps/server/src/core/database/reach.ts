import { Socket } from "node:net";
import type pg from "pg";
import type { Log } from "../log.ts";
import { noteLostLink } from "./away.ts";

/** Pause between two probes, while the database answers and while it does not. */
const pauseMs = { there: 1_000, away: 250 } as const;
/**
 * A database that has not answered `select 1` within this time is unavailable: waiting callers learn it
 * within 5 s.
 */
const answerMs = 2_500;
/** The same for the first probe, which connects while a start takes all processors. */
const firstAnswerMs = 30_000;
/** While it is unavailable a new connection is given up sooner, so that its return is noticed within 2 s. */
export const reconnectMs = 1_000;

/** Connections of this process to its database, and whether the database can be reached over them. */
export interface Reach {
  /**
   * Creates the socket of a connection: `stream` of its settings. While the database is unavailable it fails
   * at once.
   */
  readonly socket: () => Socket;
  readonly isAway: () => boolean;
  /** Destroys all connections: statements that run fail at once. */
  readonly abandon: () => void;
  /** Waits this long before a retry, or less: until an unavailable database answers. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Probes the database every second over a separate connection with the shared name. When it does not
   * answer, all other connections are destroyed, so that their users learn it now and not after a TCP
   * time-out, which can take a quarter of an hour.
   */
  readonly watch: (clientOver: ClientOver, log: Log) => () => Promise<void>;
}

/**
 * Connects to nothing: for each of a hundred attempts a second that end at once, a database that has just come back
 * would start a process, and answer no probe in time.
 */
class LostSocket extends Socket {
  override connect(): this {
    return this;
  }
}

/** A client on this socket, not connected yet. */
type ClientOver = (socket: Socket) => pg.Client;

export function createReach(): Reach {
  const sockets = new Set<Socket>();
  const pausing = new Set<() => void>();
  let away = false;

  const breakAll = (isDead: (socket: Socket) => boolean): void => {
    for (const socket of sockets) if (isDead(socket)) socket.destroy(lost());
  };
  const note = (answered: boolean, log: Log): void => {
    if (answered !== away) return;
    away = !answered;
    if (away) log.warn("the database does not answer; its connections are given up");
    else log.info("the database answers again");
    // Statements sent meanwhile without an answer are on a connection that will never give one.
    breakAll(away ? () => true : ({ bytesRead }) => bytesRead === 0);
    if (!away) for (const goOn of pausing) goOn();
  };

  return {
    isAway: () => away,
    abandon: () => breakAll(() => true),
    pause: (ms) =>
      new Promise((resolve) => {
        const goOn = (): void => {
          clearTimeout(timer);
          pausing.delete(goOn);
          resolve();
        };
        const timer = setTimeout(goOn, ms).unref();
        pausing.add(goOn);
      }),
    socket() {
      const socket = away ? new LostSocket() : new Socket();
      socket.on("error", noteLostLink);
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      if (away) setImmediate(() => socket.destroy(lost()));
      return socket;
    },
    watch(clientOver, log) {
      const asker = createAsker(clientOver);
      let isStopped = false;
      let isFirst = true;
      let timer: NodeJS.Timeout | undefined;
      const ask = async (): Promise<void> => {
        const answered = await asker.ask(away ? endLeftOver : "select 1", isFirst ? firstAnswerMs : answerMs);
        isFirst = false;
        if (isStopped) return;
        note(answered, log);
        timer = setTimeout(() => void ask(), away ? pauseMs.away : pauseMs.there).unref();
      };
      void ask();
      return () => {
        isStopped = true;
        clearTimeout(timer);
        asker.drop();
        return Promise.resolve();
      };
    },
  };
}

/**
 * The first probe after the database was unavailable. Behind a link that dropped all packets the server side
 * of the old connections may live on for hours, with its transactions and locks: on rows about to be written,
 * or on the number of this process. All connections with this pool's name there are leftovers and are
 * terminated.
 */
const endLeftOver = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = current_setting('application_name') and pid <> pg_backend_pid()`;

/** Probes over one connection, which is discarded as soon as an answer is late. */
function createAsker(clientOver: ClientOver) {
  let socket: Socket | undefined;
  let client: pg.Client | undefined;
  const drop = (): void => {
    // An orderly end would wait for a database that does not answer.
    socket?.destroy();
    client = undefined;
  };
  const connect = async (): Promise<pg.Client> => {
    socket = new Socket();
    const next = clientOver(socket);
    next.on("error", () => undefined);
    await next.connect();
    return next;
  };
  const answers = async (question: string): Promise<boolean> => {
    try {
      client ??= await connect();
      await client.query(question);
      return true;
    } catch {
      return false;
    }
  };
  return {
    drop,
    async ask(question: string, withinMs: number): Promise<boolean> {
      const answered = await inTime(answers(question), withinMs);
      if (!answered) drop();
      return answered;
    },
  };
}

/**
 * False when it takes too long. An answer that arrived while this process was busy counts: it is checked
 * first.
 */
function inTime(answered: Promise<boolean>, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => setImmediate(() => resolve(false)), withinMs);
    void answered.then((isAnswered) => {
      clearTimeout(late);
      resolve(isAnswered);
    });
  });
}

const lost = (): Error => Object.assign(new Error("the database does not answer"), { code: "ECONNRESET" });
