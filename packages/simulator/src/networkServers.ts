import {
  buildChirpStackEvent,
  chirpStackDownTopic,
  formatChirpStackTopic,
  parseChirpStackDown,
} from "@metrum/protocols/chirpstack";
import type { Airborne } from "@metrum/protocols/core";
import type { Reception } from "@metrum/protocols/lorawan";
import {
  buildThings,
  formatThingsTopic,
  parseThingsDown,
  thingsDownTopic,
} from "@metrum/protocols/thethings";

/** Network servers that a park can simulate. */
export const networkKinds = ["chirpstack", "things"] as const;
export type NetworkKind = (typeof networkKinds)[number];

interface Head {
  readonly devEui: string;
  readonly name: string;
  /** Epoch seconds UTC. */
  readonly at: number;
  /** Number of joins of the device so far; identifies its session. */
  readonly session: number;
  readonly devAddr: string;
}

/** A network server's event of a device of the park. */
export type RadioEvent =
  | (Head & { readonly event: "join" })
  | (Head & {
      readonly event: "up";
      readonly fCnt: number;
      readonly fPort: number;
      readonly payload: Uint8Array;
      readonly receptions: readonly Reception[];
    });

/** Topic and body of an event, as this server publishes it. */
type Speak = (event: RadioEvent, prefix: string) => { readonly topic: string; readonly body: string };

const application = "metrum-simulator";

const chirpStack: Speak = (event, prefix) => {
  const { devEui, name: deviceName, at, devAddr } = event;
  const head = {
    deduplicationId: crypto.randomUUID(),
    devEui,
    deviceName,
    at,
    devAddr,
    applicationId: application,
  };
  return {
    topic: formatChirpStackTopic({ prefix, applicationId: application, devEui, event: event.event }),
    body: buildChirpStackEvent(
      event.event === "join" ? { ...head, event: "join" } : { ...head, ...event, dr: 3, confirmed: false },
    ),
  };
};

const things: Speak = (event, prefix) => {
  const { devEui, at, devAddr, session } = event;
  const deviceId = `eui-${devEui}`;
  const head = {
    devEui,
    deviceId,
    application,
    at,
    devAddr,
    deduplicationId: `${devEui}:s:${String(session)}`,
  };
  return {
    topic: formatThingsTopic({ prefix, application: `${application}@metrum`, deviceId, event: event.event }),
    body: buildThings(
      event.event === "join"
        ? { ...head, event: "join" }
        : { ...head, ...event, dataRate: "SF9BW125", confirmed: false },
    ),
  };
};

export const networkServers: Readonly<Record<NetworkKind, Speak>> = { chirpstack: chirpStack, things };

/** How a network server is given downlinks for its devices. */
interface Downlinks {
  /** Topics of all its devices. */
  readonly filter: (prefix: string) => string;
  /** Downlinks of a message, in order. Errors: ProtocolError. */
  readonly read: (topic: string, body: string) => readonly (Airborne & { readonly devEui: string })[];
}

const anyDevice = "+";

export const networkDownlinks: Readonly<Record<NetworkKind, Downlinks>> = {
  chirpstack: {
    filter: (prefix) => chirpStackDownTopic({ prefix, applicationId: application, devEui: anyDevice }),
    read: (_topic, body) => {
      const { devEui, fPort: fport, payload } = parseChirpStackDown(body);
      return [{ devEui, fport, payload }];
    },
  },
  things: {
    filter: (prefix) =>
      thingsDownTopic({ prefix, application: `${application}@metrum`, deviceId: anyDevice }),
    read: (topic, body) => {
      const [, devEui = ""] = /\/devices\/eui-([0-9a-f]{16})\//.exec(topic) ?? [];
      return parseThingsDown(body).map(({ fPort: fport, payload }) => ({ devEui, fport, payload }));
    },
  },
};
