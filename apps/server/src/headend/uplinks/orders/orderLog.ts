import type { PollResult } from "@metrum/contract/headend";
import { toHex } from "@metrum/protocols/core";
import type { Db } from "#core";
import { logExchanges } from "#headend/exchanges";
import type { Order, OrderState } from "./orderStore.ts";
import { stepOf } from "../read/logRows.ts";

/** Outcome of an order as worded in the exchange log. */
const results: Readonly<Record<OrderState, PollResult>> = {
  waiting: "no_line",
  sending: "no_line",
  sent: "ok",
  no_line: "no_line",
  refused: "refused",
  unknown: "timeout",
};

/** Log row of an order; later events of the network have their own rows. */
export async function noteOrder(
  db: Db,
  order: Order,
  { state, message, nowMs }: { readonly state: OrderState; readonly message: string; readonly nowMs: number },
): Promise<void> {
  const result = results[state];
  const error = result === "ok" ? {} : { error: { kind: result, message } };
  await logExchanges(db, [
    {
      deviceId: order.deviceId,
      startedMs: nowMs,
      receivedAt: null,
      kind: "downlink",
      result,
      tries: 1,
      durationMs: 0,
      line: order.way,
      readings: 0,
      message: result === "ok" ? "" : message,
      taskId: null,
      steps: [
        {
          ...stepOf({ code: "downlink", port: order.fPort }),
          answered: null,
          sent: toHex(order.payload),
          ...error,
        },
      ],
    },
  ]);
}
