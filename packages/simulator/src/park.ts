import { modelById } from "@metrum/catalogue";
import type { TakeOrder } from "@metrum/protocols/core";
import { createBus, soleBus, type OnAnswer } from "./bus.ts";
import { startConverter, type Converter } from "./converter.ts";
import { createFaults, createObedience, isAsleep, noFaults, type Faults } from "./faults.ts";
import { createMeter, type Meter } from "./meter.ts";
import type { TakenOrder } from "./orderBook.ts";
import { startModem } from "./modem.ts";
import type { Plan, PlannedGateway } from "./plans/plan.ts";
import { startRadio, type RadioTarget } from "./radio.ts";
import { mix } from "./random.ts";
import { damagerOf, startSpeaker } from "./speaker.ts";
import { createTimetable, type Timetable } from "./timetable.ts";

export interface ParkOptions {
  /** Host of the platform, on which converters listen too. */
  readonly host: string;
  readonly ports: { readonly modem: number };
  /** Network server events; without it LoRaWAN devices are silent. */
  readonly mqtt?: RadioTarget;
  readonly seed?: number;
  /** Read at every exchange, so a test may change it while the park runs. */
  readonly faults?: Partial<Faults>;
  /** For meters behind modems and converters. */
  readonly onAnswer?: OnAnswer;
  /** Epoch seconds UTC, with fractions. */
  readonly now?: () => number;
  readonly utcOffsetSec?: number;
  readonly heartbeatSec?: number;
}

export interface Park {
  readonly devices: readonly Meter[];
  /**
   * Address of each converter, P1 port and receiver, by key of the gateway: the planned port, or another one
   * if that was in use.
   */
  readonly converters: ReadonlyMap<string, { readonly host: string; readonly port: number }>;
  /** Port of the control of each gateway that has one, and the orders that it has received, by its key. */
  readonly controls: ReadonlyMap<string, ControlledGateway>;
  /** Ends every connection; afterwards no device answers. */
  readonly stop: () => Promise<void>;
}

export interface ControlledGateway {
  readonly port: number;
  /** In the order of their receipt. */
  readonly log: readonly TakenOrder[];
}

interface Shared {
  readonly options: ParkOptions;
  readonly timetable: Timetable;
  readonly now: () => number;
  readonly live: Faults;
}

/** Runs a plan over real sockets. Errors: Error when a model is unknown. */
export async function startPark(plan: Plan, options: ParkOptions): Promise<Park> {
  const { faults = {}, seed = 1 } = options;
  const live = completed(faults);
  const shared: Shared = {
    options,
    timetable: createTimetable(),
    now: options.now ?? (() => Date.now() / 1000),
    live,
  };
  const wrapped = new Set(plan.gateways.flatMap(({ key, isWrapped }) => (isWrapped ? [key] : [])));
  const devices = plan.devices.map((device) =>
    createMeter(device, options.utcOffsetSec ?? 0, wrapped.has(device.gateway ?? "")),
  );
  const converters = new Map<string, { host: string; port: number }>();
  const controls = new Map<string, ControlledGateway>();
  const stops: (() => void | Promise<void>)[] = [];

  const byGateway = new Map<string | undefined, Meter[]>();
  for (const meter of devices) {
    const { gateway } = meter.device;
    const together = byGateway.get(gateway);
    if (together) together.push(meter);
    else byGateway.set(gateway, [meter]);
  }
  for (const [at, gateway] of plan.gateways.entries()) {
    const meters = byGateway.get(gateway.key) ?? [];
    const start = { gateway, meters, seed: mix(seed, at), shared, converters, controls };
    stops.push(await startGateway(start));
    if (gateway.controlPort !== undefined) stops.push(await startControl(start));
  }
  const byRadio = devices.filter(
    ({ device, model }) => model.driver.kind === "uplink" && device.gateway === undefined,
  );
  if (options.mqtt && byRadio.length > 0) {
    const { timetable, now } = shared;
    stops.push(
      startRadio({
        target: options.mqtt,
        meters: byRadio,
        timetable,
        now,
        loss: () => live.loss,
        hasOutages: () => live.outages,
        obedience: createObedience(live, mix(seed, obedienceSeed)),
      }),
    );
  }
  return {
    devices,
    converters,
    controls,
    async stop() {
      shared.timetable.stop();
      await Promise.all(stops.map(async (stop) => stop()));
    },
  };
}

