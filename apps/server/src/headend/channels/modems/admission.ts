import type { Clock, Log } from "#core";
import type { Channel } from "../channel.ts";
import type { ModemSession } from "./modemSession.ts";

/** Interval of further identity checks of a waiting or unknown connection. */
const reconsiderMs = 5_000;

/**
 * Status of a modem. `held`: another process holds its line; it must be silent for a keep-alive before it
 * changes hands.
 */
export type Admission =
  | { readonly state: "welcome"; readonly line: string; readonly gatewayId?: number }
  | { readonly state: "unknown" }
  | { readonly state: "held"; readonly gatewayId?: number };

/** How modems are admitted, and what a decision calls. */
export interface AdmissionOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly admit: (id: string) => Promise<Admission>;
  /** This process holds the line of the modem from now on, until the channel closes. */
  readonly onLine: (line: string, channel: Channel) => void;
  /** The line was claimed for a connection that has ended meanwhile. */
  readonly onUnused: (line: string) => void;
}

/** State of a port on which modems dial in. */
export interface Port<Options extends AdmissionOptions = AdmissionOptions> {
  readonly options: Options;
  readonly sessions: Set<ModemSession>;
  /** By identity. */
  readonly live: Map<string, ModemSession>;
  readonly keepAliveMs: number;
}

/** Checks whether an identified connection gets the line of its modem, and hands it over. */
export function consider(port: Port, session: ModemSession): void {
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

/** Closes a connection that has its line if its gateway is no longer in use: switched off or trashed. */
export function recheck({ options: { admit, log } }: Port, session: ModemSession): void {
  admit(session.id).then(
    ({ state }) => {
      if (state === "unknown") session.socket.destroy();
    },
    (error: unknown) => log.warn({ err: error }, "a connected modem could not be checked"),
  );
}

interface Decision {
  readonly admission: Admission;
  readonly before: ModemSession["state"];
}

function settle(port: Port, session: ModemSession, { admission, before }: Decision): void {
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

/** Whether a connection without a line is due for another check. */
export const shouldReconsider = ({ state, consideredMs }: ModemSession, nowMs: number): boolean =>
  (state === "waiting" || state === "unknown") &&
  nowMs - consideredMs >= (state === "unknown" ? 6 * reconsiderMs : reconsiderMs);
