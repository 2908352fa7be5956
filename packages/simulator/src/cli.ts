import { parseArgs } from "node:util";
import { demoPlan } from "./plans/demoPlan.ts";
import { noFaults, type Faults } from "./faults.ts";
import { mixedPlan } from "./plans/mixedPlan.ts";
import { networkKinds, type NetworkKind } from "./networkServers.ts";
import { startPark } from "./park.ts";
import type { Plan } from "./plans/plan.ts";
import { mixes, scalePlan, type MixName } from "./plans/scalePlan.ts";

const help = `Virtual meters against any Metrum.

npm run simulate -- [options]

  --host HOST          Metrum's device address (default 127.0.0.1); converters and receivers listen there too
  --modem-port PORT    port on which modems dial in (default 7001)
  --mqtt URL           network-server events, e.g. mqtt://127.0.0.1:1883; without it radio devices are silent
  --mqtt-user NAME     account of the broker
  --mqtt-password TEXT
  --network NAME       ${networkKinds.join(" or ")}: whose words they are (default chirpstack)
  --prefix TEXT        topic prefix of the company, e.g. c12 (default none)
  --devices N          a park of N devices over nine protocols; register it with
                       \`npm run metrum -- seed-park --company ID --devices N\` (the same N, park, seed and port)
  --park K             number of that park, 0 to 9 (default 0)
  --first-port PORT    TCP port of its first converter (default 31000)
  --utc-offset MIN     standard time of the place, minutes east of Greenwich (default 0)
  --stats SEC          prints memory and processor time every SEC seconds
  --demo               the park of the demonstration (default when no --devices or --count)
  --count N            N devices of --mix instead
  --mix NAME           ${Object.keys(mixes).join(", ")} (default electricity)
  --first N            number of the first modem or radio device, to split a park over processes (default 0)
  --seed N             same seed, same devices, same values (default 1)
  --heartbeat SEC      heartbeat of modems (default 60)
  --loss SHARE  --split SHARE  --wrong-crc SHARE  --delay MIN-MAX  --echo
                       faults of the lines: shares from 0 to 1, delay in milliseconds
  --outages            devices are out of reach now and then
  --late SHARE  --asleep SHARE
                       answers that come 20 s late; share of each minute for which a device sleeps
  --refuse SHARE  --lie SHARE
                       orders that devices refuse, or acknowledge and do not carry out
  --list               print the devices as JSON lines and end
`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean" },
    host: { type: "string", default: "127.0.0.1" },
    "modem-port": { type: "string", default: "7001" },
    mqtt: { type: "string" },
    "mqtt-user": { type: "string" },
    "mqtt-password": { type: "string" },
    network: { type: "string", default: "chirpstack" },
    prefix: { type: "string", default: "" },
    devices: { type: "string" },
    park: { type: "string", default: "0" },
    "first-port": { type: "string", default: "31000" },
    "utc-offset": { type: "string", default: "0" },
    stats: { type: "string" },
    demo: { type: "boolean" },
    count: { type: "string" },
    mix: { type: "string", default: "electricity" },
    first: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    heartbeat: { type: "string", default: "60" },
    loss: { type: "string", default: "0" },
    late: { type: "string", default: "0" },
    asleep: { type: "string", default: "0" },
    refuse: { type: "string", default: "0" },
    lie: { type: "string", default: "0" },
    split: { type: "string", default: "0" },
    "wrong-crc": { type: "string", default: "0" },
    delay: { type: "string", default: "15-60" },
    echo: { type: "boolean", default: false },
    outages: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(help);
} else {
  await run();
}

async function run(): Promise<void> {
  const seed = Number(values.seed);
  const plan = planOf(seed);
  if (values.list) {
    for (const device of plan.devices) console.log(JSON.stringify(device));
    return;
  }
  const park = await startPark(plan, {
    host: values.host,
    ports: { modem: Number(values["modem-port"]) },
    seed,
    heartbeatSec: Number(values.heartbeat),
    faults: faultsOf(),
    utcOffsetSec: Number(values["utc-offset"]) * 60,
    ...(values.mqtt === undefined
      ? {}
      : {
          mqtt: {
            url: values.mqtt,
            prefix: values.prefix,
            server: networkOf(values.network),
            ...(values["mqtt-user"] === undefined ? {} : { username: values["mqtt-user"] }),
            ...(values["mqtt-password"] === undefined ? {} : { password: values["mqtt-password"] }),
          },
        }),
  });
  console.log(`${plan.devices.length} devices behind ${plan.gateways.length} gateways; Ctrl-C ends them`);
  for (const [key, { host, port }] of park.converters) console.log(`${key} listens on ${host}:${port}`);
  if (values.stats !== undefined) tellUse(Number(values.stats));
  const stop = (): void => void park.stop().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

function planOf(seed: number): Plan {
  if (values.devices !== undefined)
    return mixedPlan({
      count: Number(values.devices),
      seed,
      firstPort: Number(values["first-port"]),
      park: Number(values.park),
    });
  if (values.count === undefined) return demoPlan(seed);
  return scalePlan({
    count: Number(values.count),
    mix: mixOf(values.mix),
    seed,
    first: Number(values.first),
  });
}

/** Prints the cost of the park: resident memory, and the share of one processor since the last line. */
function tellUse(everySec: number): void {
  let before = process.cpuUsage();
  let atMs = performance.now();
  setInterval(() => {
    const used = process.cpuUsage(before);
    const tookMs = performance.now() - atMs;
    before = process.cpuUsage();
    atMs = performance.now();
    const share = (used.user + used.system) / 1000 / tookMs;
    const memory = Math.round(process.memoryUsage.rss() / 1024 / 1024);
    console.log(`${memory} MiB, ${(share * 100).toFixed(1)} % of a processor`);
  }, everySec * 1000).unref();
}

function networkOf(name: string): NetworkKind {
  const known = networkKinds.find((each) => each === name);
  if (!known) throw new Error(`--network ${name} is none of ${networkKinds.join(", ")}`);
  return known;
}

function mixOf(name: string): MixName {
  const known = (Object.keys(mixes) as MixName[]).find((each) => each === name);
  if (!known) throw new Error(`--mix ${name} is none of ${Object.keys(mixes).join(", ")}`);
  return known;
}

function faultsOf(): Faults {
  const [min = 15, max = 60] = values.delay.split("-").map(Number);
  return {
    loss: Number(values.loss),
    split: Number(values.split),
    wrongCrc: Number(values["wrong-crc"]),
    echo: values.echo,
    outages: values.outages,
    delayMs: [min, max],
    late: Number(values.late),
    lateMs: noFaults.lateMs,
    asleep: Number(values.asleep),
    refuse: Number(values.refuse),
    lie: Number(values.lie),
  };
}
