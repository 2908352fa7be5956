import { connect } from "node:net";
import { buildChirpStackUp, formatChirpStackTopic } from "@metrum/protocols/chirpstack";
import { vegaSi11 } from "@metrum/protocols/vega";
import mqtt from "mqtt";
import { lineWork } from "../../apps/server/src/domains.ts";
import {
  companyPrefix,
  connectBrokerElsewhere,
  mqttRefusals,
} from "../../apps/server/src/headend/channels/index.ts";
import { openDialogue, type Dialogue } from "../../apps/server/src/headend/dialogue/index.ts";
import { takeMqttMessage } from "../../apps/server/src/headend/uplinks/index.ts";
import { openMosquitto } from "../../apps/server/src/testing/peers/mosquitto.ts";
import {
  mustEqual,
  mustHold,
  packageVersion,
  run,
  until,
  versionOf,
  type Ended,
  type Peer,
  type Platform,
} from "./peers.ts";

const driver = vegaSi11();
const mosquittoVersion = (): string | undefined => versionOf("/usr/sbin/mosquitto", ["-h"]);
const publisher = "/usr/bin/mosquitto_pub";
const publisherVersion = (): string | undefined => versionOf(publisher, ["--version"]);
let frame = 0;

/** The next uplink of the counter, as ChirpStack publishes it. */
function uplink({ counter: { devEui } }: Platform, prefix: string) {
  frame += 1;
  const at = Math.floor(Date.now() / 1000) - 3600 + frame;
  const { fport, payload } = driver.encode(
    { deviceID: devEui, insideAddr: "", impulseWeight: 1, startingValue: 0 },
    (field) => (field === "in1" ? 1000 + frame : 0),
    at,
  );
  const body = buildChirpStackUp({
    ...{ deduplicationId: `peer-${String(frame)}`, at, devEui, deviceName: devEui, applicationId: "peers" },
    ...{ devAddr: devEui.slice(8), fCnt: frame, fPort: fport, dr: 3, confirmed: false, payload },
    receptions: [{ gatewayId: "0000000000000001", rssi: -80, snr: 7 }],
  });
  return { topic: formatChirpStackTopic({ prefix, applicationId: "peers", devEui, event: "up" }), body };
}

async function uplinksOf({ api, counter }: Platform): Promise<number> {
  const { rows } = await api.services.database.pool.query<{ n: number }>(
    "select count(*)::int as n from poll_log where device_id = $1 and kind = 3 and result = 0",
    [counter.id],
  );
  return rows[0]?.n ?? 0;
}

/** Waits until one more uplink is stored than before the work. */
async function storesOne(platform: Platform, work: () => Promise<void>): Promise<void> {
  const before = await uplinksOf(platform);
  await work();
  await until(async () => (await uplinksOf(platform)) > before, "an uplink that is stored");
  mustEqual(await uplinksOf(platform), before + 1, "stored uplinks");
}

/** Publishes an uplink with MQTT.js. */
async function publish(platform: Platform, url: string, prefix: string, options: object = {}): Promise<void> {
  const client = await mqtt.connectAsync(url, options);
  try {
    const { topic, body } = uplink(platform, prefix);
    await client.publishAsync(topic, body, { qos: 1 });
  } finally {
    await client.endAsync(true);
  }
}

/** Publishes an uplink with mosquitto_pub at the embedded broker. */
function publishBy(platform: Platform, version: "mqttv311" | "mqttv5"): Promise<Ended> {
  const { port, username, password, prefix } = platform.mqtt;
  const { topic, body } = uplink(platform, prefix);
  const account = ["-u", username, "-P", password, "-V", version];
  return run(publisher, [
    "-h",
    "127.0.0.1",
    "-p",
    String(port),
    ...account,
    "-q",
    "1",
    "-t",
    topic,
    "-m",
    body,
  ]);
}

/** The platform at a broker elsewhere (METRUM_MQTT_URL), connected. */
async function atBroker({ api }: Platform, url: string): Promise<Dialogue> {
  const { config } = api.services;
  const settings = { ...config, mqttUrl: url, modemPorts: [] };
  const dialogue = await openDialogue({ ...api.services, config: settings }, lineWork);
  await until(() => Promise.resolve(dialogue.ports.reaches("")), "a connection to mosquitto");
  return dialogue;
}

