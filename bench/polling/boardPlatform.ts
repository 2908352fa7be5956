import { pathOf, type Call, type ReplyOf } from "@metrum/contract/core";
import { pollGroups, polling } from "@metrum/contract/headend";
import { devices as deviceCalls, gateways as gatewayCalls } from "@metrum/contract/metering";
import type { Park } from "@metrum/simulator";
import type { CompanyId } from "@metrum/vocabulary";
import { createSessions } from "../../apps/server/src/access/auth/index.ts";
import { buildApp } from "../../apps/server/src/app.ts";
import { readConfig } from "../../apps/server/src/config.ts";
import {
  createBus,
  createLog,
  openDatabase,
  systemClock,
  type Database,
} from "../../apps/server/src/core/index.ts";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import { domains } from "../../apps/server/src/domains.ts";
import { putDeviceSecret } from "../../apps/server/src/metering/devices/index.ts";
import { seedCatalogue } from "../../apps/server/src/platform/demo/catalogue.ts";
import { createServices } from "../../apps/server/src/services.ts";
import type { Fate, FatedPlan } from "./boardPlan.ts";
import type { Ask, Registered } from "./boardVerdict.ts";
import { freePort, owner, type Installation } from "../failures/killsServer.ts";
import { signIn } from "../failures/killsSockets.ts";

/** The running platform as seen by its first account. */
export interface OpenPlatform {
  readonly database: Database;
  readonly ask: Ask;
  /** Registers a plan and switches off what its fates say. */
  readonly register: (plan: FatedPlan, converters: Park["converters"]) => Promise<Registered[]>;
  /** From now on calls are answered as at this time, epoch seconds. */
  readonly moveTo: (at: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

type Send = (path: string, method: string, body: object) => Promise<{ status: number; text: string }>;

const wrongPassword = "654321";

export async function openPlatform(at: Installation, zone: string): Promise<OpenPlatform> {
  const { connection } = await startEmbedded({ dataDir: at.dataDir, log: () => undefined });
  const database = openDatabase({ ...connection, max: 4 });
  const config = readConfig({
    METRUM_DATA_DIR: at.dataDir,
    METRUM_LOG_LEVEL: "warn",
    NODE_ENV: "production",
  });
  let now = systemClock.now;
  const services = createServices({
    config,
    database,
    bus: createBus((error) => {
      throw error;
    }),
    clock: { ...systemClock, now: () => now(), nowMs: () => now() * 1000 },
    log: createLog("warn"),
  });
  const { rows } = await database.pool.query<{ id: CompanyId }>(
    "update company set timezone = $2 where id = (select company_id from users where email = $1) returning id",
    [owner.email, zone],
  );
  const companyId = rows[0]?.id;
  if (companyId === undefined) throw new Error("there is no first account");
  const url = `http://127.0.0.1:${String(at.httpPort)}/api`;
  const token = await signIn(url);
  let send: Send = async (path, method, body) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const ask = async <C extends Call>(call: C, body: object): Promise<ReplyOf<C>> => {
    const { status, text } = await send(pathOf(call), call.method, body);
    if (status !== 200) throw new Error(`${call.id}: ${text}`);
    return (JSON.parse(text) as { readonly data: ReplyOf<C> }).data;
  };
  return {
    database,
    ask,
    async register(plan, converters) {
      const gateways = await Promise.all(
        plan.gateways.map(async (gateway) =>
          gateway.port === undefined
            ? gateway
            : { ...gateway, port: converters.get(gateway.key)?.port ?? (await freePort()) },
        ),
      );
      const seeded = await database.system
        .transaction()
        .execute((db) => seedCatalogue(db, companyId, { ...plan, gateways }, "127.0.0.1"));
      const devices = seeded.flatMap(({ id }, nth): Registered[] => {
        const planned = plan.devices[nth];
        return planned ? [{ id, planned }] : [];
      });
      for (const deviceId of seeded.flatMap(({ id }, nth) => (plan.devices[nth]?.fate === "key" ? [id] : [])))
        await putDeviceSecret(
          { db: database.system, secretBox: services.secretBox },
          { deviceId, name: "password", text: wrongPassword },
        );
      await switchOff(ask, database, devices);
      await addGroups(ask, database, devices);
      return devices;
    },
    async moveTo(time) {
      now = () => time;
      const { fastify } = await buildApp(services, { resolveSession: createSessions(services), domains });
      const inject = async (path: string, method: string, body: object, as?: string) => {
        const { statusCode, body: text } = await fastify.inject({
          method: method as "POST",
          url: `/api/${path}`,
          headers: as === undefined ? {} : { authorization: `Bearer ${as}` },
          payload: body,
        });
        return { status: statusCode, text };
      };
      const { text } = await inject("auth/login", "POST", { ...owner, personal_data_access: true });
      const later = (JSON.parse(text) as { data: { access_token: string } }).data.access_token;
      send = (path, method, body) => inject(path, method, body, later);
    },
    close: () => database.close(),
  };
}

const idsOf = (devices: readonly Registered[], ...fates: readonly Fate[]): number[] =>
  devices.flatMap(({ id, planned }) => (fates.includes(planned.fate) ? [id] : []));

async function switchOff(ask: Ask, { pool }: Database, devices: readonly Registered[]): Promise<void> {
  await ask(deviceCalls.switchBulk, { device_ids: idsOf(devices, "off"), is_active: false });
  for (const device_id of idsOf(devices, "unscheduled", "asked"))
    await ask(polling.switch, { device_id, is_active: false });
  const { rows } = await pool.query<{ id: number }>(
    "select distinct gateway_id as id from device where id = any($1)",
    [idsOf(devices, "gatewayOff")],
  );
  await ask(gatewayCalls.changeMany, { action: "switch_off", filter: { ids: rows.map(({ id }) => id) } });
}

/** A poll group of each model for all its devices, and one that is off. */
async function addGroups(ask: Ask, { pool }: Database, devices: readonly Registered[]): Promise<void> {
  const { rows } = await pool.query<{
    model_id: number;
    interface_id: number;
    is_off: boolean;
    ids: number[];
  }>(
    `select model_id, interface_id, id = any($1) as is_off, array_agg(id order by id) as ids
      from device where id = any($2) group by 1, 2, 3`,
    [idsOf(devices, "groupOff"), devices.map(({ id }) => id)],
  );
  const intervalSec = devices[0]?.planned.intervalSec ?? 0;
  for (const { model_id, interface_id, is_off, ids } of rows)
    await ask(pollGroups.create, {
      name: `Model ${String(model_id)}${is_off ? ", off" : ""}`,
      model_id,
      device_interface_id: interface_id,
      report_period_update: intervalSec,
      selected_data: { archives: [] },
      is_active: !is_off,
      device_ids: ids,
    });
}
