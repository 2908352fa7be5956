import { ProtocolError } from "@metrum/protocols/core";
import { dlms } from "@metrum/protocols/dlms";
import { createLines, tcpLine } from "../../apps/server/src/headend/channels/index.ts";
import { openDatabase, systemClock } from "../../apps/server/src/core/index.ts";
import { reserveNumbers } from "../../apps/server/src/metering/devices/index.ts";
import { recordExchange } from "../../apps/server/src/headend/exchanges/index.ts";
import { converse } from "../../apps/server/src/headend/dialogue/converse.ts";
import { guardedAddress, guardedMeter } from "./killsMeter.ts";

/** Configuration of the process that polls the meter. */
export interface PollerOrder {
  readonly connection: Parameters<typeof openDatabase>[0];
  readonly deviceId: number;
  readonly port: number;
}

/** Outcome of each poll. */
export interface PollerNews {
  readonly outcome: "read" | "refused" | "away";
  readonly message: string;
}

const pauseMs = 20;

/**
 * Polls continuously until it is killed: counters are reserved in the database, as in every poll of the
 * server.
 */
process.once("message", (order: PollerOrder) => void pollForEver(order));
process.once("disconnect", () => process.exit());

async function pollForEver({ connection, deviceId, port }: PollerOrder): Promise<void> {
  const database = openDatabase({ ...connection, max: 1 });
  const lines = createLines({
    clock: systemClock,
    claim: () => Promise.resolve(true),
    release: () => Promise.resolve(),
  });
  const target = { key: tcpLine("127.0.0.1", port), tcp: { host: "127.0.0.1", port } };
  const driver = dlms(guardedMeter);
  for (;;) {
    const news = await lines
      .use(target, (channel) =>
        converse(driver.poll({ kind: "now" }, guardedAddress), {
          channel,
          clock: systemClock,
          exchange: recordExchange(systemClock),
          reserve: (reservation) => reserveNumbers(database, deviceId, reservation),
        }),
      )
      .then((): PollerNews => ({ outcome: "read", message: "" }), newsOf);
    process.send?.(news);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Only refusals by the meter count; an unavailable database or line is expected. */
const newsOf = (error: unknown): PollerNews =>
  error instanceof ProtocolError
    ? { outcome: "refused", message: `${error.kind}: ${error.message}` }
    : { outcome: "away", message: error instanceof Error ? error.message : String(error) };