export const mqttPeers: readonly Peer[] = [
  {
    name: "MQTT.js publishes to the embedded broker",
    command: 'mqtt.connectAsync("mqtt://127.0.0.1:PORT", { username, password }), QoS 1',
    version: () => packageVersion("mqtt"),
    meet: (platform) => {
      const { port, username, password, prefix } = platform.mqtt;
      const url = `mqtt://127.0.0.1:${String(port)}`;
      return storesOne(platform, () => publish(platform, url, prefix, { username, password }));
    },
  },
  {
    name: "mosquitto_pub publishes to the embedded broker",
    command: "mosquitto_pub -h 127.0.0.1 -p PORT -u USER -P PASSWORD -V mqttv311 -q 1 -t TOPIC -m MESSAGE",
    version: publisherVersion,
    meet: (platform) =>
      storesOne(platform, async () => {
        const { code, text } = await publishBy(platform, "mqttv311");
        mustEqual([code, text], [0, ""], "mosquitto_pub");
      }),
  },
  {
    name: "mosquitto_pub of MQTT 5 is refused, and the account shows the reason",
    command: "mosquitto_pub -h 127.0.0.1 -p PORT -u USER -P PASSWORD -V mqttv5 -q 1 -t TOPIC -m MESSAGE",
    version: publisherVersion,
    async meet(platform) {
      const before = await uplinksOf(platform);
      const { code, text } = await publishBy(platform, "mqttv5");
      console.log(`    answered: ${text.trim()}`);
      mustHold(code !== 0 && /protocol version/i.test(text), `mosquitto_pub ended ${String(code)}: ${text}`);
      const { system } = platform.api.services.database;
      await until(async () => {
        const refusals = await mqttRefusals(system, platform.mqtt.username, 0);
        return refusals.some(({ reason }) => reason === "version");
      }, "the reason at the account");
      mustEqual(await uplinksOf(platform), before, "stored uplinks");
    },
  },
  {
    name: "mosquitto bridges its messages to the embedded broker",
    command:
      "mosquitto -c FILE: connection, address, topic # out 1, remote_username, remote_password; else defaults",
    version: mosquittoVersion,
    async meet(platform) {
      const { port, username, password, prefix } = platform.mqtt;
      const bridge = await openMosquitto([
        "connection metrum",
        `address 127.0.0.1:${String(port)}`,
        `topic # out 1 "" ${prefix}/`,
        `remote_username ${username}`,
        `remote_password ${password}`,
      ]);
      try {
        await storesOne(platform, () => publish(platform, bridge.url, ""));
      } finally {
        await bridge.close();
      }
    },
  },
  {
    name: "mosquitto is the broker of a network server that the platform reads",
    command: "mosquitto -c FILE: listener, allow_anonymous, persistence false",
    version: mosquittoVersion,
    async meet(platform) {
      const { services, companyId } = platform.api;
      const broker = await openMosquitto();
      let connected = (): void => undefined;
      const isConnected = new Promise<void>((resolve) => (connected = resolve));
      const elsewhere = connectBrokerElsewhere({
        open: () => connect(Number(new URL(broker.url).port), "127.0.0.1"),
        ...{ username: "", password: "", filters: ["application/+/device/+/event/+"], qos: 1 as const },
        onMessage: async (topic, payload) => {
          await takeMqttMessage(services, {
            companyId,
            topic: `${companyPrefix(companyId)}${topic}`,
            payload,
          });
        },
        pause: services.database.pause,
        onConnected: connected,
        onLost: () => undefined,
        log: services.log,
      });
      try {
        await isConnected;
        await storesOne(platform, () => publish(platform, broker.url, ""));
      } finally {
        await elsewhere.stop();
        await broker.close();
      }
    },
  },
  {
    name: "mosquitto as the broker of the platform keeps an uplink while the platform restarts",
    command:
      "mosquitto -c FILE: listener, allow_anonymous, persistence false; METRUM_MQTT_URL=mqtt://127.0.0.1:PORT",
    version: mosquittoVersion,
    async meet(platform) {
      const broker = await openMosquitto();
      const { prefix } = platform.mqtt;
      try {
        let dialogue = await atBroker(platform, broker.url);
        try {
          await storesOne(platform, () => publish(platform, broker.url, prefix));
        } finally {
          await dialogue.stop();
        }
        await storesOne(platform, async () => {
          await publish(platform, broker.url, prefix);
          dialogue = await atBroker(platform, broker.url);
        });
        await dialogue.stop();
      } finally {
        await broker.close();
      }
    },
  },
];
