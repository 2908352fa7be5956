import type { Services, Stop } from "#core";
import { createDoorkeeper } from "./bounds.ts";
import { LineLost, type Channel } from "./channel.ts";
import type { OnMqttMessage } from "./broker.ts";
import { listenForModems, type Admission, type DialIn } from "./dialIn.ts";
import { atMostAtOnce } from "./few.ts";
import { createLines, dialInLine, type Lines } from "./lines.ts";
import { knownCallerChannel } from "./modemStore.ts";
import { openMqtt } from "./mqttWay.ts";
import { named } from "./named.ts";
import type { Presence } from "./presence.ts";
import { modemProfile, udpProfile } from "./profiles.ts";
import { keepRegister } from "./register.ts";
import { holdSerialLines, type SerialLines } from "./serialLines.ts";
import { loadSerial } from "./serialPort.ts";
import { listenForDatagrams, type OnDatagram, type UdpPort } from "./udp.ts";
import { askForLine, claimLine, gatewayByName, noteSession, releaseLine, takeoverChannel } from "./store.ts";

export interface DevicePortsOptions {
  readonly services: Services;
  readonly presence: Presence;
  readonly onMqttMessage: OnMqttMessage;
  readonly onDatagram: OnDatagram;
  /** The line of a modem has come up in this process. */
  readonly onLineUp: (gatewayId: number) => void;
}

/** Everything through which devices reach us, or we them. */
export interface DevicePorts {
  readonly lines: Lines;
  /** Ports as they were opened, for tests and the start line. */
  readonly modemPorts: readonly number[];
  readonly mqttPort: number | undefined;
  readonly mqttsPort: number | undefined;
  readonly udpPorts: readonly number[];
  /** Whether a publication below the prefix of this topic would reach anybody from here. */
  readonly reaches: (topic: string) => boolean;
  /** Publishes through the broker, embedded or not; false when nobody can be reached. */
  readonly publish: (topic: string, body: string) => Promise<boolean>;
  /** Speaks with a modem that nobody knows. Rejects with `LineLost` when it is not connected here. */
  readonly useCaller: UseCaller;
  /** Others may have forgotten the connections of this process: they are told again. */
  readonly tellAgain: () => void;
  readonly stop: Stop;
}

export type UseCaller = <Result>(
  caller: { readonly port: number; readonly identity: string },
  run: (channel: Channel) => Promise<Result>,
) => Promise<Result>;

