import { createServer, type Socket } from "node:net";
import { networkOf, type Clock, type Log } from "#core";
import type { ConnectionLimiter } from "../bounds.ts";
import { LineLost, type Channel } from "../channel.ts";
import { readModemFacts, readRemark, type ModemFacts } from "./modemFacts.ts";
import { maxIdentityBytes, noiseFilter, type ModemProfile } from "./identity.ts";
import { socketChannel } from "../tcp/socketChannel.ts";

/** Time limit for a connection to identify itself. */
const identityMs = 30_000;
const sweepMs = 1000;
/** Interval of further identity checks of a waiting or unknown connection. */
const reconsiderMs = 5_000;
const maxUnknownListed = 1000;

/**
 * Status of a modem. `held`: another process holds its line; it must be silent for a keep-alive before it
 * changes hands.
 */
export type Admission =
  | { readonly state: "welcome"; readonly line: string; readonly gatewayId?: number }
  | { readonly state: "unknown" }
  | { readonly state: "held"; readonly gatewayId?: number };

/** An identified connection as reported to other processes. Times are epoch seconds. */
export interface SeenModem extends ModemFacts {
  readonly identity: string;
  readonly state: "live" | "waiting" | "unknown";
  readonly gatewayId: number | null;
  readonly address: string;
  readonly connectedAt: number;
  readonly lastAt: number;
}

export interface DialInOptions {
  readonly host: string;
  readonly port: number;
  readonly profile: ModemProfile;
  readonly clock: Clock;
  readonly log: Log;
  readonly limiter: ConnectionLimiter;
  readonly admit: (id: string) => Promise<Admission>;
  /** This process holds the line of the modem from now on, until the channel closes. */
  readonly onLine: (line: string, channel: Channel) => void;
  /** The line was claimed for a connection that has ended meanwhile. */
  readonly onUnused: (line: string) => void;
}

