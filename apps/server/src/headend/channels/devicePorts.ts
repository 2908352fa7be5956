import type { Config } from "#config";
import type { Services, Stop } from "#core";
import { callerChannel, noteSession } from "#metering/gateways";
import { createConnectionLimiter } from "./bounds.ts";
import { LineLost, type Channel } from "./channel.ts";
import type { OnMqttMessage } from "./mqtt/mqttMessage.ts";
import type { Admission } from "./modems/admission.ts";
import { listenForModems, type DialIn } from "./modems/dialIn.ts";
import { atMostAtOnce } from "./few.ts";
import { createLineHolds, type LineHolds } from "./lines/lineHolds.ts";
import { createLines, dialInLine, isHeldWhileOpen, type Lines } from "./lines/lines.ts";
import { openMqtt } from "./mqtt/mqttWay.ts";
import { named } from "./named.ts";
import type { Presence } from "./processes/presence.ts";
import { modemProfile, udpProfile } from "./modems/profiles.ts";
import { keepRegister } from "./modems/register.ts";
import { holdSerialLines, type SerialLines } from "./serial/serialLines.ts";
import { loadSerial } from "./serial/serialPort.ts";
import { listenForDatagrams, type OnDatagram, type UdpPort } from "./udp/udp.ts";
import { gatewayByName } from "./modems/knownGatewayStore.ts";
import { askForLine, claimLines, linesOf, releaseLines, takeoverChannel } from "./lines/lineStore.ts";

export interface DevicePortsOptions {
  readonly services: Services;
  readonly presence: Presence;
  readonly onMqttMessage: OnMqttMessage;
  readonly onDatagram: OnDatagram;
  /** The line of a modem has connected to this process. */
  readonly onLineUp: (gatewayId: number) => void;
}

/** All ports and connections to devices. */
export interface DevicePorts {
  readonly lines: Lines;
  /** Ports as they were opened, for tests and the start line. */
  readonly modemPorts: readonly number[];
  readonly mqttPort: number | undefined;
  readonly mqttsPort: number | undefined;
  readonly udpPorts: readonly number[];
  /** Whether a publication below the prefix of this topic has a receiver in this process. */
  readonly reaches: (topic: string) => boolean;
  /** Publishes through the broker, embedded or not; false when there is no receiver. */
  readonly publish: (topic: string, body: string) => Promise<boolean>;
  /** Opens a conversation with an unknown modem. Rejects with `LineLost` when it is not connected here. */
  readonly useCaller: UseCaller;
  /** Other processes may have released rows of this one: lines are claimed and connections written again. */
  readonly claimAgain: () => void;
  readonly stop: Stop;
}

export type UseCaller = <Result>(
  caller: { readonly port: number; readonly identity: string },
  run: (channel: Channel) => Promise<Result>,
) => Promise<Result>;

/**
 * Opens the modem ports and the broker of the configuration. Errors: Error that names the setting when a port
 * cannot be opened.
 */
