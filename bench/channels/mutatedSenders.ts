import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import mqtt from "mqtt";
import { modelById } from "@metrum/catalogue";
import { buildActilityUp } from "@metrum/protocols/actility";
import { buildChirpStackUp, formatChirpStackTopic } from "@metrum/protocols/chirpstack";
import { fromHex, mutate } from "@metrum/protocols/core";
import { buildThings } from "@metrum/protocols/thethings";
import { vegaSi11 } from "@metrum/protocols/vega";
import { mbusFuzz } from "../../packages/protocols/src/mbus/seeds.ts";
import { modbusFuzz } from "../../packages/protocols/src/modbus/seeds.ts";
import type { MqttCredentials } from "../../apps/server/src/headend/channels/index.ts";

/** Targets of the frames, and credentials of the senders. */
export interface Target {
  readonly httpPort: number;
  readonly modemPort: number;
  readonly mqttPort: number;
  readonly udpPort: number;
  readonly token: string;
  readonly credentials: MqttCredentials;
  /** IMEIs of modems and DevEUIs of devices that are registered. */
  readonly imeis: readonly string[];
  readonly devEuis: readonly string[];
  readonly random: () => number;
}

/** Outcomes of the frames of one transport, by name. */
export type Outcome = Readonly<Record<string, number>>;
export type Sender = (target: Target, count: number) => Promise<Outcome>;

const host = "127.0.0.1";
const at = 1_795_323_600;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const si11 = vegaSi11();

