import { modelById } from "@metrum/catalogue";
import {
  startPark,
  type Faults,
  type Meter,
  type Park,
  type Plan,
  type PlannedDevice,
} from "@metrum/simulator";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { startSession } from "../../apps/server/src/access/auth/index.ts";
import { companyById, createCompany, modulesFor } from "../../apps/server/src/access/companies/index.ts";
import { accountOf, createUser, hashPassword } from "../../apps/server/src/access/users/index.ts";
import type { Services } from "../../apps/server/src/core/index.ts";
import { issueMqttCredentials } from "../../apps/server/src/headend/channels/index.ts";
import { seedCatalogue, seedKeys } from "../../apps/server/src/platform/demo/catalogue.ts";
import { keyPair } from "../../packages/simulator/src/keys.ts";
import { freePort, owner } from "../failures/killsServer.ts";

/** Protocols of the devices: four with lines, two by radio. */
export const protocols = ["dlms", "mercury", "modbus", "mbus", "vega", "milesight"] as const;
export type Protocol = (typeof protocols)[number];

const models: Readonly<Record<Protocol, number>> = {
  dlms: 702,
  mercury: 120,
  modbus: 108,
  mbus: 201,
  vega: 301,
  milesight: 524,
};
const gatewayModels = { converter: 603, level: 604, modem: 601 } as const;

/** A simulated device with its row, and the session of the only user who commands it. */
export interface Controlled {
  readonly id: DeviceId;
  readonly protocol: Protocol;
  readonly token: string;
  readonly meter: Meter;
  /** Its modem dials in late. */
  readonly isLate: boolean;
}

