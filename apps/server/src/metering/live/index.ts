import type { Server as HttpServer } from "node:http";
import { startedOnce, type Domain, type Services, type Stop } from "#core";
import { deliver, tellStored } from "./emit.ts";
import { noticeQuarantined, tellQuarantined } from "./quarantine.ts";
import { createLiveServer, type LiveServer } from "./server.ts";
import { deliverTasks, tellTasks } from "./tasks.ts";
import { acceptSockets } from "./sockets.ts";

/**
 * Real time: browsers are notified when readings are stored or quarantined, and of the progress of tasks. A process
 * with the role api holds the sockets; one without it only announces what it has stored.
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
  ...startedOnce(["worker", "broker"], startWithoutApi),
};

function startWithoutApi(services: Services): Stop {
  return services.config.roles.includes("api") ? () => Promise.resolve() : start(services).stop;
}

function start(services: Services, http?: HttpServer): { readonly live: LiveServer; readonly stop: Stop } {
  const live = createLiveServer(services, http);
  live.on("stored", (events) => deliver(live, events));
  live.on("tasks", (changes) => deliverTasks(live, changes));
  live.on("quarantined", (notice) => noticeQuarantined(live, notice));
  const stops = [
    tellStored(services, live),
    tellTasks(services, live),
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