/** Runs an action a number of times, with limited concurrency. */
async function inLanes(count: number, lanes: number, once_: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await once_(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Frames per connection before it is closed, unless the server has closed it. */
const framesEach = 10;
const lanes = 24;
const lingerMs = 30;

/**
 * One connection for some frames, from several addresses. Returns how many were written before the server
 * closed it.
 */
async function inOneConnection(port: number, n: number, frames: readonly Uint8Array[]): Promise<number> {
  const socket = connect({ host, port, localAddress: `127.0.0.${String(1 + (n % 8))}` });
  socket.on("error", () => undefined);
  const closed = once(socket, "close").catch(() => undefined);
  await Promise.race([once(socket, "connect").catch(() => undefined), closed]);
  let written = 0;
  for (const frame of frames) {
    if (socket.destroyed || !(await write(socket, frame))) break;
    written += 1;
  }
  socket.resume();
  await Promise.race([closed, sleep(lingerMs)]);
  socket.destroy();
  return written;
}

const write = (socket: Socket, frame: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => socket.write(frame, (error) => resolve(!error)));

async function overTcp(port: number, count: number, framesOf: (n: number) => Uint8Array[]): Promise<Outcome> {
  let sent = 0;
  await inLanes(Math.ceil(count / framesEach), lanes, async (n) => {
    const written = await inOneConnection(port, n, framesOf(n));
    sent += written;
  });
  return { sent };
}

const lineFrames = [...mbusFuzz, ...modbusFuzz].flatMap(({ seeds }) => seeds);

/** Modems: every second one identifies itself correctly before it sends unsolicited meter frames. */
export const dialIn: Sender = ({ modemPort, imeis, random }, count) =>
  overTcp(modemPort, count, (n) => {
    const name = bytesOf(`TYPE=ATM21;CSQ: 21,0;IMEI:${imeis[n % imeis.length] ?? ""}\r\n`);
    const frames = Array.from({ length: framesEach - 1 }, () => mutate(lineFrames, random));
    return [n % 2 === 0 ? name : mutate([name], random), ...frames];
  });

const mqttText = (text: string): readonly number[] => [
  text.length >> 8,
  text.length & 0xff,
  ...bytesOf(text),
];
const mqttPacket = (first: number, ...body: readonly number[]): Uint8Array =>
  Uint8Array.of(
    first,
    ...(body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7]),
    ...body,
  );

/** Packets of MQTT 3.1.1 as bytes. */
export const rawMqtt: Sender = ({ mqttPort, credentials, devEuis, random }, count) => {
  const { username, password, prefix } = credentials;
  const topic = topicOf(prefix, devEuis[0] ?? "");
  const sign = [...mqttText("mutated"), ...mqttText(username), ...mqttText(password)];
  const open = mqttPacket(0x10, ...mqttText("MQTT"), 4, 0xc2, 0, 60, ...sign);
  const seeds = [
    open,
    mqttPacket(0x32, ...mqttText(topic), 0, 1, ...bytesOf("{}")),
    mqttPacket(0x82, 0, 2, ...mqttText(`${prefix}#`), 1),
    mqttPacket(0xc0),
    mqttPacket(0x34, ...mqttText(topic), 0, 3, ...bytesOf("{}")),
    mqttPacket(0x62, 0, 3),
  ];
  return overTcp(mqttPort, count, (n) => {
    const packets = Array.from({ length: framesEach - 1 }, () => mutate(seeds, random));
    return [n % 2 === 0 ? open : mutate([open], random), ...packets];
  });
};

const requestOf = (token: string, path: string, body: string): Uint8Array =>
  bytesOf(
    `POST /api/push/${path} HTTP/1.1\r\nHost: metrum\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${String(body.length)}\r\n\r\n${body}`,
  );

/** Requests of HTTP as bytes. */
export const rawHttp: Sender = ({ httpPort, token, random }, count) => {
  const seeds = [
    requestOf(token, "readings", `{"readings":[{"deviceID":"1","time":${String(at)},"values":{"in1":1}}]}`),
    bytesOf("GET /healthz HTTP/1.1\r\nHost: metrum\r\n\r\n"),
    bytesOf(
      "POST /api/push/things HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ),
  ];
  return overTcp(httpPort, count, () => Array.from({ length: framesEach }, () => mutate(seeds, random)));
};

const datagramsAtOnce = 20;
const betweenMs = 20;
/** Time limit of an answer. */
const answerMs = 3_000;

/** Datagrams with the identity of a device in front, from several addresses. */
export const datagrams: Sender = async ({ udpPort, devEuis, random }, count) => {
  const seeds = devEuis.map((devEui) => {
    const address = { insideAddr: "", deviceID: devEui, impulseWeight: 1, startingValue: 0 };
    return Uint8Array.of(...fromHex(devEui), ...si11.encode(address, () => 7, at).payload);
  });
  const counted = { sent: 0, answered: 0 };
  await inLanes(Math.ceil(count / datagramsAtOnce), 8, async (n) => {
    const socket = createSocket("udp4");
    socket.on("error", () => undefined);
    socket.on("message", () => (counted.answered += 1));
    await new Promise<void>((resolve) => socket.bind(0, `127.0.0.${String(1 + (n % 8))}`, resolve));
    for (let each = 0; each < datagramsAtOnce; each++) {
      socket.send(mutate(seeds, random), udpPort, host);
      counted.sent += 1;
    }
    setTimeout(() => socket.close(), answerMs);
    await sleep(betweenMs);
  });
  await sleep(answerMs);
  return counted;
};

const topicOf = (prefix: string, devEui: string): string =>
  formatChirpStackTopic({ prefix, applicationId: "mutated", devEui, event: "up" });

/** Identifiers of an uplink of this device, for any transport. */
function upOf(devEui: string, n: number) {
  const address = { insideAddr: "", deviceID: devEui, impulseWeight: 1, startingValue: 0 };
  const { fport, payload } = si11.encode(address, () => n, at + n);
  return {
    event: "up",
    devEui,
    deviceName: devEui,
    at,
    deduplicationId: crypto.randomUUID(),
    application: "mutated",
    applicationId: "mutated",
    devAddr: devEui.slice(8),
    fCnt: n % 65_536,
    fPort: fport,
    dr: 3,
    dataRate: "SF7BW125",
    confirmed: true,
    payload,
    receptions: [{ gatewayId: "0000000000000001", rssi: -80, snr: 7 }],
  } as const;
}

/** An admitted network server that sends unreadable messages; each is acknowledged nevertheless. */
export const published: Sender = async ({ mqttPort, credentials, devEuis, random }, count) => {
  const { username, password, prefix } = credentials;
  const client = await mqtt.connectAsync(`mqtt://${host}:${String(mqttPort)}`, { username, password });
  client.on("error", () => undefined);
  const counted = { sent: 0, acknowledged: 0 };
  await inLanes(count, 50, async (n) => {
    const devEui = devEuis[n % devEuis.length] ?? "";
    const body = mutate([bytesOf(buildChirpStackUp(upOf(devEui, n)))], random);
    counted.sent += 1;
    await client.publishAsync(topicOf(prefix, devEui), Buffer.from(body), { qos: 1 }).then(
      () => (counted.acknowledged += 1),
      () => undefined,
    );
  });
  await client.endAsync(true);
  return counted;
};

/** Bodies of every push. */
function pushesOf(
  devEui: string,
  n: number,
): readonly (readonly [path: string, type: string, body: string])[] {
  const up = upOf(devEui, n);
  const json = "application/json";
  return [
    [
      "readings",
      json,
      `{"readings":[{"deviceID":"${devEui}","time":${String(at + n)},"values":{"in1":5.5}}]}`,
    ],
    ["readings", json, `{"readings":[{"deviceID":"${devEui}","payload":"0162","fPort":2,"fCnt":7}]}`],
    [
      "senml",
      "application/senml+json",
      `[{"bn":"${devEui}:","bt":${String(at + n)}},{"n":"in1","u":"l","v":5},{"n":"battery","v":90}]`,
    ],
    ["chirpstack?event=up", json, buildChirpStackUp(up)],
    ["things", json, buildThings({ ...up, deviceId: "d1" })],
    ["actility", json, buildActilityUp(up)],
  ];
}

/** Pushes over HTTP with valid credentials. */
export const pushed: Sender = async ({ httpPort, token, devEuis, random }, count) => {
  const counted: Record<string, number> = { sent: 0 };
  await inLanes(count, 24, async (n) => {
    const pushes = pushesOf(devEuis[n % devEuis.length] ?? "", n);
    const [path = "", type = "", body = ""] = pushes[n % pushes.length] ?? [];
    counted["sent"] = (counted["sent"] ?? 0) + 1;
    const status = await fetch(`http://${host}:${String(httpPort)}/api/push/${path}`, {
      method: "POST",
      headers: { "content-type": type, authorization: `Bearer ${token}` },
      body: Buffer.from(mutate([bytesOf(body)], random)),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return String(response.status);
      },
      () => "no answer",
    );
    counted[status] = (counted[status] ?? 0) + 1;
  });
  return counted;
};

/** Registered modems that answer requests incorrectly. `stop` returns the number of answers. */
export function answerWrongly(
  { modemPort, imeis, random }: Target,
  modelId: number,
): { stop: () => Outcome } {
  const model = modelById(modelId);
  if (model?.kind !== "meter" || model.driver.kind !== "line") throw new Error("not a model of a line");
  const { driver } = model;
  let sent = 0;
  const sockets = imeis.map((imei) => {
    const meter = driver.respond(
      { insideAddr: "1", deviceID: "1" },
      () => 7,
      () => at,
    );
    const socket = connect({ host, port: modemPort, localAddress: "127.0.0.9" });
    socket.on("error", () => undefined);
    socket.on("connect", () => socket.write(imei));
    socket.on("data", (bytes) => {
      const answers = meter.receive(bytes);
      if (answers.length === 0) return;
      sent += 1;
      socket.write(mutate(answers, random));
    });
    return socket;
  });
  return {
    stop() {
      for (const socket of sockets) socket.destroy();
      return { sent };
    },
  };
}
