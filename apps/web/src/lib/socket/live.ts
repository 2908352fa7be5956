import { useEffect, useRef, useSyncExternalStore } from "react";
import type { io as Io, Socket } from "socket.io-client";
import { deviceDataOf, deviceEventOf, isJoined, type DeviceData, type DeviceEvent } from "./events.ts";

/** Delay after the page is usable; only then the socket library is fetched. */
export const connectAfterMs = 2000;
const pausesMs = { first: 1000, longest: 30_000 } as const;

export type Connection = "waiting" | "online" | "lost";

/**
 * Subscribable events. At "joined" everything may have changed, because earlier messages are lost; also the
 * first time, as the screen was loaded before.
 */
export interface SocketEvents {
  readonly device_data: DeviceData;
  readonly device_event: DeviceEvent;
  readonly joined: null;
}

type Listeners = { readonly [Name in keyof SocketEvents]: Set<(payload: SocketEvents[Name]) => void> };

const listeners: Listeners = { device_data: new Set(), device_event: new Set(), joined: new Set() };
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
export function startLive(options: LiveOptions): () => void {
  let socket: Socket | undefined;
  let isEnded = false;
  const open = () => {
    import("socket.io-client").then(
      ({ io }) => {
        if (!isEnded) socket = connect(io, options);
      },
      () => {
        // Without a network the library cannot be fetched either; the next attempt follows when it is back.
        if (!isEnded) addEventListener("online", open, { once: true });
      },
    );
  };
  const timer = setTimeout(() => {
    open();
  }, connectAfterMs);
  return () => {
    isEnded = true;
    clearTimeout(timer);
    socket?.disconnect();
    setConnection("waiting");
  };
}

function connect(io: typeof Io, { url, token, companyId }: LiveOptions): Socket {
  const settings = {
    auth: { token },
    transports: ["websocket", "polling"],
    reconnectionDelay: pausesMs.first,
    reconnectionDelayMax: pausesMs.longest,
  };
  const socket = url === "" ? io(settings) : io(url, settings);
  let pauseMs: number = pausesMs.first;
  const again = () => {
    setTimeout(() => socket.connect(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, pausesMs.longest);
  };
  socket.on("connect", () => {
    socket.emit("join", { company_id: companyId }, (answer: unknown) => {
      if (isJoined(answer)) tell("joined", null);
    });
    setConnection("online");
    pauseMs = pausesMs.first;
  });
  // The library reconnects by itself, except after being disconnected or refused by the server.
  socket.on("disconnect", (reason) => {
    setConnection("lost");
    if (reason === "io server disconnect") again();
  });
  socket.on("connect_error", (error) => {
    setConnection("lost");
    if (!socket.active && error.message !== "not_signed_in") again();
  });
  socket.on("device_data", (payload: unknown) => {
    const data = deviceDataOf(payload);
    if (data) tell("device_data", data);
  });
  socket.on("device_event", (payload: unknown) => {
    const event = deviceEventOf(payload);
    if (event) tell("device_event", event);
  });
  return socket;
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
