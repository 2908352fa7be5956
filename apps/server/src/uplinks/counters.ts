import type { Db } from "#core";
import type { NetworkPath } from "./delivery.ts";
import { holdSessions, putSessions, type NetworkSession } from "./sessionStore.ts";

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
  const { deviceId, way, network, fCnt, at } = frame;
  const devAddr = network.devAddr || (before?.devAddr ?? "");
  const after: NetworkSession = {
    deviceId,
    way: network.topic === "" && before?.topic ? before.way : way,
    application: network.topic === "" && before?.topic ? before.application : network.application,
    topic: network.topic || (before?.topic ?? ""),
    devAddr,
    lastFcnt: fCnt,
    lastHeardAt: at,
  };
  if (fCnt === null || !before) return { note: nothing, after };
  const isSame = before.devAddr === devAddr || before.devAddr === "";
  const last = before.lastFcnt;
  if (last === null || !isSame)
    return { note: { ...nothing, missing: fCnt, isRestart: last !== null }, after };
  if (fCnt > last) return { note: { ...nothing, missing: fCnt - last - 1 }, after };
  if (fCnt === last) return { note: nothing, after };
  if (fCnt > 0 && last - fCnt <= latestBehind)
    return { note: { ...nothing, isLate: true }, after: { ...after, lastFcnt: last } };
  return { note: { ...nothing, missing: fCnt, isRestart: true }, after };
}

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
