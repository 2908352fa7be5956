import { execFile } from "node:child_process";
import { createServer, type AddressInfo, type Server } from "node:net";
import { promisify } from "node:util";
import { meterModels, type MeterModel } from "@metrum/catalogue";
import { pollResults } from "@metrum/contract/headend";
import type { Responder } from "@metrum/protocols/core";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { hasSocat, joinToTcp, portPair, type PortPair } from "#testing/peers/pseudoTerminals";
import { prepareJobs } from "#headend/dialogue";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { startPlanner } from "./planner.ts";

const [seed] = demoPlan(5).devices;
const deviceID = "87654321";
const why = hasSocat ? "" : " (skipped: socat is not installed)";

/** The first model read in this way. */
function modelOf(protocol: string): MeterModel {
  const found = meterModels.find(({ driver }) => driver.kind === "line" && driver.protocol === protocol);
  if (!found) throw new Error(`no model speaks ${protocol}`);
  return found;
}

/** Baud rate of a port, as reported by the system. */
async function speedOf(path: string): Promise<number> {
  return Number((await promisify(execFile)("stty", ["-F", path, "speed"])).stdout);
}

async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (const end = Date.now() + 240_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("did not happen in time");
}

interface ReceivedBytes {
  readonly isSignOn: boolean;
  /** Baud rate of the server's port when the message arrived. */
  readonly baud: number;
}

/**
 * The meter at the far end: it answers only when the port of the server has the expected baud rate, and
 * records the baud rate of each message. Its answer is lost if the port changes after that.
 */
async function meterAt(port: string, responder: Responder, received: ReceivedBytes[]): Promise<Server> {
  const server = createServer((socket) => {
    let last: Promise<unknown> = Promise.resolve();
    const serve = async (bytes: Uint8Array): Promise<void> => {
      const baud = await speedOf(port);
      const answers = responder.receive(bytes);
      if (answers.length === 0) return;
      received.push({ isSignOn: bytes[0] === 0x2f || bytes[0] === 0xaf, baud });
      await until(async () => ((await speedOf(port)) === responder.baud?.() ? true : undefined));
      for (const answer of answers) socket.write(answer);
    };
    socket.on("data", (bytes) => {
      last = last.then(() => serve(bytes));
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
};

describe.skipIf(!hasSocat)(`a serial line that begins at 300 baud${why}`, () => {
  let api: TestApi;
  let dialogue: Dialogue;
  let ports: PortPair;
  let stopPlanner: () => Promise<void>;

  beforeAll(async () => {
    ports = await portPair();
    api = await openTestApi({
      env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_SERIAL_PORTS: ports.ours },
    });
    await prepareJobs(api.services);
    dialogue = await openDialogue(api.services);
    stopPlanner = startPlanner(api.services);
  });
  afterAll(async () => {
    await stopPlanner();
    await dialogue.stop();
    await ports.remove();
    await api.close();
  });

  /**
   * Lets the planner read such a meter once; returns what it received, and the line parameters in the log.
   */
  async function read(model: MeterModel, serial: Record<string, unknown>, evenParity?: boolean) {
    if (!seed || model.driver.kind !== "line") throw new Error("no such meter");
    const db = api.services.database.system;
    const gateway = {
      key: "h",
      modelId: 603,
      name: "Head",
      place: "",
      deviceID: `HEAD-${model.id}`,
      port: 0,
    };
    const planned = { ...seed, modelId: model.id, gateway: "h", insideAddr: "16", deviceID };
    const [id = 0] = await registerPark(api.services.database, api.companies.first, {
      baseStations: [],
      gateways: [gateway],
      devices: [planned],
    });
    const address = {
      insideAddr: "16",
      deviceID,
      ...(evenParity === undefined ? {} : { signOn: { evenParity } }),
    };
    const responder = model.driver.respond(
      address,
      () => 12,
      () => api.services.clock.now(),
    );
    const received: ReceivedBytes[] = [];
    const meter = await meterAt(ports.ours, responder, received);
    const unplug = joinToTcp(ports.theirs, portOf(meter));
    await sql`update gateway set serial = ${JSON.stringify({ path: ports.ours, ...serial })}::jsonb
      where device_id = ${gateway.deviceID}`.execute(db);
    const row = await until(async () => {
      await sql`update device_state set next_poll_at = ${api.services.clock.now()} where device_id = ${id}`.execute(
        db,
      );
      const { rows } = await sql<{ readings: number }>`
        select readings from poll_log where device_id = ${id} and result = ${pollResults.ok.id} limit 1`.execute(
        db,
      );
      return rows[0];
    });
    await sql`update device set is_active = false where id = ${id}`.execute(db);
    await unplug();
    meter.close();
    return { readings: row.readings, received };
  }

  test("changes to the offered speed for the read-out, and back to 300 after it", async () => {
    const { readings, received } = await read(modelOf("iec62056-21"), {
      baud_rate: 300,
      data_bits: 7,
      parity: "even",
    });
    const back = await until(async () => ((await speedOf(ports.ours)) === 300 ? 300 : undefined));

    expect(readings).toBeGreaterThan(0);
    const signOns = received.filter(({ isSignOn }) => isSignOn);
    expect(new Set(signOns.map(({ baud }) => baud))).toEqual(new Set([300]));
    expect(received.length).toBeGreaterThan(signOns.length);
    expect(back).toBe(300);
  });

  test("signs on to a DLMS meter by mode E and uses HDLC at the offered speed", async () => {
    const { readings, received } = await read(modelOf("dlms"), { baud_rate: 300, sign_on: "mode_e" }, true);

    expect(readings).toBeGreaterThan(0);
    expect(new Set(received.filter(({ isSignOn }) => isSignOn).map(({ baud }) => baud))).toEqual(
      new Set([300]),
    );
    // HDLC follows the confirmation.
    expect(received.filter(({ baud }) => baud === 9600).length).toBeGreaterThan(2);
  });
});
