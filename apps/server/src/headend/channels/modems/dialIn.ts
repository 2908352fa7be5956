import { createServer, type Socket } from "node:net";
import { networkOf } from "#core";
import type { ConnectionLimiter } from "../bounds.ts";
import { LineLost, type Channel } from "../channel.ts";
import { consider, recheck, shouldReconsider, type AdmissionOptions, type Port } from "./admission.ts";
import type { ModemProfile } from "./identity.ts";
import { readRemark } from "./modemMetadata.ts";
import { identify, type ModemSession } from "./modemSession.ts";
import { seenModems, unknownNames, type SeenModem } from "./seenModems.ts";

/** Time limit for a connection to identify itself. */
const identityMs = 30_000;
const sweepMs = 1000;

export interface DialInOptions extends AdmissionOptions {
  readonly host: string;
  readonly port: number;
  readonly profile: ModemProfile;
  readonly limiter: ConnectionLimiter;
}

export interface DialIn {
  readonly port: number;
  readonly counts: () => { readonly unnamed: number; readonly live: number; readonly waiting: number };
  /** Unknown identities with the number of their connections; the newest 1,000. */
  readonly unknown: () => ReadonlyMap<string, number>;
  /** All identified connections; of unknown ones those that `unknown` lists. */
  readonly seen: () => readonly SeenModem[];
  /**
   * The gateway of this identity was registered, changed or trashed: its connections are checked at once, and
   * a line without a gateway is closed.
   */
  readonly reconsider: (id: string) => void;
  /**
   * Opens a conversation on the newest connection of an unknown identity, exclusively; it is not admitted
   * meanwhile. Rejects with `LineLost` when there is none.
   */
  readonly useCaller: <Result>(id: string, run: (channel: Channel) => Promise<Result>) => Promise<Result>;
  /**
   * Closes the line if it has been silent for a keep-alive: another process has a new connection of the same
   * modem.
   */
  readonly yieldLine: (line: string) => void;
  readonly stop: () => Promise<void>;
}

type ModemPort = Port<DialInOptions>;

/** Listens on a port on which modems of one profile dial in. Errors: those of listening. */
export async function listenForModems(options: DialInOptions): Promise<DialIn> {
  const port: ModemPort = {
    options,
    sessions: new Set(),
    live: new Map(),
    keepAliveMs: options.profile.keepAliveSec * 1000,
  };
  const { sessions, live, keepAliveMs } = port;
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) =>
    receive(port, socket),
  );
  const sweeping = setInterval(() => sweep(port), sweepMs);
  const number = await listen(server, options).catch((error: unknown) => {
    clearInterval(sweeping);
    throw error;
  });
  const count = (...states: ModemSession["state"][]) =>
    [...sessions].filter(({ state }) => states.includes(state)).length;
  return {
    port: number,
    counts: () => ({
      unnamed: count("unnamed"),
      live: count("live"),
      waiting: count("waiting", "admitting"),
    }),
    unknown: () => unknownNames(sessions),
    seen: () => seenModems(sessions, options.clock),
    reconsider: (id) => {
      for (const session of sessions) {
        if (session.id !== id) continue;
        if (session.state === "unknown" || session.state === "waiting") consider(port, session);
        else if (session.state === "live") recheck(port, session);
      }
    },
    useCaller: (id, run) => useCaller(port, id, run),
    yieldLine: (line) => {
      const now = options.clock.monotonicMs();
      for (const session of live.values())
        if (session.line === line && now - session.heardMs >= keepAliveMs) session.socket.destroy();
    },
    stop: () =>
      new Promise((resolve) => {
        clearInterval(sweeping);
        server.close(() => resolve());
        for (const { socket } of sessions) socket.destroy();
      }),
  };
}

function receive(port: ModemPort, socket: Socket): void {
  const { clock, limiter, profile } = port.options;
  const address = socket.remoteAddress ?? "";
  if (!limiter.enter(networkOf(address))) {
    socket.destroy();
    return;
  }
  const now = clock.monotonicMs();
  const session: ModemSession = {
    socket,
    address,
    startedAt: clock.now(),
    startedMs: now,
    heardMs: now,
    consideredMs: now,
    state: "unnamed",
    known: undefined,
    gatewayId: null,
    facts: {},
    id: "",
    line: undefined,
    channel: undefined,
  };
  port.sessions.add(session);
  socket.on("data", (bytes: Buffer) => {
    session.heardMs = clock.monotonicMs();
    if (session.state === "unnamed") return;
    const remark = readRemark(bytes);
    if (remark) session.facts = { ...session.facts, ...remark };
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    limiter.leave(networkOf(address));
    port.sessions.delete(session);
    if (port.live.get(session.id) === session) port.live.delete(session.id);
  });
  identify(session, profile, () => consider(port, session));
}

async function useCaller<Result>(
  { sessions }: ModemPort,
  id: string,
  run: (channel: Channel) => Promise<Result>,
): Promise<Result> {
  const session = [...sessions].findLast((each) => each.id === id && each.state === "unknown");
  if (!session?.channel?.isOpen) throw new LineLost("the modem is not connected");
  session.state = "asked";
  try {
    return await run(session.channel);
  } finally {
    session.state = "unknown";
    session.consideredMs = -Infinity;
  }
}

function sweep(port: ModemPort): void {
  const now = port.options.clock.monotonicMs();
  for (const session of port.sessions) {
    const { state, socket } = session;
    const isLate = state === "unnamed" && now - session.startedMs >= identityMs;
    if (isLate || now - session.heardMs >= 2 * port.keepAliveMs) socket.destroy();
    else if (shouldReconsider(session, now)) consider(port, session);
  }
}

function listen(server: ReturnType<typeof createServer>, { host, port }: DialInOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 2048 }, () => {
      server.off("error", reject);
      server.on("error", () => undefined);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
