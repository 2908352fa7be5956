import { allows } from "@metrum/contract/core";
import type { BridgeEnd } from "@metrum/contract/headend";
import { accessChannel, lookUp } from "#access/auth";
import { audit, freezeChannel, startRounds, type Services, type Stop } from "#core";
import {
  isOpenedByUs,
  LineElsewhere,
  LineLent,
  LineLost,
  LinesClosing,
  type Lines,
  type LineTarget,
} from "#headend/channels";
import { repeatItems } from "#headend/tasks";
import { hurryRefused } from "#metering/device-state";
import { askedDevice, bytesToMask, lineOf, lineOfGateway, logExchanges, secretsOf } from "#headend/exchanges";
import { openConduit, type Conduit } from "./conduit.ts";
import { recordPassage, type Passage } from "./record.ts";
import {
  askedChannel,
  askedOf,
  changedChannel,
  closeAbandoned,
  devicesOnLine,
  gatewayById,
  hashOfSession,
  noteBytes,
  noteClosed,
  noteOpen,
  noteProgress,
  unwanted,
  type BridgeRow,
} from "./store.ts";

/**
 * Interval of the checks of open ports without a notification: the session may have ended, the device or gateway
 * may be switched off, actuation may be frozen.
 */
const everyMs = 1000;

export interface BridgeOptions {
  readonly services: Services;
  readonly lines: Lines;
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
}

interface Bridge {
  readonly row: BridgeRow;
  readonly passage: Passage;
  readonly openedMs: number;
  conduit: Conduit | undefined;
  /** Why it is being closed from outside. */
  end: BridgeEnd | undefined;
}

interface Holder extends BridgeOptions {
  readonly bridges: Map<number, Bridge>;
  /** Ids of the requests being served: a request is found again until its port is open. */
  readonly taken: Set<number>;
  /** The last request of each line: the next one waits until it has released the line. */
  readonly last: Map<string, Promise<void>>;
  isStopping: boolean;
}

/** Serves the transparent ports of the lines that this process holds. */
export function startBridges(options: BridgeOptions): Stop {
  const { services } = options;
  const { database, log, clock } = services;
  const holder: Holder = {
    ...options,
    bridges: new Map(),
    taken: new Set(),
    last: new Map(),
    isStopping: false,
  };
  const running = new Set<Promise<void>>();
  const rounds = startRounds({
    everyMs,
    on: {
      listener: database.listener,
      channels: [askedChannel, changedChannel, accessChannel, freezeChannel],
    },
    async round() {
      await closeAbandoned(database.system, clock.now());
      await closeUnwanted(holder);
      await noteCounts(holder);
      await takeAsked(holder, (work) => void running.add(work.finally(() => running.delete(work))));
    },
    onError: (error) => log.warn({ err: error }, "transparent ports were not checked, trying again"),
  });
  return async () => {
    await rounds.stop();
    holder.isStopping = true;
    for (const bridge of holder.bridges.values()) end(bridge, "stopped");
    await Promise.all(running);
  };
}

function end(bridge: Bridge, why: BridgeEnd): void {
  bridge.end ??= why;
  bridge.conduit?.close();
}

async function takeAsked(holder: Holder, track: (work: Promise<void>) => void): Promise<void> {
  const { services, taken, last, processId } = holder;
  for (const row of await askedOf(services.database.system, processId())) {
    if (taken.has(row.id)) continue;
    taken.add(row.id);
    const served = (last.get(row.line) ?? Promise.resolve())
      .then(() => serveBridge(holder, row))
      .catch((error: unknown) => {
        services.log.error({ err: error, port: row.id }, "a transparent port failed with an internal error");
      })
      .finally(() => {
        taken.delete(row.id);
        if (last.get(row.line) === served) last.delete(row.line);
      });
    last.set(row.line, served);
    track(served);
  }
}

/** The session that opened a port can watch its traffic live. */
async function noteCounts({ services, bridges }: Holder): Promise<void> {
  for (const { row, passage } of bridges.values())
    await noteProgress(services.database.system, { id: row.id, ...passage.counts() });
}

/** Closes ports whose use is no longer permitted: security rule 3.7. */
async function closeUnwanted({ services, bridges }: Holder): Promise<void> {
  if (bridges.size === 0) return;
  for (const { id, end: why } of await unwanted(services.database.system, [...bridges.keys()])) {
    const bridge = bridges.get(id);
    if (bridge) end(bridge, why);
  }
  for (const bridge of bridges.values())
    if (!(await mayStay(services, bridge.row))) end(bridge, "signed_out");
}

async function mayStay(services: Services, { sessionId }: BridgeRow): Promise<boolean> {
  const hash = await hashOfSession(services.database.system, sessionId);
  const found = hash && (await lookUp(services, hash, { touches: false }));
  return found !== undefined && allows("4:update", found.session.scope.access);
}

