import { connectOut, destinationOf, startRounds, type Services, type Stop } from "#core";
import {
  claimLine,
  clientIdOf,
  companyPrefix,
  connectBrokerElsewhere,
  releaseLine,
  type BrokerElsewhere,
} from "#headend/channels";
import {
  activeServers,
  faultOf,
  networkServersChannel,
  noteState,
  schemesOf,
  secretOf,
  type Fault,
  type KnownServer,
} from "#headend/network-servers";
import { expired, type Route } from "../../orders/dispatch.ts";
import { takeMqttMessage } from "../mqttMessages.ts";
import { orderBody, serverOf } from "./servers.ts";

/** Interval at which the list of servers is read without a notification: another process may have died. */
const everyMs = 10_000;
const kinds = ["things", "chirpstack"] as const;

/** Topics of the devices of an application, without the prefix of a company. */
function filtersOf({ kind, username }: KnownServer): readonly string[] {
  if (kind !== "things") return ["application/+/device/+/event/+"];
  const ends = ["up", "join", "down/queued", "down/sent", "down/ack", "down/nack", "down/failed"];
  return ends.map((end) => `v3/${username}/devices/+/${end}`);
}

interface Held {
  readonly server: KnownServer;
  readonly broker: BrokerElsewhere;
}

export interface Connections {
  /** Sends downlinks through the connections held here. */
  readonly route: Route;
  readonly stop: Stop;
}

export interface ConnectionsOptions {
  readonly services: Services;
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
  readonly pausesMs?: { readonly first: number; readonly most: number };
}

/** Key under which one process holds a connection. */
const lineOf = (id: number): string => `network_server:${id}`;

/** Holds connections to the brokers of companies, each in one process, and receives their messages. */
export function holdConnections(options: ConnectionsOptions): Connections {
  const { services, processId } = options;
  const { database, log } = services;
  const held = new Map<number, Held>();
  const drop = async ({ server, broker }: Held): Promise<void> => {
    held.delete(server.id);
    await broker.stop();
    await releaseLine(database, lineOf(server.id), processId());
  };
  const reconcile = async (): Promise<void> => {
    const wanted = await activeServers(database.system, { kinds });
    const now = new Map(wanted.map((server) => [server.id, server]));
    for (const each of [...held.values()])
      if (now.get(each.server.id)?.revision !== each.server.revision) {
        await drop(each);
        // Otherwise its broker would gather messages for ever.
        if (!now.has(each.server.id)) void each.broker.forget();
      }
    for (const server of wanted) {
      const isOurs = await claimLine(database, lineOf(server.id), processId());
      const known = held.get(server.id);
      if (known && !isOurs) await drop(known);
      else if (!known && isOurs && !rounds.isStopped())
        held.set(server.id, { server, broker: open(options, server) });
    }
  };
  const rounds = startRounds({
    everyMs,
    on: { listener: database.listener, channels: [networkServersChannel] },
    round: reconcile,
    onError: (error) => log.warn({ err: error }, "network servers were not read, trying again"),
  });
  return {
    route: routeOf(held),
    async stop() {
      await rounds.stop();
      await Promise.all([...held.values()].map(drop));
    },
  };
}

function routeOf(held: ReadonlyMap<number, Held>): Route {
  const brokerFor = (id: number | null): BrokerElsewhere | undefined =>
    id === null ? undefined : held.get(id)?.broker;
  return {
    reaches: ({ serverId }) => brokerFor(serverId)?.isConnected() ?? false,
    async send(order, isInTime) {
      const server = serverOf(order.way);
      if (!server) return { state: "refused", message: `${order.way} takes no orders` };
      if (!isInTime()) return expired;
      const state = await brokerFor(order.serverId)?.publish(order.topic, orderBody(server, order));
      if (state === undefined || state === "no_line") return { state: "back", message: "" };
      return { state, message: state === "sent" ? "" : "the connection broke while it was sent" };
    },
  };
}

/** A connection whose state is shown in the list of servers. Invalid settings are a state too. */
function open({ services, pausesMs }: ConnectionsOptions, server: KnownServer): BrokerElsewhere {
  const { config, database, log } = services;
  const { id, companyId, kind, username } = server;
  const tell = (fault: Fault | null): void => tellState(services, server, fault);
  try {
    const password = secretOf(services, server);
    const destination = destinationOf(config, server.url, schemesOf(kind));
    return connectBrokerElsewhere({
      open: () => connectOut(config, destination),
      username,
      password,
      filters: filtersOf(server),
      ...(kind === "things" ? { qos: 0 } : { qos: 1, clientId: clientIdOf(services, lineOf(id)) }),
      onMessage: (topic, payload) =>
        takeMqttMessage(services, {
          companyId,
          topic: `${companyPrefix(companyId)}${topic}`,
          payload,
          serverId: id,
        }),
      pause: database.pause,
      onConnected: () => tell(null),
      onLost: (error) => tell(faultOf(error)),
      log,
      ...(pausesMs ? { pausesMs } : {}),
    });
  } catch (error) {
    log.warn({ err: error, server: id }, "a network server cannot be connected to");
    tell(faultOf(error instanceof Error ? error : new Error(String(error))));
    return closed;
  }
}

/** State of a server that cannot be tried; retried when it changes. */
const closed: BrokerElsewhere = {
  isConnected: () => false,
  publish: () => Promise.resolve("no_line"),
  stop: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

function tellState(
  { database, clock, log }: Services,
  { id, revision }: KnownServer,
  fault: Fault | null,
): void {
  noteState(database.system, { id, revision, fault, at: clock.now() }).catch((error: unknown) => {
    log.warn({ err: error, server: id }, "the state of a network server was not stored");
  });
}