/** Opens the modem ports and the broker of the configuration. Errors: Error that names the setting when a port cannot be opened. */
export async function openDevicePorts(options: DevicePortsOptions): Promise<DevicePorts> {
  const { services, presence } = options;
  const { database, clock } = services;
  const doorkeeper = createDoorkeeper(clock);
  const claim = (key: string): Promise<boolean> => claimLine(database, key, presence.id);
  const serial = await openSerialLines(options, claim);
  const lines = createLines({
    clock,
    claim,
    release: (key) => giveBack(services, key, presence.id),
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
    const listeners = await listenForAll({ ...options, lines, doorkeeper });
    stops.push(...listeners.map((each) => each.stop));
    stops.push(heedOthers(services, listeners));
    const register = await startRegister(options, listeners);
    stops.push(register.stop);
    const useCaller: UseCaller = async ({ port, identity }, run) => {
      const listener = listeners.find((each) => each.port === port);
      if (!listener) throw new LineLost("the modem is not connected");
      return listener.useCaller(identity, run);
    };
    const mqtt = await openMqtt({ services, doorkeeper, onMessage: options.onMqttMessage });
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
      tellAgain: register.again,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Hears what other processes want of the modems that are connected here. */
function heedOthers({ database: { listener } }: Services, listeners: readonly DialIn[]): Stop {
  const deaf = [
    listener.on(takeoverChannel, (line) => {
      for (const each of listeners) each.yieldLine(line);
    }),
    listener.on(knownCallerChannel, (identity) => {
      for (const each of listeners) each.reconsider(identity);
    }),
  ];
  return () => {
    for (const each of deaf) each();
    return Promise.resolve();
  };
}

/** Undefined where no serial port is set: the package need not be there. Errors: Error that names the setting. */
async function openSerialLines(
  { services: { config, log } }: DevicePortsOptions,
  claim: (line: string) => Promise<boolean>,
): Promise<SerialLines | undefined> {
  const paths = config.serialPorts;
  return paths.length === 0 ? undefined : holdSerialLines({ paths, open: await loadSerial(), claim, log });
}

/** Tells which ports are open here and which modems are connected to them. */
async function startRegister({ services, presence }: DevicePortsOptions, listeners: readonly DialIn[]) {
  const { config, database, clock, log } = services;
  const ports = listeners.map(({ port, seen }, at) => ({
    port,
    profile: config.modemPorts[at]?.profile ?? "",
    seen,
  }));
  const register = keepRegister({ database, clock, log, processId: () => presence.id, ports });
  await register.tell();
  return register;
}

/** Connections of the pool that modems which come, and those which go, may take. */
const mostAtOnce = 4;
const givingBack = atMostAtOnce(mostAtOnce);

/** A line that cannot be given back stays with this process until it ends or the line is claimed again. */
async function giveBack({ database, log }: Services, line: string, processId: number): Promise<void> {
  try {
    await givingBack(() => releaseLine(database, line, processId));
  } catch (error) {
    log.warn({ err: error, line }, "a line could not be given back");
  }
}

interface Listening extends DevicePortsOptions {
  readonly lines: Lines;
  readonly doorkeeper: ReturnType<typeof createDoorkeeper>;
}

async function listenForAll(options: Listening): Promise<DialIn[]> {
  const { services, presence, lines, doorkeeper } = options;
  const { config, database, clock, log } = services;
  const look = async (id: string): Promise<Admission> => {
    const gateway = await gatewayByName(database, id);
    if (!gateway) return { state: "unknown" };
    await noteSession(database, gateway.id, clock.now());
    const line = dialInLine(gateway.id);
    const gatewayId = gateway.id;
    if (await claimLine(database, line, presence.id)) return { state: "welcome", line, gatewayId };
    await askForLine(database, line);
    return { state: "held", gatewayId };
  };
  const few = atMostAtOnce(mostAtOnce);
  const admit = (id: string): Promise<Admission> => few(() => look(id));
  const opened: DialIn[] = [];
  for (const { port, profile: name, options: given } of config.modemPorts) {
    const profile = usable("METRUM_MODEM_PORTS", () => modemProfile(name, given));
    const onLine = (line: string, channel: Channel): void => {
      lines.attach(line, channel);
      channel.onClose(() => {
        if (!lines.held(line)?.isOpen) void giveBack(services, line, presence.id);
      });
      options.onLineUp(Number(line.slice(line.indexOf(":") + 1)));
    };
    opened.push(
      await named("METRUM_MODEM_PORTS", port, () =>
        listenForModems({ host: config.deviceHost, port, profile, clock, log, doorkeeper, admit, onLine }),
      ),
    );
  }
  return opened;
}

async function listenForUdp({ services, onDatagram }: DevicePortsOptions): Promise<UdpPort[]> {
  const { config, clock, log } = services;
  const opened: UdpPort[] = [];
  for (const { port, profile: name, options: given } of config.udpPorts) {
    const profile = usable("METRUM_UDP_PORTS", () => udpProfile(name, given));
    opened.push(
      await named("METRUM_UDP_PORTS", port, () =>
        listenForDatagrams({ host: config.deviceHost, port, profile, clock, log, onDatagram }),
      ),
    );
  }
  return opened;
}

function usable<Result>(setting: string, make: () => Result): Result {
  try {
    return make();
  } catch (cause) {
    throw new Error(`${setting}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
