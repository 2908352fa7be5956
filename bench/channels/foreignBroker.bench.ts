import { connect } from "node:net";
import { buildChirpStackUp, formatChirpStackTopic } from "@metrum/protocols/chirpstack";
import { vegaSi11 } from "@metrum/protocols/vega";
import mqtt from "mqtt";
import { companyPrefix, connectBrokerElsewhere } from "../../apps/server/src/headend/channels/index.ts";
import {
  hasMosquitto,
  openMosquitto,
  type Mosquitto,
} from "../../apps/server/src/testing/peers/mosquitto.ts";
import { takeMqttMessage } from "../../apps/server/src/headend/uplinks/index.ts";
import { startCluster, type BenchCluster } from "../cluster.ts";
import { reported, type Bench, type Figure } from "../report.ts";

/** At most what mosquitto queues for a slow client. */
const messages = 1_000;
const devices = 250;
const rounds = 3;
const base = Date.UTC(2026, 4, 4) / 1000;
const driver = vegaSi11();

export const bench: Bench = {
  title:
    "uplinks a second from a broker elsewhere (mosquitto), decoded and stored; QoS 1 acknowledged after COMMIT",
  async run() {
    if (!hasMosquitto) return [reported("mosquitto is not installed: nothing measured", 0, "")];
    const cluster = await startCluster();
    const broker = await openMosquitto();
    try {
      const companyId = await seed(cluster);
      const figures: Figure[] = [];
      for (const qos of [1, 0] as const) {
        const perSec: number[] = [];
        for (let round = 0; round < rounds; round++)
          perSec.push(await measure({ cluster, broker, companyId, qos, round: round + qos * rounds }));
        const median = perSec.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
        figures.push(reported(`QoS ${String(qos)}, median of ${String(rounds)}`, median, "uplinks/s"));
      }
      const { rows } = await cluster.services.database.pool.query<{ count: number }>(
        "select count(*)::int as count from poll_log where kind = 3",
      );
      return [...figures, reported("exchanges in the log", rows[0]?.count ?? 0, "rows")];
    } finally {
      await broker.close();
      await cluster.stop();
    }
  },
};

interface Round {
  readonly cluster: BenchCluster;
  readonly broker: Mosquitto;
  readonly companyId: number;
  readonly qos: 0 | 1;
  readonly round: number;
}

/** Messages per second, from the first published to the last stored. */
async function measure({ cluster, broker, companyId, qos, round }: Round): Promise<number> {
  const { services } = cluster;
  let left = messages;
  let stored = (): void => undefined;
  const allStored = new Promise<void>((resolve) => (stored = resolve));
  let connected = (): void => undefined;
  const isConnected = new Promise<void>((resolve) => (connected = resolve));
  const elsewhere = connectBrokerElsewhere({
    open: () => connect(Number(new URL(broker.url).port), "127.0.0.1"),
    username: "",
    password: "",
    filters: ["application/+/device/+/event/+"],
    qos,
    onMessage: async (topic, payload) => {
      await takeMqttMessage(services, { companyId, topic: `${companyPrefix(companyId)}${topic}`, payload });
      left -= 1;
      if (left === 0) stored();
    },
    pause: services.database.pause,
    onConnected: connected,
    onLost: () => undefined,
    log: services.log,
  });
  await isConnected;
  const publisher = await mqtt.connectAsync(broker.url);
  const began = performance.now();
  for (let number = 0; number < messages; number++) {
    const { topic, body } = uplink(round, number);
    publisher.publish(topic, body, { qos });
  }
  await allStored;
  const tookMs = performance.now() - began;
  await publisher.endAsync(true);
  await elsewhere.stop();
  return (messages * 1000) / tookMs;
}

function uplink(round: number, number: number): { readonly topic: string; readonly body: string } {
  const devEui = (1 + (number % devices)).toString(16).padStart(16, "0");
  const fCnt = round * 100 + Math.floor(number / devices);
  const at = base + fCnt * 3600;
  const { fport, payload } = driver.encode(
    { deviceID: devEui, insideAddr: "", impulseWeight: 1, startingValue: 0 },
    (field) => (field === "in1" ? 1000 + fCnt : 0),
    at,
  );
  const body = buildChirpStackUp({
    deduplicationId: `${String(round)}-${String(number)}`,
    at,
    devEui,
    deviceName: devEui,
    applicationId: "bench",
    devAddr: devEui.slice(8),
    fCnt,
    fPort: fport,
    dr: 3,
    confirmed: false,
    payload,
    receptions: [{ gatewayId: "0000000000000001", rssi: -80, snr: 7 }],
  });
  return { topic: formatChirpStackTopic({ prefix: "", applicationId: "bench", devEui, event: "up" }), body };
}

async function seed({ services }: BenchCluster): Promise<number> {
  const { pool } = services.database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into company (path, name, timezone, active_modules)
      values ('b0'::ltree, 'Bench', 'Europe/Berlin', '[]') returning id`,
  );
  const companyId = rows[0]?.id ?? 0;
  await pool.query(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, place, "deviceID")
      select $1, 301, 'SI-11 (water)', 1, 1, 1, 'Meter ' || n, '', lpad(to_hex(n), 16, '0')
      from generate_series(1, $2::int) n`,
    [companyId, devices],
  );
  return companyId;
}
