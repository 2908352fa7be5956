import { demoPlan, mixedPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import type { ParkOrder, ParksOrder, ParkStarted } from "./park.ts";

/**
 * Process of the simulated meters: the first message configures it, each later one lists the parks; it ends
 * with its parent.
 */
process.once("message", (order: ParkOrder) => {
  const plan = demoPlan();
  play(order, plan, true).then(
    (park) => process.send?.(startedOf(plan, park)),
    (error: unknown) => {
      complain(error);
      process.exitCode = 1;
      process.disconnect();
    },
  );
  const parks = createParks(order);
  process.on("message", (next: ParksOrder) => void parks.become(next).catch(complain));
});
process.once("disconnect", () => process.exit());
// Ctrl-C reaches the whole process group; the server decides when this process ends.
process.on("SIGINT", () => undefined);

const complain = (error: unknown): void =>
  void process.stderr.write(`The simulated meters have stopped: ${String(error)}\n`);

const play = (order: ParkOrder, plan: Plan, hasRadio: boolean): Promise<Park> =>
  startPark(plan, {
    host: order.host,
    ports: { modem: order.modemPort },
    utcOffsetSec: order.utcOffsetSec,
    ...(hasRadio ? { mqtt: order.mqtt } : {}),
  });

const startedOf = ({ gateways }: Plan, { converters }: Park): ParkStarted => ({
  converters: gateways.flatMap(({ key, deviceID }) => {
    const at = converters.get(key);
    return at ? [{ deviceID, port: at.port }] : [];
  }),
});

/** The parks that staff have started, by their options; messages are processed in order. */
function createParks(order: ParkOrder): { become(next: ParksOrder): Promise<void> } {
  const running = new Map<string, Park>();
  let turn = Promise.resolve();
  const change = async ({ parks }: ParksOrder): Promise<void> => {
    const wanted = new Map(parks.map((options) => [JSON.stringify(options), options]));
    for (const [key, park] of running)
      if (!wanted.has(key)) {
        running.delete(key);
        await park.stop();
      }
    for (const [key, options] of wanted) {
      if (running.has(key)) continue;
      const plan = mixedPlan(options);
      const park = await play(order, plan, false);
      running.set(key, park);
      process.send?.({
        ...startedOf(plan, park),
        ...(options.park === undefined ? {} : { park: options.park }),
      } satisfies ParkStarted);
    }
  };
  return {
    become: (next) => (turn = turn.catch(() => undefined).then(() => change(next))),
  };
}
