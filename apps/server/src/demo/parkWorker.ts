import { demoPlan, startPark } from "@metrum/simulator";
import type { ParkOrder, ParkStarted } from "./park.ts";

/** Process of the simulated meters: one order comes in, and it lives as long as whoever gave it. */
process.once("message", (order: ParkOrder) => {
  const plan = demoPlan();
  startPark(plan, {
    host: order.host,
    ports: { modem: order.modemPort },
    mqtt: order.mqtt,
    utcOffsetSec: order.utcOffsetSec,
  }).then(
    ({ converters }) => {
      const started: ParkStarted = {
        converters: plan.gateways.flatMap(({ key, deviceID }) => {
          const at = converters.get(key);
          return at ? [{ deviceID, port: at.port }] : [];
        }),
      };
      process.send?.(started);
    },
    (error: unknown) => {
      process.stderr.write(`The simulated meters have stopped: ${String(error)}\n`);
      process.exitCode = 1;
      process.disconnect();
    },
  );
});
process.once("disconnect", () => process.exit());
// Ctrl-C reaches the whole group; the server decides when this process ends.
process.on("SIGINT", () => undefined);