/** The same object with defaults filled in, so that changes of the caller affect the running park. */
function completed(faults: Partial<Faults>): Faults {
  return Object.assign(faults, { ...noFaults, ...faults });
}

const obedienceSeed = 0x0b;

interface GatewayStart {
  readonly gateway: PlannedGateway;
  readonly meters: readonly Meter[];
  readonly seed: number;
  readonly shared: Shared;
  readonly converters: Map<string, { host: string; port: number }>;
  readonly controls: Map<string, ControlledGateway>;
}

async function startGateway(of: GatewayStart): Promise<() => void | Promise<void>> {
  const { gateway, meters, seed, shared } = of;
  const { options, timetable, now, live } = shared;
  const { host, heartbeatSec } = options;
  const model = modelById(gateway.modelId);
  if (model?.kind !== "gateway") throw new Error(`the catalogue has no gateway ${String(gateway.modelId)}`);
  const { listens } = gateway;
  const hasOutages = (): boolean => live.outages;
  if (listens) {
    const faults = createFaults(live, seed, damagerOf(listens));
    return waitOnPort(of, (port) =>
      startSpeaker({ host, port, listens, meters, now, timetable, hasOutages, faults }),
    );
  }
  const bus = createBus({
    meters,
    now: () => Math.floor(now()),
    isUnreachable: (meter) =>
      (live.outages && meter.isSilentAt(Math.floor(now()))) || isAsleep(live, meter.device.seed, now()),
    obedience: createObedience(live, mix(seed, obedienceSeed)),
    faults: createFaults(live, seed),
    onAnswer: options.onAnswer,
  });
  if (model.connection === "tcp_client")
    return waitOnPort(of, (port) => startConverter({ host, port, bus, timetable }));
  return startModem({
    host,
    port: options.ports.modem,
    imei: gateway.deviceID,
    bus,
    timetable,
    ...(heartbeatSec === undefined ? {} : { heartbeatSec }),
  });
}

const controlSeed = 0x0c;

/** The control of a gateway on a port of its own: it obeys, refuses, lies and is late as devices do. */
async function startControl(of: GatewayStart): Promise<Converter["stop"]> {
  const { gateway, seed, shared, controls } = of;
  const { options, timetable, live } = shared;
  const model = modelById(gateway.modelId);
  const driver = model?.kind === "gateway" ? model.control?.driver : undefined;
  if (!driver) throw new Error(`the catalogue has no control of gateway ${String(gateway.modelId)}`);
  const now = (): number => Math.floor(shared.now());
  const log: TakenOrder[] = [];
  const obedience = createObedience(live, mix(seed, obedienceSeed ^ controlSeed));
  const takeOrder: TakeOrder = (order) => {
    const did = obedience();
    log.push({ at: now(), order, did });
    return did;
  };
  const address = {
    insideAddr: "",
    deviceID: gateway.deviceID,
    utcOffsetMinutes: (options.utcOffsetSec ?? 0) / 60,
  };
  const responder = driver.respond(address, () => 0, now, undefined, takeOrder);
  const bus = soleBus(responder, createFaults(live, mix(seed, controlSeed)));
  const { host } = options;
  const started = await startConverter({ host, port: gateway.controlPort ?? 0, bus, timetable });
  controls.set(gateway.key, { port: started.port, log });
  return started.stop;
}

/** Starts listeners on the planned port, or on any other if that is in use, and records the address. */
async function waitOnPort(
  { gateway, shared, converters }: GatewayStart,
  start: (port: number) => Promise<Converter>,
): Promise<Converter["stop"]> {
  const wanted = gateway.port ?? 0;
  const started = await start(wanted).catch((error: unknown) => {
    if (wanted === 0) throw error;
    return start(0);
  });
  converters.set(gateway.key, { host: shared.options.host, port: started.port });
  return started.stop;
}
