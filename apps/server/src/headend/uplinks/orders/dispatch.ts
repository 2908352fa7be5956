import { freezeChannel, startRounds, watchClock, type Clock, type Db, type Services, type Stop } from "#core";
import { noteOrder } from "./orderLog.ts";
import {
  endOrder,
  endFrozen,
  endOverdue,
  pullOrdersNear,
  putBack,
  takeOrder,
  waitingOrders,
  wantedChannel,
  type Order,
  type OrderState,
} from "./orderStore.ts";

/**
 * Outcome of an order taken by this process. `back`: it could not be sent from here, and nothing was sent.
 */
export interface Handed {
  readonly state: Exclude<OrderState, "waiting" | "sending"> | "back";
  readonly message: string;
}

/** A downlink transport of this process. */
export interface Route {
  readonly reaches: (order: Order) => boolean;
  /**
   * `isInTime` is asked right before the first byte, whatever was waited for until then; see `expired`. Rejects only
   * after something may have been sent; the order is then `unknown`.
   */
  readonly send: (order: Order, isInTime: () => boolean) => Promise<Handed>;
}

/** Outcome of an order that could not be sent in time. */
export const expired: Handed = { state: "no_line", message: "it expired before it could be sent" };

export interface DispatchOptions {
  readonly services: Services;
  readonly routes: readonly Route[];
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
}

/** Interval of checks without a notification: some orders were put back, others have expired. */
const everyMs = 1_000;

/**
 * Sends the orders whose transport this process holds, whichever process wrote them. An order is taken by one
 * process, in its own transaction before its first byte, and never twice; orders of one device are sent
 * one after the other.
 */
export function dispatchOrders({ services, routes, processId }: DispatchOptions): Stop {
  const { database, clock, log } = services;
  const busy = new Map<number, Promise<void>>();
  const lookAtClock = watchClock(services, "orders", (bySec) =>
    pullOrdersNear(database.system, clock.now(), bySec),
  );
  const dispatch = async (): Promise<void> => {
    await lookAtClock();
    await database.system.transaction().execute(async (db) => {
      for (const { state, message, ...order } of await endOverdue(db, clock.now()))
        await noteOrder(db, order, { state, message, nowMs: clock.nowMs() });
      await withdrawFrozen(db, clock);
    });
    for (const order of await waitingOrders(database.system, clock.now())) {
      const route = routes.find((each) => each.reaches(order));
      if (!route || busy.has(order.deviceId)) continue;
      const sending = sendOrder(services, { order, route, processId: processId() })
        .catch((error: unknown) => log.error({ err: error, order: order.id }, "an order was not sent"))
        .finally(() => busy.delete(order.deviceId))
        // The next one of the same device.
        .then((isMore) => (isMore === true ? rounds.again() : undefined));
      busy.set(order.deviceId, sending);
    }
  };
  const rounds = startRounds({
    everyMs,
    on: { listener: database.listener, channels: [wantedChannel, freezeChannel] },
    round: dispatch,
    onError: (error) => log.warn({ err: error }, "orders to devices were not dispatched, trying again"),
  });
  return async () => {
    await rounds.stop();
    await Promise.all(busy.values());
  };
}

/** Ends and logs the orders that a freeze of control stops and that nobody has taken. */
export async function withdrawFrozen(system: Db, clock: Clock): Promise<void> {
  for (const { state, message, ...order } of await endFrozen(system, clock.now()))
    await noteOrder(system, order, { state, message, nowMs: clock.nowMs() });
}

interface Sending {
  readonly order: Order;
  readonly route: Route;
  readonly processId: number;
}

/** Whether another order of the device may follow at once. */
async function sendOrder(services: Services, { order, route, processId }: Sending): Promise<boolean> {
  const { database, clock, log } = services;
  const { id } = order;
  if (!(await takeOrder(database.system, { id, processId, now: clock.now() }))) return false;
  const handed = await route
    .send(order, () => clock.now() < order.expiresAt)
    .catch((error: unknown): Handed => {
      log.warn({ err: error, order: id }, "the outcome of an order is unknown");
      return { state: "unknown", message: "the connection broke while it was sent" };
    });
  if (handed.state === "back") {
    await putBack(database.system, id);
    return false;
  }
  const { state, message } = handed;
  await database.system.transaction().execute(async (db) => {
    if (await endOrder(db, { id, state, message, now: clock.now() }))
      await noteOrder(db, order, { state, message, nowMs: clock.nowMs() });
  });
  return true;
}
