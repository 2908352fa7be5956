import { useEffect, useRef, useSyncExternalStore } from "react";
import { connect } from "./connection.ts";
import {
  deviceDataOf,
  deviceEventOf,
  deviceTaskOf,
  isJoined,
  type DeviceData,
  type DeviceEvent,
  type DeviceTaskChange,
} from "./events.ts";

/** Delay after the page is usable. */
export const connectAfterMs = 2000;

export type Connection = "waiting" | "online" | "lost";

/**
 * Subscribable events. At "joined" everything may have changed, because earlier messages are lost; also the
 * first time, as the screen was loaded before.
 */
export interface SocketEvents {
  readonly device_data: DeviceData;
  readonly device_task: DeviceTaskChange;
  readonly device_event: DeviceEvent;
  readonly joined: null;
}

type Listeners = { readonly [Name in keyof SocketEvents]: Set<(payload: SocketEvents[Name]) => void> };

const listeners: Listeners = {
  device_data: new Set(),
  device_task: new Set(),
  device_event: new Set(),
  joined: new Set(),
};
const connectionListeners = new Set<() => void>();
let connection: Connection = "waiting";

function setConnection(now: Connection): void {
  if (connection === now) return;
  connection = now;
  for (const each of connectionListeners) each();
}

export interface LiveOptions {
  /** Empty: the origin of the page. */
  readonly url: string;
  readonly token: string;
  readonly companyId: number;
}

/** Opens the connection after a delay and keeps it; returns the function that closes it. */
export function startLive({ url, token, companyId }: LiveOptions): () => void {
  let close: () => void = () => undefined;
  const timer = setTimeout(() => {
    close = connect({
      url,
      token,
      join: { company_id: companyId },
      onOpen: () => setConnection("online"),
      onLost: () => setConnection("lost"),
      onJoinAnswer: (answer) => {
        if (isJoined(answer)) tell("joined", null);
      },
      onEvent: tellEvent,
    });
  }, connectAfterMs);
  return () => {
    clearTimeout(timer);
    close();
    setConnection("waiting");
  };
}

function tellEvent(name: unknown, payload: unknown): void {
  if (name === "device_data") {
    const data = deviceDataOf(payload);
    if (data) tell("device_data", data);
  }
  if (name === "device_task") {
    const change = deviceTaskOf(payload);
    if (change) tell("device_task", change);
  }
  if (name === "device_event") {
    const event = deviceEventOf(payload);
    if (event) tell("device_event", event);
  }
}

function tell<Name extends keyof SocketEvents>(name: Name, payload: SocketEvents[Name]): void {
  for (const each of listeners[name]) each(payload);
}

export function onSocketEvent<Name extends keyof SocketEvents>(
  name: Name,
  listener: (payload: SocketEvents[Name]) => void,
): () => void {
  listeners[name].add(listener);
  return () => {
    listeners[name].delete(listener);
  };
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },
    () => connection,
  );
}

/** Subscribes while the component is mounted; always uses the newest callback. */
export function useSocketEvent<Name extends keyof SocketEvents>(
  name: Name,
  listener: (payload: SocketEvents[Name]) => void,
): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => onSocketEvent(name, (payload) => latest.current(payload)), [name]);
}

/**
 * New readings of one device, or of any with null. `onGap` is called when the subscription starts, also after
 * a lost connection: everything may have changed before.
 */
export function useLive(
  deviceId: number | null,
  onData: (data: DeviceData) => void,
  onGap?: () => void,
): void {
  useSocketEvent("device_data", (data) => {
    if (deviceId === null || data.device_id === deviceId) onData(data);
  });
  useSocketEvent("joined", () => onGap?.());
}
