import { demoPlan, startPark } from "@metrum/simulator";
import type { ParkOrder } from "./park.ts";

/** Process of the simulated meters: one order comes in, and it lives as long as whoever gave it. */
process.once("message", (order: ParkOrder) => {
  startPark(demoPlan(), {
    host: order.host,
    ports: { modem: order.modemPort },
    mqtt: order.mqtt,
    utcOffsetSec: order.utcOffsetSec,
  }).catch((error: unknown) => {
    process.stderr.write(`The simulated meters have stopped: ${String(error)}\n`);
    process.exitCode = 1;
    process.disconnect();
  });
});
process.once("disconnect", () => process.exit());
// Ctrl-C reaches the whole group; the server decides when this process ends.
process.on("SIGINT", () => undefined);
