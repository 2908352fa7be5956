import type { Server as HttpServer } from "node:http";
import type { Domain, Services, Stop } from "#core";
import { deliver, tellStored } from "./emit.ts";
import { createLiveServer } from "./server.ts";
import { acceptSockets } from "./sockets.ts";

/**
 * Real time: browsers hear of new readings the moment they are stored. A process with the role api holds the sockets;
 * one without it only tells the others what it has stored.
 */
export const live: Domain = {
  name: "live",
  api: (services, { server }) => start(services, server),
  worker: startWithoutApi,
  broker: startWithoutApi,
};

/** Processes without sockets that already tell: worker and broker may run in one. */
const telling = new WeakSet<Services>();

function startWithoutApi(services: Services): Stop {
  if (services.config.roles.includes("api") || telling.has(services)) return () => Promise.resolve();
  telling.add(services);
  return start(services);
}

function start(services: Services, http?: HttpServer): Stop {
  const live = createLiveServer(services, http);
  live.on("stored", (events) => deliver(live, events));
  const stops = [tellStored(services, live), ...(http ? [acceptSockets(services, live)] : [])];
  return async () => {
    for (const stop of stops) await stop();
    live.disconnectSockets(true);
    await live.of("/").adapter.close();
    // Closing the HTTP server is its owner's.
    if (http) live.engine.close();
  };
}
