import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { modelById } from "@metrum/catalogue";
import { randomFrom } from "@metrum/protocols/core";
import { issueMqttCredentials } from "../../apps/server/src/headend/channels/index.ts";
import { openDatabase, type Database } from "../../apps/server/src/core/index.ts";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import {
  buildProduct,
  endAll,
  freePort,
  owner,
  startServer,
  type Installation,
} from "../failures/killsServer.ts";
import { signIn, startDatagrams, startPushes } from "../failures/killsSockets.ts";
import {
  answerWrongly,
  datagrams,
  dialIn,
  published,
  pushed,
  rawHttp,
  rawMqtt,
  type Outcome,
  type Sender,
  type Target,
} from "./mutatedSenders.ts";
import { atLeast, atMost, percentile, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- mutated 10000` is a short form. */
const count = Number(process.argv[3] ?? 100_000);
const seed = 20_261_122;
const radioModel = 301;
const meterModel = 102;
const modems = 10;
const radioDevices = 20;
/** Security rules, section 4. */
const mostMoreMb = 200;
const restMs = 120_000;

/** Transports with their shares of the frames. */
const ways: readonly (readonly [name: string, share: number, send: Sender])[] = [
  ["dial-in", 0.4, dialIn],
  ["datagrams", 0.25, datagrams],
  ["MQTT, packets on the wire", 0.1, rawMqtt],
  ["MQTT, messages", 0.15, published],
  ["HTTP, requests on the wire", 0.05, rawHttp],
  ["HTTP, pushes", 0.05, pushed],
];

export const bench: Bench = {
  title: `${count.toLocaleString("en")} mutated frames over sockets: the server stays healthy, and its memory comes back`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-mutated-"));
    await chmod(dataDir, 0o711);
    const [httpPort = 0, mqttPort = 0, modemPort = 0, udpPort = 0] = await Promise.all(
      Array.from({ length: 4 }, freePort),
    );
    const at: Installation & { readonly udpPort: number } = {
      dataDir,
      isBuilt: true,
      httpPort,
      mqttPort,
      modemPort,
      udpPort,
    };
    const server = await startServer(at);
    try {
      const { connection } = await startEmbedded({ dataDir, log: () => undefined });
      const database = openDatabase({ ...connection, max: 1 });
      try {
        return await storm({ server, target: { ...at, ...(await seedAll(database, at)) } });
      } finally {
        await database.close();
      }
    } finally {
      await endAll(server, at);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function seedAll({ pool, ...database }: Database, { httpPort }: Installation) {
  const imeis = Array.from({ length: modems }, (_, n) => String(350_000_000_000_000 + n));
  const devEuis = Array.from({ length: radioDevices }, (_, n) =>
    (0xa1b2_0000_0000n + BigInt(n)).toString(16).padStart(16, "0"),
  );
  const { rows } = await pool.query<{ id: number }>("select company_id as id from users where email = $1", [
    owner.email,
  ]);
  const companyId = rows[0]?.id ?? 0;
  const radio = modelById(radioModel);
  const meter = modelById(meterModel);
  if (radio?.kind !== "meter" || meter?.kind !== "meter") throw new Error("the catalogue lacks a model");
  await pool.query(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select $1, $2, $3, 1, $4, 7, eui, eui from unnest($5::text[]) eui`,
    [companyId, radioModel, radio.title, radio.deviceTypeId, devEuis],
  );
  await pool.query(
    `with made as (insert into gateway (company_id, model_id, interface_id, name, device_id)
        select $1, 601, 1, imei, imei from unnest($2::text[]) imei returning id, device_id)
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID",
        inside_addr, gateway_id, report_period_update)
      select $1, $3, $4, 4, $5, 4, device_id, 'm' || device_id, '1', id, 2 from made`,
    [companyId, imeis, meterModel, meter.title, meter.deviceTypeId],
  );
  const credentials = await issueMqttCredentials({ pool, ...database }, companyId);
  const token = await signIn(`http://127.0.0.1:${String(httpPort)}/api`);
  return { imeis, devEuis, credentials, token, random: randomFrom(seed) };
}