export async function openDevicePorts(options: DevicePortsOptions): Promise<DevicePorts> {
  const { services } = options;
  const { clock } = services;
  const limiter = createConnectionLimiter(clock);
  const holds = holdsOf(options);
  const { claim } = holds;
  const serial = await openSerialLines(options, claim);
  const lines = createLines({
    clock,
    claim,
    release: holds.giveBack,
    outgoing: services.config,
    ...(serial ? { openSerial: serial.open } : {}),
  });
  const stops: Stop[] = serial ? [serial.stop] : [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((each) => each()));
    await lines.closeAll();
  };
  try {
    const udp = await listenForUdp(options);
    stops.push(...udp.map((each) => each.stop));
    const udpPorts = udp.map(({ port }) => port);
    const listeners = await listenForAll({ ...options, lines, holds, limiter });
    stops.push(...listeners.map((each) => each.stop));
    stops.push(heedOthers(services, listeners));
    const register = await startRegister(options, listeners);
    stops.push(register.stop);
    const reconciling = reconcileEvery({ ...options, lines, holds });
    stops.push(reconciling.stop);
    const useCaller: UseCaller = async ({ port, identity }, run) => {
      const listener = listeners.find((each) => each.port === port);
      if (!listener) throw new LineLost("the modem is not connected");
      return listener.useCaller(identity, run);
    };
    const mqtt = await openMqtt({
      services,
      limiter,
      processId: () => options.presence.id,
      onMessage: options.onMqttMessage,
    });
    stops.push(...mqtt.stops);
    const modemPorts = listeners.map(({ port }) => port);
    return {
      lines,
      modemPorts,
      mqttPort: mqtt.mqttPort,
      mqttsPort: mqtt.mqttsPort,
      udpPorts,
      publish: mqtt.publish,
      reaches: mqtt.reaches,
      useCaller,
      claimAgain: () => {
        register.again();
        reconciling.now();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Handles requests of other processes concerning modems connected here. */
function heedOthers({ database: { listener } }: Services, listeners: readonly DialIn[]): Stop {
  const subscriptions = [
    listener.on(takeoverChannel, (line) => {
      for (const each of listeners) each.yieldLine(line);
    }),
    listener.on(callerChannel, (identity) => {
      for (const each of listeners) each.reconsider(identity);
    }),
  ];
  return () => {
    for (const each of subscriptions) each();
    return Promise.resolve();
  };
}

/**
 * Undefined if no serial port is configured: the package is then optional. Errors: Error that names the
 * setting.
 */
async function openSerialLines(
  { services: { config, log } }: DevicePortsOptions,
  claim: (line: string) => Promise<boolean>,
): Promise<SerialLines | undefined> {
  const paths = config.serialPorts;
  return paths.length === 0 ? undefined : holdSerialLines({ paths, open: await loadSerial(), claim, log });
}

/** Publishes open ports and connected modems of this process. */
async function startRegister({ services, presence }: DevicePortsOptions, listeners: readonly DialIn[]) {
  const { config, database, clock, log } = services;
  const ports = listeners.map(({ port, seen }, at) => ({
    port,
    profile: config.modemPorts[at]?.profile ?? "",
    seen,
  }));
  const register = keepRegister({ database, clock, log, processId: () => presence.id, ports });
  await register.write();
  return register;
}

/** Pool connections that arriving modems may use. */
const mostAtOnce = 4;
/** Interval of the reconciliation of rows and sockets. */
const reconcileMs = 5_000;

function holdsOf({ services: { database, log }, presence }: DevicePortsOptions): LineHolds {
  return createLineHolds(
    {
      claim: (lines, token) => claimLines(database, lines, { processId: presence.id, token }),
      release: (lines) => releaseLines(database, lines, presence.id),
      ours: () => linesOf(database, presence.id),
    },
    log,
  );
}

interface Reconciling extends DevicePortsOptions {
  readonly lines: Lines;
  readonly holds: LineHolds;
}

/**
 * Keeps the rows of held lines equal to the open sockets: reconciled every few seconds, whatever failed
 * before.
 */
function reconcileEvery({ services: { log }, presence, lines, holds }: Reconciling) {
  const sockets = {
    open: lines.open,
    isKept: (line: string) => !isHeldWhileOpen(line) || lines.isOpening(line),
    close: (line: string) => lines.held(line)?.close(),
  };
  let running: Promise<void> | undefined;
  const now = (): void => {
    if (!presence.isHeld) return;
    running ??= holds
      .reconcile(sockets)
      .catch((error: unknown) => log.warn({ err: error }, "lines could not be compared with the database"))
      .finally(() => (running = undefined));
  };
  const timer = setInterval(now, reconcileMs);
  return {
    now,
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

interface Listening extends DevicePortsOptions {
  readonly lines: Lines;
  readonly holds: LineHolds;
  readonly limiter: ReturnType<typeof createConnectionLimiter>;
}

async function listenForAll(options: Listening): Promise<DialIn[]> {
  const { services, lines, holds, limiter } = options;
  const { config, database, clock, log } = services;
  const lookUp = async (id: string): Promise<Admission> => {
    const gateway = await gatewayByName(database, id);
    if (!gateway) return { state: "unknown" };
    await noteSession(database.system, gateway.id, clock.now());
    const line = dialInLine(gateway.id);
    const gatewayId = gateway.id;
    if (await holds.claim(line)) return { state: "welcome", line, gatewayId };
    await askForLine(database, line);
    return { state: "held", gatewayId };
  };
  const few = atMostAtOnce(mostAtOnce);
  const admit = (id: string): Promise<Admission> => few(() => lookUp(id));
  const opened: DialIn[] = [];
  for (const each of config.modemPorts) {
    const { port } = each;
    const profile = modemProfileOf(each);
    const onUnused = (line: string): void => {
      if (!lines.held(line)?.isOpen) void holds.giveBack(line);
    };
    const onLine = (line: string, channel: Channel): void => {
      lines.attach(line, channel);
      channel.onClose(() => onUnused(line));
      options.onLineUp(Number(line.slice(line.indexOf(":") + 1)));
    };
    opened.push(
      await named("METRUM_MODEM_PORTS", port, () =>
        listenForModems({
          host: config.deviceHost,
          port,
          profile,
          clock,
          log,
          limiter,
          admit,
          onLine,
          onUnused,
        }),
      ),
    );
  }
  return opened;
}

type PortSetting = Config["modemPorts"][number];

async function listenForUdp({ services, onDatagram }: DevicePortsOptions): Promise<UdpPort[]> {
  const { config, clock, log } = services;
  const opened: UdpPort[] = [];
  for (const each of config.udpPorts) {
    const { port } = each;
    const profile = udpProfileOf(each);
    opened.push(
      await named("METRUM_UDP_PORTS", port, () =>
        listenForDatagrams({ host: config.deviceHost, port, profile, clock, log, onDatagram }),
      ),
    );
  }
  return opened;
}

/** Aborts a start before anything is changed. Errors: Error that names the setting and the profile or option. */
export function requirePortProfiles({ roles, modemPorts, udpPorts }: Config): void {
  if (!roles.includes("broker")) return;
  for (const each of modemPorts) modemProfileOf(each);
  for (const each of udpPorts) udpProfileOf(each);
}

const modemProfileOf = ({ profile, options }: PortSetting) =>
  usable("METRUM_MODEM_PORTS", () => modemProfile(profile, options));

const udpProfileOf = ({ profile, options }: PortSetting) =>
  usable("METRUM_UDP_PORTS", () => udpProfile(profile, options));

function usable<Result>(setting: string, make: () => Result): Result {
  try {
    return make();
  } catch (cause) {
    throw new Error(`${setting}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
