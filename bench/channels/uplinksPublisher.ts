import { connect, type Socket } from "node:net";
import { buildChirpStackUp, formatChirpStackTopic } from "@metrum/protocols/chirpstack";
import { vegaSi11 } from "@metrum/protocols/vega";
import mqttPacket from "mqtt-packet";

/** Order of the parent: number of uplinks and connections, each with at most `inFlight` unacknowledged. */
export interface PublisherTask {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly prefix: string;
  readonly devEuis: readonly string[];
  readonly connections: number;
  readonly inFlight: number;
  readonly each: number;
  readonly base: number;
}

/** Result: number acknowledged and duration, and the 99th percentile of the waiting time. */
export interface PublisherResult {
  readonly acknowledged: number;
  readonly tookMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const driver = vegaSi11();
const applicationId = "bench";
const readyBytes = 4;

process.on("message", (task: PublisherTask) => {
  void run(task).then((result) => process.send?.(result));
});

/** Packets are prepared beforehand, to keep the publisher's processor usage low. */
async function run(task: PublisherTask): Promise<PublisherResult> {
  const batches = Array.from({ length: task.connections }, (_, connection) => packetsOf(task, connection));
  const sockets = await Promise.all(batches.map((_, connection) => open(task, connection)));
  const began = performance.now();
  const waits = await Promise.all(
    sockets.map((socket, at) => publish(socket, batches[at] ?? [], task.inFlight)),
  );
  const tookMs = performance.now() - began;
  for (const socket of sockets) socket.destroy();
  const sorted = waits.flat().sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { acknowledged: sorted.length, tookMs, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function packetsOf(
  { prefix, devEuis, each, base, connections }: PublisherTask,
  connection: number,
): Buffer[] {
  return Array.from({ length: each }, (_, n) => {
    const number = connection + n * connections;
    const devEui = devEuis[number % devEuis.length] ?? "";
    const round = Math.floor(number / devEuis.length);
    const at = base + round * 3600;
    const { fport, payload } = driver.encode(
      { deviceID: devEui, insideAddr: "", impulseWeight: 1, startingValue: 0 },
      (field) => (field === "in1" ? 1000 + round : 0),
      at,
    );
    const body = buildChirpStackUp({
      deduplicationId: `${String(base)}-${String(number)}`,
      at,
      devEui,
      deviceName: devEui,
      applicationId,
      devAddr: devEui.slice(8),
      fCnt: round % 65_536,
      fPort: fport,
      dr: 3,
      confirmed: true,
      payload,
      receptions: [{ gatewayId: "0000000000000001", rssi: -80, snr: 7 }],
    });
    return mqttPacket.generate({
      cmd: "publish",
      topic: formatChirpStackTopic({ prefix, applicationId, devEui, event: "up" }),
      payload: body,
      qos: 1,
      dup: false,
      retain: false,
      messageId: (n % 65_535) + 1,
    });
  });
}

async function open({ port, username, password }: PublisherTask, connection: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  socket.write(
    mqttPacket.generate({
      cmd: "connect",
      protocolId: "MQTT",
      protocolVersion: 4,
      clean: true,
      clientId: `bench-${String(connection)}`,
      keepalive: 600,
      username,
      password: Buffer.from(password),
    }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("data", (bytes) => {
      if (bytes.length >= readyBytes && bytes[3] === 0) resolve();
      else reject(new Error("the broker refuses the connection"));
    });
  });
  return socket;
}

/**
 * Sends all, never more than `inFlight` ahead of the acknowledgements; returns the milliseconds each waited.
 */
function publish(socket: Socket, packets: readonly Buffer[], inFlight: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const sentMs = new Float64Array(packets.length);
    const waits: number[] = [];
    let sent = 0;
    const fill = (): void => {
      const part: Buffer[] = [];
      for (; sent < packets.length && sent - waits.length < inFlight; sent++) {
        const packet = packets[sent];
        if (packet) part.push(packet);
        sentMs[sent] = performance.now();
      }
      if (part.length > 0) socket.write(Buffer.concat(part));
    };
    const parser = mqttPacket.parser();
    parser.on("packet", (packet) => {
      if (packet.cmd !== "puback") return;
      const at = ((packet.messageId ?? 1) - 1) % 65_535;
      waits.push(performance.now() - (sentMs[at] ?? 0));
      if (waits.length === packets.length) resolve(waits);
    });
    socket.on("data", (bytes: Buffer) => {
      parser.parse(bytes);
      fill();
    });
    socket.on("close", () => reject(new Error("the broker closed the connection")));
    fill();
  });
}
