import { parseArgs } from "node:util";
import { demoPlan } from "./demoPlan.ts";
import type { Faults } from "./faults.ts";
import { startPark } from "./park.ts";
import { mixes, scalePlan, type MixName } from "./scalePlan.ts";

const help = `Virtual meters against any Metrum.

npm run simulate -- [options]

  --host HOST          Metrum's device address (default 127.0.0.1); converters listen there too
  --modem-port PORT    port on which modems dial in (default 7001)
  --mqtt URL           network-server events, e.g. mqtt://127.0.0.1:1883; without it radio devices are silent
  --mqtt-user NAME     account of the broker
  --mqtt-password TEXT
  --prefix TEXT        topic prefix of the company, e.g. c12 (default none)
  --demo               the park of the demonstration (default when no --count)
  --count N            N devices of --mix instead
  --mix NAME           ${Object.keys(mixes).join(", ")} (default electricity)
  --first N            number of the first modem or radio device, to split a park over processes (default 0)
  --seed N             same seed, same devices, same values (default 1)
  --heartbeat SEC      heartbeat of modems (default 60)
  --loss SHARE  --split SHARE  --wrong-crc SHARE  --delay MIN-MAX  --echo
                       faults of the lines: shares from 0 to 1, delay in milliseconds
  --outages            devices are out of reach now and then
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
    prefix: { type: "string", default: "" },
    demo: { type: "boolean" },
    count: { type: "string" },
    mix: { type: "string", default: "electricity" },
    first: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    heartbeat: { type: "string", default: "60" },
    loss: { type: "string", default: "0" },
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
  const plan =
    values.count === undefined
      ? demoPlan(seed)
      : scalePlan({ count: Number(values.count), mix: mixOf(values.mix), seed, first: Number(values.first) });
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
    ...(values.mqtt === undefined
      ? {}
      : {
          mqtt: {
            url: values.mqtt,
            prefix: values.prefix,
            ...(values["mqtt-user"] === undefined ? {} : { username: values["mqtt-user"] }),
            ...(values["mqtt-password"] === undefined ? {} : { password: values["mqtt-password"] }),
          },
        }),
  });
  console.log(`${plan.devices.length} devices behind ${plan.gateways.length} gateways; Ctrl-C ends them`);
  for (const [key, { host, port }] of park.converters) console.log(`${key} listens on ${host}:${port}`);
  const stop = (): void => void park.stop().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
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
  };
}
