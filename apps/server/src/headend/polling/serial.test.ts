import { pollResults, tasks } from "@metrum/contract/headend";
import { demoPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unpackSteps } from "#headend/exchanges";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { hasSocat, joinToTcp, portPair, type PortPair } from "#testing/peers/pseudoTerminals";
import { prepareJobs } from "#headend/dialogue";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { startPlanner } from "./planner.ts";

/** A Modbus RTU meter, connected through a converter of the simulator. */
const meter = demoPlan(5).devices.find(({ modelId }) => modelId === 101);
if (!meter) throw new Error("no Modbus RTU meter in the plan");
const plan: Plan = {
  baseStations: [],
  gateways: [{ key: "c", modelId: 603, name: "RS-485", place: "", deviceID: "SERIAL-1", port: 0 }],
  devices: [{ ...meter, gateway: "c", insideAddr: "1" }],
};

const why = hasSocat ? "" : " (skipped: socat is not installed)";

describe.skipIf(!hasSocat)(`a meter on a serial port${why}`, () => {
  let api: TestApi;
  let dialogue: Dialogue;
  let park: Park;
  let ports: PortPair;
  let unplug: () => Promise<void>;
  let stopPlanner: () => Promise<void>;
  let id: number;
  let token: string;

  const joinMeter = (): void => {
    unplug = joinToTcp(ports.theirs, park.converters.get("c")?.port ?? 0);
  };

  beforeAll(async () => {
    ports = await portPair();
    park = await startPark(plan, { host: "127.0.0.1", ports: { modem: 0 }, faults: { delayMs: [1, 5] } });
    joinMeter();
    api = await openTestApi({
      env: {
        METRUM_MODEM_PORTS: "0:imei",
        METRUM_MQTT_PORT: "0",
        METRUM_DEVICE_HOST: "127.0.0.1",
        METRUM_SERIAL_PORTS: ports.ours,
      },
    });
    await prepareJobs(api.services);
    dialogue = await openDialogue(api.services);
    [id = 0] = await registerPark(api.services.database, api.companies.first, plan);
    await sql`update gateway set serial = ${JSON.stringify({ path: ports.ours, baud_rate: 19_200, parity: "even" })}::jsonb
      where device_id = 'SERIAL-1'`.execute(api.services.database.system);
    token = await api.token("engineer@metrum.example");
    stopPlanner = startPlanner(api.services);
  });
  afterAll(async () => {
    await stopPlanner();
    await dialogue.stop();
    await park.stop();
    await unplug();
    await ports.remove();
    await api.close();
  });

  /** Exchanges of the device with this outcome, newest first. */
  async function logged(result: number) {
    const { data } = await api.ask(tasks.logs, {
      token,
      input: { body: { device_id: id, result_code: result } },
    });
    return data.logs.data;
  }

  /** Lets the planner poll the meter until one more exchange has this outcome. */
  async function askUntil(result: number, message = "") {
    const rowsOf = async () => (await logged(result)).filter((row) => row.message.includes(message));
    const before = (await rowsOf()).length;
    return until(async () => {
      await sql`update device_state set next_poll_at = ${api.services.clock.now()} where device_id = ${id}`.execute(
        api.services.database.system,
      );
      const rows = await rowsOf();
      return rows.length > before ? rows[0] : undefined;
    });
  }

  async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
    for (const end = Date.now() + 120_000; Date.now() < end;) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("did not happen in time");
  }

  test("is polled on schedule, and its exchange is in the log byte by byte", async () => {
    const row = await askUntil(pollResults.ok.id);

    const { rows } = await sql<{ line: string; steps: Buffer }>`
      select line, steps from poll_log where device_id = ${id} and result = ${pollResults.ok.id} limit 1`.execute(
      api.services.database.system,
    );
    expect(row.readings).toBeGreaterThan(0);
    expect(rows[0]?.line).toBe(`serial:${ports.ours}`);
    expect(unpackSteps(rows[0]?.steps ?? Buffer.of())[0]?.sent).toMatch(/^010[34]/);
  });

  test("is lost when the adapter is unplugged, and read again when it is back", async () => {
    const line = dialogue.ports.lines.held(`serial:${ports.ours}`);
    await unplug();
    await ports.pullOut();
    await until(() => Promise.resolve(line?.isOpen === false ? true : undefined));

    const lost = await askUntil(pollResults.no_line.id, "cannot be opened");
    await ports.plugIn();
    joinMeter();
    const back = await askUntil(pollResults.ok.id);

    expect(lost.message).toBe(`the serial port ${ports.ours} cannot be opened with 19200 8E1`);
    expect(back.readings).toBeGreaterThan(0);
  });

  test("is not polled on a port that is not configured", async () => {
    await sql`update gateway set serial = '{"path": "/dev/null"}' where device_id = 'SERIAL-1'`.execute(
      api.services.database.system,
    );

    const row = await askUntil(pollResults.no_line.id, "METRUM_SERIAL_PORTS");

    expect(row.message).toBe("no running server has this serial port in METRUM_SERIAL_PORTS");
  });
});