async function serveBridge(holder: Holder, row: BridgeRow): Promise<void> {
  const { services, bridges } = holder;
  const { clock } = services;
  const found = await subjectOf(services, row);
  const passage = recordPassage(clock, found?.secrets ?? []);
  const bridge: Bridge = { row, passage, openedMs: clock.nowMs(), conduit: undefined, end: undefined };
  bridges.set(row.id, bridge);
  if (holder.isStopping) end(bridge, "stopped");
  try {
    const why = found ? await run(holder, bridge, found.target) : "line_down";
    await conclude(services, bridge, bridge.end ?? why);
  } finally {
    bridges.delete(row.id);
  }
}

async function subjectOf({ database, secretBox }: Services, row: BridgeRow) {
  if (row.gatewayId !== null) {
    const gateway = await gatewayById(database.system, row.gatewayId);
    const target = gateway && lineOfGateway(gateway);
    return target && { target, secrets: [] };
  }
  const device = await askedDevice(database.system, row.deviceId ?? 0);
  const target = device && lineOf(device);
  return target && { target, secrets: bytesToMask(secretsOf(secretBox, device), device.modelId) };
}

async function run({ services, lines }: Holder, bridge: Bridge, target: LineTarget): Promise<BridgeEnd> {
  const { clock, config, database } = services;
  const { row, passage } = bridge;
  const isOurs = isOpenedByUs(target);
  if (!isOurs && !lines.held(target.key)?.isOpen) return "line_down";
  if (!config.bridgePorts) return "no_port";
  const conduit = await openConduit({
    host: config.deviceHost,
    ports: config.bridgePorts,
    address: row.address,
    clock,
    endsAtMs: clock.monotonicMs() + (row.endsAt - clock.now()) * 1000,
    sent: passage.sent,
    received: passage.received,
  });
  if (!conduit) return "no_port";
  bridge.conduit = conduit;
  // It was closed while the port was being opened.
  if (bridge.end) {
    conduit.close();
    return bridge.end;
  }
  const recordOpen = (): Promise<BridgeEnd | undefined> =>
    noteOpen(database.system, { id: row.id, port: conduit.port, at: clock.now() });
  try {
    // The modem is connected: the client may use the port while a running exchange ends.
    const notOpened = isOurs ? undefined : await recordOpen();
    if (notOpened) return notOpened;
    return await lines.lend(target, async (channel) => {
      const notOpenedNow = isOurs ? await recordOpen() : undefined;
      if (notOpenedNow) return notOpenedNow;
      const why = await conduit.join(channel);
      return why === "closed" ? "asked" : why;
    });
  } catch (error) {
    if (error instanceof LinesClosing) return "stopped";
    const isLine = error instanceof LineLost || error instanceof LineElsewhere || error instanceof LineLent;
    if (isLine) return "line_down";
    throw error;
  } finally {
    conduit.close();
  }
}

/** Writes log and audit, and notifies the callers waiting for the line. */
async function conclude(services: Services, bridge: Bridge, why: BridgeEnd): Promise<void> {
  const { database, clock } = services;
  const { row, passage, openedMs } = bridge;
  const { sent, received } = passage.counts();
  const isOpened = bridge.conduit !== undefined;
  await database.system.transaction().execute(async (db) => {
    const isOurs = await noteClosed(db, { id: row.id, end: why, at: clock.now() });
    const ofGateway = row.deviceId === null ? { steps: passage.steps() } : {};
    await noteBytes(db, { id: row.id, sent, received, ...ofGateway });
    if (row.deviceId !== null && isOpened)
      await logExchanges(db, [
        {
          deviceId: row.deviceId,
          startedMs: openedMs,
          receivedAt: null,
          kind: "bridge",
          result: why === "line_down" ? "no_line" : "ok",
          tries: 1,
          durationMs: clock.nowMs() - openedMs,
          line: row.line,
          readings: 0,
          message: `port ${String(bridge.conduit?.port)} closed: ${why}; ${String(sent)} bytes to the line, ${String(received)} from it`,
          taskId: null,
          steps: passage.steps(),
        },
      ]);
    if (isOurs && isOpened)
      await audit(db, {
        companyId: row.companyId,
        userId: row.userId,
        impersonatorId: row.impersonatorId ?? undefined,
        address: row.address,
        action: "bridge.close",
        subject: subjectName(row),
        after: { reason: why, bytes_sent: sent, bytes_received: received },
      });
    const waiting = await devicesOnLine(db, row);
    await hurryRefused(db, waiting, { result: "line_busy", sinceMs: openedMs, now: clock.now() });
    await repeatItems(db, waiting);
  });
}

/** The device or gateway of a port, as named in the log of the company. */
export const subjectName = ({ deviceId, gatewayId }: Pick<BridgeRow, "deviceId" | "gatewayId">): string =>
  deviceId === null ? `gateway ${String(gatewayId)}` : `device ${String(deviceId)}`;