export interface DialIn {
  readonly port: number;
  readonly counts: () => { readonly unnamed: number; readonly live: number; readonly waiting: number };
  /** Unknown identities with the number of their connections; the newest 1,000. */
  readonly unknown: () => ReadonlyMap<string, number>;
  /** All identified connections; of unknown ones those that `unknown` lists. */
  readonly seen: () => readonly SeenModem[];
  /** The identity may have been registered: its waiting connections are checked at once. */
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

interface Session {
  readonly socket: Socket;
  readonly address: string;
  readonly startedAt: number;
  readonly startedMs: number;
  heardMs: number;
  consideredMs: number;
  /** asked: unknown, and being probed for the device behind it. */
  state: "unnamed" | "admitting" | "live" | "waiting" | "unknown" | "asked";
  /** Its state before the check. */
  known: SeenModem["state"] | undefined;
  gatewayId: number | null;
  facts: ModemFacts;
  id: string;
  line: string | undefined;
  channel: Channel | undefined;
}

interface Port {
  readonly options: DialInOptions;
  readonly sessions: Set<Session>;
  readonly live: Map<string, Session>;
  readonly keepAliveMs: number;
}

/** Listens on a port on which modems of one profile dial in. Errors: those of listening. */
export async function listenForModems(options: DialInOptions): Promise<DialIn> {
  const port: Port = {
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
  const count = (...states: Session["state"][]) =>
    [...sessions].filter(({ state }) => states.includes(state)).length;
  return {
    port: number,
    counts: () => ({
      unnamed: count("unnamed"),
      live: count("live"),
      waiting: count("waiting", "admitting"),
    }),
    unknown: () => unknownNames(port),
    seen: () => seenModems(port),
    reconsider: (id) => {
      for (const session of sessions)
        if (session.id === id && (session.state === "unknown" || session.state === "waiting"))
          consider(port, session);
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

function receive(port: Port, socket: Socket): void {
  const { clock, limiter, profile } = port.options;
  const address = socket.remoteAddress ?? "";
  if (!limiter.enter(networkOf(address))) {
    socket.destroy();
    return;
  }
  const now = clock.monotonicMs();
  const session: Session = {
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

function consider(port: Port, session: Session): void {
  const { admit, clock, log } = port.options;
  const before = session.state;
  session.state = "admitting";
  session.consideredMs = clock.monotonicMs();
  admit(session.id).then(
    (admission) => settle(port, session, { admission, before }),
    (error: unknown) => {
      log.warn({ err: error }, "modem could not be admitted, trying again");
      session.state = "waiting";
    },
  );
}

interface Decision {
  readonly admission: Admission;
  readonly before: Session["state"];
}

function settle(port: Port, session: Session, { admission, before }: Decision): void {
  const { live, options, keepAliveMs } = port;
  if (session.socket.destroyed) {
    if (admission.state === "welcome") options.onUnused(admission.line);
    return;
  }
  if (admission.state === "unknown") {
    session.gatewayId = null;
    session.state = session.known = "unknown";
    return;
  }
  session.gatewayId = admission.gatewayId ?? null;
  const holder = live.get(session.id);
  const mustWait = holder !== undefined && options.clock.monotonicMs() - holder.heardMs < keepAliveMs;
  if (admission.state !== "welcome" || mustWait) {
    if (before !== "waiting")
      options.log.warn({ modem: session.id }, "a second connection with the same name waits");
    session.state = session.known = "waiting";
    return;
  }
  holder?.socket.destroy();
  session.state = session.known = "live";
  session.line = admission.line;
  live.set(session.id, session);
  if (session.channel) options.onLine(admission.line, session.channel);
}

/** Unknown identities, newest connection first, up to the limit. */
function unknownNames({ sessions }: Port): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const { id, known } of [...sessions].reverse()) {
    if (known !== "unknown") continue;
    const count = names.get(id);
    if (count !== undefined || names.size < maxUnknownListed) names.set(id, (count ?? 0) + 1);
  }
  return names;
}

function seenModems(port: Port): SeenModem[] {
  const { clock } = port.options;
  const listed = unknownNames(port);
  const [now, nowMs] = [clock.now(), clock.monotonicMs()];
  return [...port.sessions].flatMap((session): SeenModem[] => {
    const { id, known, gatewayId, address, startedAt, heardMs, facts } = session;
    if (known === undefined || (known === "unknown" && !listed.has(id))) return [];
    const lastAt = now - Math.round((nowMs - heardMs) / 1000);
    return [{ ...facts, identity: id, state: known, gatewayId, address, connectedAt: startedAt, lastAt }];
  });
}

async function useCaller<Result>(
  { sessions }: Port,
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

function sweep(port: Port): void {
  const now = port.options.clock.monotonicMs();
  for (const session of port.sessions) {
    const { state, socket } = session;
    const isLate = state === "unnamed" && now - session.startedMs >= identityMs;
    if (isLate || now - session.heardMs >= 2 * port.keepAliveMs) socket.destroy();
    else if (shouldReconsider(session, now)) consider(port, session);
  }
}

const shouldReconsider = ({ state, consideredMs }: Session, nowMs: number): boolean =>
  (state === "waiting" || state === "unknown") &&
  nowMs - consideredMs >= (state === "unknown" ? 6 * reconsiderMs : reconsiderMs);

/**
 * Collects the first bytes until the profile finds an identity; then the socket becomes a channel that drops
 * unsolicited bytes.
 */
function identify(session: Session, profile: ModemProfile, onNamed: () => void): void {
  const { socket } = session;
  let received: Uint8Array = new Uint8Array(0);
  const onData = (bytes: Uint8Array): void => {
    received = Uint8Array.from([...received, ...bytes.subarray(0, maxIdentityBytes)]);
    const identity = profile.identify(received);
    if (identity.state === "more" && received.length < maxIdentityBytes) return;
    socket.off("data", onData);
    if (identity.state !== "known") {
      socket.destroy();
      return;
    }
    session.id = identity.id;
    session.facts = readModemFacts(received);
    session.channel = socketChannel(socket, {
      roundTripMs: profile.roundTripMs,
      gapMs: profile.gapMs,
      filter: noiseFilter(profile.noise(identity.id)),
    });
    const greeting = profile.greeting?.(identity.id);
    if (greeting) socket.write(greeting);
    onNamed();
  };
  socket.on("data", onData);
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
