import { Socket } from "node:net";
import type pg from "pg";
import type { Log } from "../log.ts";
import { noteLostLink } from "./away.ts";

/** Pause between two questions, while the database answers and while it does not. */
const pauseMs = { there: 1_000, away: 250 } as const;
/** A database that has not answered `select 1` by then is away: whoever waits for it is told within 5 s. */
const answerMs = 2_500;
/** While it is away a new connection is given up sooner, so that its return is noticed within 2 s. */
export const reconnectMs = 1_000;

/** The connections of this process to its database, and whether the database can be reached over them. */
export interface Reach {
  /** Makes the socket of a connection: `stream` of its settings. While the database is away it fails at once. */
  readonly socket: () => Socket;
  readonly isAway: () => boolean;
  /** Waits this long before something is tried again, or less: until a database that is away answers. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Asks the database every second over a connection of its own, which has the name of all the others. When it does not answer, every other connection is broken, so
   * that whoever waits on one learns it now and not when TCP gives up, which can be a quarter of an hour later.
   */
  readonly watch: (clientOver: ClientOver, log: Log) => () => Promise<void>;
}

/** A client that is not connected yet, over this socket. */
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
    // What was begun meanwhile and never got an answer stands on a connection that will get none.
    breakAll(away ? () => true : ({ bytesRead }) => bytesRead === 0);
    if (!away) for (const goOn of pausing) goOn();
  };

  return {
    isAway: () => away,
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
      const socket = new Socket();
      socket.on("error", noteLostLink);
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      if (away) setImmediate(() => socket.destroy(lost()));
      return socket;
    },
    watch(clientOver, log) {
      const asker = createAsker(clientOver);
      let isStopped = false;
      let timer: NodeJS.Timeout | undefined;
      const ask = async (): Promise<void> => {
        const answered = await asker.ask(away ? endLeftOver : "select 1");
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
 * The first question after the database was away. Behind a link that swallowed everything the other side of our connections lives
 * on, for hours perhaps, with its transactions and locks: the rows we were about to write, the number of this process. All of
 * those connections are broken here, so whatever has our name there is left over.
 */
const endLeftOver = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = current_setting('application_name') and pid <> pg_backend_pid()`;

/** Asks over one connection, which is thrown away as soon as an answer stays out. */
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
    async ask(question: string): Promise<boolean> {
      const answered = await inTime(answers(question));
      if (!answered) drop();
      return answered;
    },
  };
}

/** False when it takes too long. An answer that came in while this process was busy counts: it is looked at first. */
function inTime(answered: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => setImmediate(() => resolve(false)), answerMs);
    void answered.then((isAnswered) => {
      clearTimeout(late);
      resolve(isAnswered);
    });
  });
}

const lost = (): Error => Object.assign(new Error("the database does not answer"), { code: "ECONNRESET" });
