import type { Db } from "#core";
import type { NetworkPath } from "../uplink.ts";
import { holdSessions, putSessions, type NetworkSession } from "../sessionStore.ts";

/** A frame, or a join (`fCnt` null), in view of the frame counter of its device. */
export interface CountedFrame {
  readonly deviceId: number;
  readonly way: string;
  readonly network: NetworkPath;
  readonly fCnt: number | null;
  readonly at: number;
}

/** Result of checking the counter of a frame. */
export interface CounterNote {
  /** Uplinks of this session lost before this one. */
  readonly missing: number;
  /** The device has restarted its counter without a join being received. */
  readonly isRestart: boolean;
  /** It was sent before a frame that arrived earlier. */
  readonly isLate: boolean;
}

const nothing: CounterNote = { missing: 0, isRestart: false, isLate: false };
/**
 * A frame this far behind the last one may have been delayed; further behind, the device has restarted its
 * counter.
 */
const latestBehind = 16;

/** Checks a frame against the session before it; returns the session after it. */
export function follow(
  before: NetworkSession | undefined,
  frame: CountedFrame,
): { readonly note: CounterNote; readonly after: NetworkSession } {
  const after = movedOn(before, frame);
  if (frame.fCnt === null || !before) return { note: nothing, after };
  const isSame = before.devAddr === after.devAddr || before.devAddr === "";
  const note = noteOf(isSame ? before.lastFcnt : null, frame.fCnt);
  if (note.isLate) return { note, after: { ...after, lastFcnt: before.lastFcnt } };
  const isRestart = note.isRestart || (!isSame && before.lastFcnt !== null);
  return { note: { ...note, isRestart }, after };
}

/** `last`: the previous frame; null: none since the join. */
function noteOf(last: number | null, fCnt: number): CounterNote {
  if (last === null) return { ...nothing, missing: fCnt };
  if (fCnt > last) return { ...nothing, missing: fCnt - last - 1 };
  if (fCnt === last) return nothing;
  if (fCnt > 0 && last - fCnt <= latestBehind) return { ...nothing, isLate: true };
  return { ...nothing, missing: fCnt, isRestart: true };
}

/**
 * A transport with downlinks is kept when the device is also received over one without (HTTP push in addition
 * to MQTT).
 */
function movedOn(before: NetworkSession | undefined, frame: CountedFrame): NetworkSession {
  const { deviceId, way, network, fCnt, at } = frame;
  const devAddr = network.devAddr || (before?.devAddr ?? "");
  const { application, topic, serverId = null, webhook = null } = network;
  const latest = {
    deviceId,
    devAddr,
    lastFcnt: fCnt,
    lastHeardAt: at,
    way,
    application,
    topic,
    serverId,
    webhook,
  };
  if (takesOrders(latest) || !before || !takesOrders(before)) return latest;
  return { ...before, deviceId, devAddr, lastFcnt: fCnt, lastHeardAt: at };
}

type Way = Pick<NetworkSession, "topic" | "serverId" | "webhook">;

/** Whether downlinks can be sent over this transport. */
export const takesOrders = ({ topic, serverId, webhook }: Way): boolean =>
  topic !== "" || serverId !== null || webhook !== null;

/** Advances the sessions by these frames, in order. Returns the counter check of each. */
export async function countFrames(db: Db, frames: readonly CountedFrame[]): Promise<readonly CounterNote[]> {
  if (frames.length === 0) return [];
  const held = await holdSessions(db, [...new Set(frames.map(({ deviceId }) => deviceId))]);
  const now = new Map(held);
  const notes = frames.map((frame) => {
    const { note, after } = follow(now.get(frame.deviceId), frame);
    now.set(frame.deviceId, after);
    return note;
  });
  await putSessions(db, [...now.values()]);
  return notes;
}