async function storm({
  server,
  target,
}: {
  readonly server: ChildProcess;
  readonly target: Target;
}): Promise<Figure[]> {
  const errors = { lines: 0 };
  server.stdout?.on("data", (bytes: Buffer) => {
    for (const line of bytes.toString().split("\n")) if (/"level":[56]0/.test(line)) note(errors, line);
  });
  await sleep(3_000);
  const startMb = memoryMb(server);
  const watch = watchHealth(server, target.httpPort);
  const wrong = answerWrongly(target, meterModel);
  const startedMs = performance.now();
  const outcomes = await Promise.all(
    ways.map(async ([name, share, send]) => [name, await send(target, Math.ceil(count * share))] as const),
  );
  const all: (readonly [string, Outcome])[] = [...outcomes, ["modems, answers to polls", wrong.stop()]];
  const tookSec = (performance.now() - startedMs) / 1000;
  const honest = await honestAreServed(target);
  const { restMb, restSec } = await rested(server, startMb);
  const health = watch.stop();
  const serverErrors = all.flatMap(([, outcome]) =>
    Object.entries(outcome).flatMap(([status, n]) => (/^5(?!03)\d\d$/.test(status) ? [n] : [])),
  );
  return [
    ...all.flatMap(([name, outcome]) =>
      Object.entries(outcome).map(([what, n]) => reported(`${name}: ${what}`, n, "")),
    ),
    atLeast(
      "frames sent in all",
      all.reduce((sum, [, outcome]) => sum + (outcome["sent"] ?? 0), 0),
      "",
      count * 0.9,
    ),
    reported("in", tookSec, "s"),
    reported("memory of the server before", startMb, "MiB"),
    reported("  the most", health.mostMb, "MiB"),
    reported("  after, when it had come to rest", restMb, "MiB"),
    atMost("  more than before", restMb - startMb, "MiB", mostMoreMb),
    reported("  after a rest of", restSec, "s"),
    atMost("health that was not answered with 200", health.failed, "", 0),
    reported("health p50", percentile(health.tookMs, 0.5), "ms"),
    reported("health p99", percentile(health.tookMs, 0.99), "ms"),
    atMost(
      "answers 5xx other than 503 (busy, with Retry-After)",
      serverErrors.reduce((sum, n) => sum + n, 0),
      "",
      0,
    ),
    atMost("errors in the log of the server", errors.lines, "lines", 0),
    atLeast("honest readings taken afterwards, over UDP and HTTP", honest, "", 2),
    atMost("server ended", server.exitCode === null && server.signalCode === null ? 0 : 1, "", 0),
  ];
}

function note(errors: { lines: number }, line: string): void {
  errors.lines += 1;
  if (errors.lines <= 5) console.error(`  the server: ${line.slice(0, 500)}`);
}

/** Resident memory of the server process itself. */
function memoryMb({ pid }: ChildProcess): number {
  const text = readFileSync(`/proc/${String(pid)}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN) / 1024;
}

function watchHealth(server: ChildProcess, httpPort: number) {
  const seen = { tookMs: new Array<number>(), failed: 0, mostMb: 0 };
  const held = { isStopped: false };
  const run = async (): Promise<void> => {
    while (!held.isStopped) {
      const startMs = performance.now();
      const isWell = await fetch(`http://127.0.0.1:${String(httpPort)}/healthz`, {
        signal: AbortSignal.timeout(10_000),
      }).then(
        ({ status }) => status === 200,
        () => false,
      );
      seen.tookMs.push(performance.now() - startMs);
      if (!isWell) seen.failed += 1;
      seen.mostMb = Math.max(seen.mostMb, memoryMb(server));
      await sleep(100);
    }
  };
  void run();
  return {
    stop() {
      held.isStopped = true;
      return seen;
    },
  };
}

/** Transports over which a valid reading is acknowledged after the storm. */
async function honestAreServed(target: Target): Promise<number> {
  const base = Math.floor(Date.now() / 1000) - 3_600;
  const [first = "", second = ""] = target.devEuis;
  const senders = [
    startDatagrams(target.udpPort, { devices: [first], base }),
    await startPushes(target.httpPort, { devices: [second], base }),
  ];
  await sleep(5_000);
  await Promise.all(senders.map((each) => each.stop()));
  return senders.filter(({ acknowledged }) => [...acknowledged.values()].some(({ size }) => size > 0)).length;
}

/** Waits until memory is back to normal, up to a time limit. */
async function rested(server: ChildProcess, startMb: number): Promise<{ restMb: number; restSec: number }> {
  const startedMs = performance.now();
  for (;;) {
    const restMb = memoryMb(server);
    const tookMs = performance.now() - startedMs;
    if (restMb - startMb < mostMoreMb / 2 || tookMs > restMs) return { restMb, restSec: tookMs / 1000 };
    await sleep(1_000);
  }
}
