import mqtt, { type MqttClient } from "mqtt";
import type { Airborne, Obedience } from "@metrum/protocols/core";
import type { Meter } from "./meter.ts";
import { networkServers, type NetworkKind, type RadioEvent } from "./networkServers.ts";
import { listenForDownlinks } from "./radioDownlinks.ts";
import { noise } from "./random.ts";
import type { Timetable } from "./timetable.ts";

/** Where the network server of the park publishes. */
export interface RadioTarget {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  /** Topic prefix, that of the company ("c12"). */
  readonly prefix: string;
  /** Network server to simulate; default ChirpStack. */
  readonly server?: NetworkKind;
}

export interface RadioOptions {
  readonly target: RadioTarget;
  readonly meters: readonly Meter[];
  readonly now: () => number;
  readonly timetable: Timetable;
  /** Share of lost uplinks. */
  readonly loss: () => number;
  readonly hasOutages: () => boolean;
  /** Decides about each order of a device. */
  readonly obedience: () => Obedience;
}

/** Devices of one slot send within this time, as their clocks and the duty cycle permit. */
const spreadSec = 45;

/** Answers of a device to a downlink follow after this time. */
const answerMs = 1500;

/**
 * A network server with its devices: each sends at its aligned slot, and once at the start. Publishes with
 * QoS 1. Downlinks wait for the next uplink of their device, which is of class A.
 */
export function startRadio(options: RadioOptions): () => Promise<void> {
  const { target, meters, now, timetable } = options;
  const { username, password } = target;
  const client = mqtt.connect(target.url, {
    clientId: `metrum-simulator-${crypto.randomUUID()}`,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    reconnectPeriod: 2000,
    connectTimeout: 10_000,
  });
  // The client reconnects to an unavailable broker by itself; unsent messages wait there.
  client.on("error", () => undefined);
  const counters = new Map<Meter, number>();
  const waiting = listenForDownlinks(client, options);

  const say = (meter: Meter, message: Airborne): boolean => {
    const count = counters.get(meter) ?? 0;
    counters.set(meter, count + 1);
    if (noise(meter.device.seed, count) < options.loss()) return false;
    publish({ client, target, meter, message, sentAt: now(), count });
    return true;
  };
  const send = (meter: Meter, slotAt: number): void => {
    const { driver } = meter.model;
    if (driver.kind !== "uplink" || (options.hasOutages() && meter.isSilentAt(slotAt))) return;
    if (!say(meter, driver.encode(meter.address, meter.stateAt(slotAt), slotAt))) return;
    for (const answer of waiting.take(meter)) timetable.after(answerMs, () => say(meter, answer));
  };
  const plan = (meter: Meter): void => {
    const { intervalSec, seed } = meter.device;
    const slotAt = (Math.floor(now() / intervalSec) + 1) * intervalSec;
    const late = noise(seed, 4) * Math.min(spreadSec, intervalSec / 4);
    timetable.after((slotAt - now() + late) * 1000, () => {
      send(meter, slotAt);
      plan(meter);
    });
  };
  for (const meter of meters) {
    const { intervalSec, seed } = meter.device;
    timetable.after(noise(seed, 5) * 5000, () => send(meter, Math.floor(now() / intervalSec) * intervalSec));
    plan(meter);
  }
  return () => client.endAsync(true);
}

interface Uplink {
  readonly client: MqttClient;
  readonly target: RadioTarget;
  readonly meter: Meter;
  readonly message: Airborne;
  readonly sentAt: number;
  readonly count: number;
}

/**
 * Counters are 16 bits wide in the frame; before a rollover the device joins again, as before its first
 * frame.
 */
const framesOfSession = 65_536;

function publish({ client, target, meter: { device }, message, sentAt, count }: Uplink): void {
  const devEui = device.deviceID.toLowerCase();
  const { fport, payload } = message;
  const fCnt = count % framesOfSession;
  const head = {
    devEui,
    name: device.name,
    at: Math.floor(sentAt),
    session: Math.floor(count / framesOfSession),
    devAddr: devEui.slice(8),
  };
  const best = { rssi: -70 - Math.round(noise(device.seed, count) * 45), snr: 7 };
  const events: readonly RadioEvent[] = [
    ...(fCnt === 0 ? [{ ...head, event: "join" } as const] : []),
    {
      ...head,
      event: "up",
      fCnt,
      fPort: fport,
      payload,
      receptions: [{ gatewayId: "0000000000000001", ...best }],
    },
  ];
  for (const event of events) {
    const { topic, body } = networkServers[target.server ?? "chirpstack"](event, target.prefix);
    // A publish that fails because the client is ending can be ignored.
    client.publish(topic, body, { qos: 1 }, () => undefined);
  }
}
