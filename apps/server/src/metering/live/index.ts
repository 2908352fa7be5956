import type { Server as HttpServer } from "node:http";
import type { Domain, Services, Stop } from "#core";
import { deliver, tellStored } from "./emit.ts";
import { noticeQuarantined, tellQuarantined } from "./quarantine.ts";
import { createLiveServer, type LiveServer } from "./server.ts";
import { acceptSockets } from "./sockets.ts";

/**
 * Real time: browsers hear of new readings the moment they are stored, and of readings that went into quarantine. A process with the role api holds the sockets;
 * one without it only tells the others what it has stored.
 */
export const live: Domain = {
  name: "live",
  api: (services, fastify) => {
    const { live, stop } = start(services, fastify.server);
    // An open socket keeps the HTTP server from closing.
    fastify.addHook("preClose", (done) => {
      live.disconnectSockets(true);
      live.engine.close();
      done();
    });
    return stop;
  },
  worker: startWithoutApi,
  broker: startWithoutApi,
};

/** Processes without sockets that already tell: worker and broker may run in one. */
const telling = new WeakSet<Services>();

function startWithoutApi(services: Services): Stop {
  if (services.config.roles.includes("api") || telling.has(services)) return () => Promise.resolve();
  telling.add(services);
  return start(services).stop;
}

function start(services: Services, http?: HttpServer): { readonly live: LiveServer; readonly stop: Stop } {
  const live = createLiveServer(services, http);
  live.on("stored", (events) => deliver(live, events));
  live.on("quarantined", (notice) => noticeQuarantined(live, notice));
  const stops = [
    tellStored(services, live),
    tellQuarantined(services, live),
    ...(http ? [acceptSockets(services, live)] : []),
  ];
  const stop = async (): Promise<void> => {
    for (const each of stops) await each();
    live.disconnectSockets(true);
    await live.of("/").adapter.close();
  };
  return { live, stop };
}