export interface ControlPark {
  readonly devices: readonly Controlled[];
  readonly staff: string;
  readonly faults: Partial<Faults>;
  /** Dials in with the modems that were away. */
  readonly startLate: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Devices of each protocol in each company, and users who share them. */
const perCompany = { each: 4, users: 3, companies: 4 } as const;
/** Radio devices send this often: a downlink waits for an uplink. */
const radioSec = 12;

const isRadio = (protocol: Protocol): boolean => protocol === "vega" || protocol === "milesight";
const isByModem = (protocol: Protocol, at: number): boolean => protocol !== "mbus" && at % 2 === 1;
/** Of the devices behind modems, those that are away at first. */
const isLateAt = (protocol: Protocol, at: number): boolean => isByModem(protocol, at) && at % 4 === 3;

/** The devices of one company; those with lines have one each. */
async function planOf(company: number): Promise<Plan> {
  const gateways: Plan["gateways"][number][] = [];
  const devices: PlannedDevice[] = [];
  for (const [kind, protocol] of protocols.entries())
    for (let at = 0; at < perCompany.each; at++) {
      const number = (company * protocols.length + kind) * perCompany.each + at;
      const key = `g${String(number)}`;
      const isModem = isByModem(protocol, at);
      if (!isRadio(protocol))
        gateways.push({
          key,
          modelId: protocol === "mbus" ? gatewayModels.level : gatewayModels[isModem ? "modem" : "converter"],
          name: `G-${String(number)}`,
          place: "",
          deviceID: isModem ? String(350_000_000_100_000 + number) : `C${String(410_000 + number)}`,
          ...(isModem ? {} : { port: await freePort() }),
        });
      devices.push({
        modelId: models[protocol],
        ...(isRadio(protocol) ? {} : { gateway: key }),
        insideAddr: protocol === "dlms" ? "17" : "1",
        deviceID: isRadio(protocol)
          ? (0xc0de_0000_0000n + BigInt(number)).toString(16).padStart(16, "0")
          : String(88_000_000 + number),
        ...(protocol === "dlms" ? keyPair(number + 1) : {}),
        name: `${protocol} ${String(number)}`,
        place: "",
        intervalSec: isRadio(protocol) ? radioSec : 3600,
        seed: number + 1,
        load: "home",
        meanPerHour: 1,
        start: 1000,
        impulseWeight: 1,
        startingValue: 0,
        hasLeaks: false,
        clockDriftPerDay: 0,
      });
    }
  return { baseStations: [], gateways, devices };
}

export interface ControlPorts {
  readonly modemPort: number;
  readonly mqttPort: number;
}

/** Registers companies, users and devices, and starts the simulated devices in this process. */
export async function startControlled(services: Services, ports: ControlPorts): Promise<ControlPark> {
  const faults: Partial<Faults> = { delayMs: [5, 40] };
  const devices: Controlled[] = [];
  const late: (() => Promise<Park>)[] = [];
  const parks: Park[] = [];
  for (let at = 0; at < perCompany.companies; at++) {
    const plan = await planOf(at);
    const { companyId, tokens } = await aCompany(services, at);
    const seeded = await services.database.system.transaction().execute(async (db) => {
      const made = await seedCatalogue(db, companyId, plan, "127.0.0.1");
      await seedKeys({ db, secretBox: services.secretBox }, made);
      return made;
    });
    const credentials = await issueMqttCredentials(services.database, companyId);
    const begin = (isLate: boolean): Promise<Park> =>
      startPark(partOf(plan, isLate), {
        host: "127.0.0.1",
        ports: { modem: ports.modemPort },
        seed: at + 1,
        faults,
        heartbeatSec: 20,
        mqtt: {
          url: `mqtt://127.0.0.1:${String(ports.mqttPort)}`,
          ...credentials,
          prefix: `c${String(companyId)}`,
        },
      });
    const park = await begin(false);
    parks.push(park);
    late.push(() => begin(true));
    for (const [n, { id, planned }] of seeded.entries()) {
      const protocol = protocols.find((each) => models[each] === planned.modelId) ?? "dlms";
      const meter = park.devices.find(({ device }) => device.deviceID === planned.deviceID);
      const token = tokens[n % tokens.length] ?? "";
      devices.push({ id, protocol, token, isLate: meter === undefined, meter: meter ?? absent(planned) });
    }
  }
  return {
    devices,
    staff: await staffToken(services),
    faults,
    async startLate() {
      for (const start of late.splice(0)) {
        const park = await start();
        parks.push(park);
        for (const each of devices) {
          const found = park.devices.find(({ device }) => device.deviceID === each.meter.device.deviceID);
          if (found) Object.assign(each, { meter: found });
        }
      }
    },
    stop: async () => void (await Promise.all(parks.map((park) => park.stop()))),
  };
}

/** The devices whose modems are away at first, or the others. */
function partOf({ gateways, devices }: Plan, isLate: boolean): Plan {
  const late = new Set(
    devices.flatMap(({ modelId, gateway }, n) => {
      const protocol = protocols.find((each) => models[each] === modelId) ?? "dlms";
      return gateway !== undefined && isLateAt(protocol, n % perCompany.each) ? [gateway] : [];
    }),
  );
  const isWanted = (gateway: string | undefined): boolean =>
    (gateway !== undefined && late.has(gateway)) === isLate;
  return {
    baseStations: [],
    gateways: gateways.filter(({ key }) => isWanted(key)),
    devices: devices.filter(({ gateway }) => isWanted(gateway)),
  };
}

/** A device that has not been started has received nothing. */
function absent(device: PlannedDevice): Meter {
  const model = modelById(device.modelId);
  if (model?.kind !== "meter") throw new Error("the catalogue has no such meter");
  return { device, model, orders: { log: [] } } as unknown as Meter;
}

async function aCompany(services: Services, at: number): Promise<{ companyId: CompanyId; tokens: string[] }> {
  const { database, config } = services;
  const provider = await companyById(database.system, config.providerCompanyId as CompanyId);
  if (!provider) throw new Error("there is no provider");
  const { id: companyId } = await createCompany(database.system, provider, {
    name: `Control ${String(at)}`,
    timezone: "UTC",
    is_dealer: false,
    active_modules: modulesFor({ isDealer: true }),
  });
  const password_hash = await hashPassword(owner.password);
  const tokens: string[] = [];
  for (let n = 0; n < perCompany.users; n++) {
    const email = `control${String(at)}-${String(n)}@metrum.example`;
    await createUser(database.system, {
      company_id: companyId,
      access_group_id: null,
      email,
      name: "Control",
      is_admin: true,
      password_hash,
      personal_data_access_at: new Date(),
      language: "en",
    });
    tokens.push(await sessionOf(services, email));
  }
  return { companyId, tokens };
}

const staffToken = (services: Services): Promise<string> => sessionOf(services, owner.email);

async function sessionOf({ database }: Services, email: string): Promise<string> {
  const account = await accountOf(database.system, email);
  if (!account) throw new Error(`no account ${email}`);
  return startSession(database.system, {
    userId: account.id,
    companyId: account.company_id,
    at: new Date(),
    address: "127.0.0.1",
    agent: "bench",
  });
}
