import type { Services, Stop } from "#core";
import { actilityRoute } from "./actility.ts";
import { holdConnections } from "./connections.ts";
import { dispatchOrders, expired, type Route } from "../../orders/dispatch.ts";
import { orderBody, serverOf } from "./servers.ts";
import { thingsWebhookRoute } from "./thingsWebhook.ts";

/** The embedded broker, if it is in this process. */
export interface OwnBroker {
  /** Whether a client is connected that may receive topics below the prefix of this one. */
  readonly reaches: (topic: string) => boolean;
  /** False without a receiver; then nothing was sent. */
  readonly publish: (topic: string, body: string) => Promise<boolean>;
}

export interface NetworkOptions {
  readonly services: Services;
  readonly broker: OwnBroker;
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
  readonly pausesMs?: { readonly first: number; readonly most: number };
}

/** Connects to the network servers of companies and sends the downlinks that this process can deliver. */
export function startNetwork(options: NetworkOptions): Stop {
  const { services, broker, processId } = options;
  const connections = holdConnections(options);
  const routes = [ownRoute(broker), connections.route, actilityRoute(services), thingsWebhookRoute(services)];
  const stopOrders = dispatchOrders({ services, processId, routes });
  return async () => {
    await stopOrders();
    await connections.stop();
  };
}

export function ownRoute(broker: OwnBroker): Route {
  return {
    reaches: ({ serverId, topic }) => serverId === null && topic !== "" && broker.reaches(topic),
    async send(order, isInTime) {
      const server = serverOf(order.way);
      if (!server) return { state: "refused", message: `${order.way} takes no orders` };
      if (!isInTime()) return expired;
      const isOut = await broker.publish(order.topic, orderBody(server, order));
      return { state: isOut ? "sent" : "back", message: "" };
    },
  };
}
