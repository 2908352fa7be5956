import { problem } from "@metrum/contract/core";
import { bridgeBounds, modelClasses, type BridgeEnd } from "@metrum/contract/headend";
import { audit, readUntil, record, resolveOne, type Ctx } from "#core";
import { askedDevice, lineOf, lineOfGateway } from "#headend/exchanges";
import { refuseWhenExpired } from "#access/licence";
import type { LineTarget } from "#headend/channels";
import { plainAddress } from "./conduit.ts";
import { subjectName } from "./holder.ts";
import {
  addBridge,
  bridgeById,
  bridgeOf,
  freezeReason,
  gatewayById,
  noteClosed,
  serverOf,
  changedChannel,
  type BridgeRow,
  type Subject,
} from "./store.ts";

/**
 * How long a call waits for the process that holds the line, which may have to open it and finish a running
 * exchange.
 */
const waitMs = 20_000;
/** Interval of reads of the row without a notification. */
const pauseMs = 500;

interface Wish {
  readonly device_id: number;
  readonly model_class_id?: number | undefined;
}

/**
 * Opens the transparent port of a device or gateway for the address of the session. Returns its id; a
 * repeated request of the same session gets the same one. Problems: not_found, device_put_away, bridge_off,
 * bridge_busy, bridge_full, line_down, licence_expired, control_frozen.
 */
export async function openBridge(ctx: Ctx, wish: Wish): Promise<number> {
  const subject = await subjectOf(ctx, wish);
  await refuseWhenExpired(ctx);
  await refuseFrozen(ctx);
  const target = await targetOf(ctx, subject);
  if (!ctx.config.bridgePorts) throw problem("bridge_off");
  const known = await bridgeOf(ctx.db, subject);
  if (known?.sessionId === ctx.session.id && known.port !== null) return known.port;
  const { clock, scope, session, database } = ctx;
  const processId = await serverOf(database.system, target.key, target.tcp !== undefined);
  if (processId === undefined) throw problem("line_down");
  const now = clock.now();
  // A separate transaction: the request must be committed before another process can serve it.
  const id = await database.scoped(scope, async (db) => {
    const added = await addBridge(db, {
      ...subject,
      companyId: scope.companyId,
      userId: scope.userId,
      impersonatorId: session.impersonatorId ?? null,
      sessionId: session.id,
      address: plainAddress(ctx.address),
      line: target.key,
      processId,
      askedAt: now,
      endsAt: now + bridgeBounds.longest,
    });
    if (added === undefined) throw problem("bridge_busy");
    const after = { line: target.key };
    await record(
      { db, scope, session, address: ctx.address },
      { action: "bridge.open", subject: subjectName(subject), after },
    );
    return added;
  });
  const settled = await settledBridge(ctx, id);
  if (settled?.state === "open" && settled.port !== null) return settled.port;
  await noteClosed(database.system, { id, end: "line_down", at: clock.now() });
  if (settled?.endedBy === "frozen") await refuseFrozen(ctx);
  throw problem(settled?.endedBy === "no_port" ? "bridge_full" : "line_down");
}

/** A transparent port lets anything be sent to a meter. Problem: control_frozen with the reason. */
async function refuseFrozen({ database, scope }: Ctx): Promise<void> {
  const reason = await freezeReason(database.system, scope.companyId);
  if (reason !== undefined) throw problem("control_frozen", { params: { reason } });
}

/**
 * Closes the port of a device or gateway, whichever user of the company opened it. Does nothing when none is
 * open.
 */
export async function closeBridge(ctx: Ctx, wish: Wish): Promise<void> {
  const subject = await subjectOf(ctx, wish);
  const known = await bridgeOf(ctx.db, subject);
  if (!known || !(await noteClosed(ctx.db, { id: known.id, end: "asked", at: ctx.clock.now() }))) return;
  await record(ctx, { action: "bridge.close", subject: subjectName(subject), after: { reason: "asked" } });
}

/** Closes a port of any company of the branch, recorded in the logs of both. Problem: not_found. */
export async function closeAnyBridge(ctx: Ctx, id: number): Promise<void> {
  const { database, scope, clock } = ctx;
  const known = await bridgeById(database.system, id);
  if (!known) throw problem("not_found");
  const end: BridgeEnd = "asked";
  if (!(await noteClosed(database.system, { id, end, at: clock.now() }))) return;
  const entry = {
    action: "bridge.close" as const,
    subject: `${subjectName(known)}, company ${String(known.companyId)}`,
    after: { reason: end },
  };
  await record(ctx, entry);
  const { session, address } = ctx;
  if (known.companyId !== scope.companyId)
    await audit(database.system, {
      ...entry,
      companyId: known.companyId,
      userId: scope.userId,
      impersonatorId: session.impersonatorId,
      address,
      via: session.apiToken,
    });
}

async function subjectOf(ctx: Ctx, { device_id, model_class_id }: Wish): Promise<Subject> {
  if (model_class_id === modelClasses.gateway)
    return { deviceId: null, gatewayId: await resolveOne(ctx, "gateway", device_id) };
  return { deviceId: await resolveOne(ctx, "device", device_id), gatewayId: null };
}

/** The line of the requested port. Problems: device_put_away, line_down. */
async function targetOf(ctx: Ctx, { deviceId, gatewayId }: Subject): Promise<LineTarget> {
  let target: LineTarget | undefined;
  if (gatewayId !== null) {
    const gateway = await gatewayById(ctx.database.system, gatewayId);
    if (!gateway?.isActive) throw problem("device_put_away");
    target = lineOfGateway(gateway);
  } else {
    const device = await askedDevice(ctx.database.system, deviceId ?? 0);
    if (!device?.isOn) throw problem("device_put_away");
    target = lineOf(device);
  }
  if (!target) throw problem("line_down");
  return target;
}

/** The row once it is open or closed; its present state after the time limit. */
function settledBridge(ctx: Ctx, id: number): Promise<BridgeRow | undefined> {
  return readUntil(ctx, {
    read: () => bridgeById(ctx.database.system, id),
    isFinal: (row) => row?.state !== "asked",
    channel: changedChannel,
    payload: String(id),
    waitMs,
    pauseMs,
  });
}
