import type { Db } from "#core";
import type { NetworkPath } from "../uplink.ts";
import { holdSessions, putSessions, type NetworkSession } from "../sessionStore.ts";

/** A frame, or a join (`fCnt` null), as it concerns the counter of its device. */
export interface CountedFrame {
  readonly deviceId: number;
  readonly way: string;
  readonly network: NetworkPath;
  readonly fCnt: number | null;
  readonly at: number;
}

/** What the counter says of a frame. */
export interface CounterNote {
  /** Uplinks of this session that never came, before this one. */
  readonly missing: number;
  /** The device counts from zero again, and no join was heard. */
  readonly isRestart: boolean;
  /** It was sent before another that came first. */
  readonly isLate: boolean;
}

const nothing: CounterNote = { missing: 0, isRestart: false, isLate: false };
/** A frame that far behind the last one may have been held up on its way; further behind, the device counts again. */
const latestBehind = 16;

/** What a frame means after the session before it, and the session after it. */
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

/** `last`: the frame before; null: none since the device has joined. */
function noteOf(last: number | null, fCnt: number): CounterNote {
  if (last === null) return { ...nothing, missing: fCnt };
  if (fCnt > last) return { ...nothing, missing: fCnt - last - 1 };
  if (fCnt === last) return nothing;
  if (fCnt > 0 && last - fCnt <= latestBehind) return { ...nothing, isLate: true };
  return { ...nothing, missing: fCnt, isRestart: true };
}

/** A way on which the device takes orders is kept when it is heard on one without as well (a push beside MQTT). */
function movedOn(before: NetworkSession | undefined, frame: CountedFrame): NetworkSession {
  const { deviceId, way, network, fCnt, at } = frame;
  const devAddr = network.devAddr || (before?.devAddr ?? "");
  const { application, topic, serverId = null, webhook = null } = network;
  const heard = {
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
  if (takesOrders(heard) || !before || !takesOrders(before)) return heard;
  return { ...before, deviceId, devAddr, lastFcnt: fCnt, lastHeardAt: at };
}

type Way = Pick<NetworkSession, "topic" | "serverId" | "webhook">;

/** Whether orders can go where a device was heard. */
export const takesOrders = ({ topic, serverId, webhook }: Way): boolean =>
  topic !== "" || serverId !== null || webhook !== null;

/** Moves the sessions on by these frames, in their order. Answers what the counter says of each. */
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
