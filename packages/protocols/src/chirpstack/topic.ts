/** Events of a device that the integration publishes. */
export const chirpStackEvents = [
  "up",
  "join",
  "ack",
  "txack",
  "status",
  "log",
  "location",
  "integration",
] as const;
export type ChirpStackEventName = (typeof chirpStackEvents)[number];

export interface ChirpStackTopic {
  /** The part before `application/`, without the last slash; empty by default. */
  readonly prefix: string;
  readonly applicationId: string;
  /** 16 hexadecimal digits, lower case. */
  readonly devEui: string;
  readonly event: ChirpStackEventName;
}

const shape = /^(?:(.+)\/)?application\/([^/]+)\/device\/([0-9a-fA-F]{16})\/event\/([a-z]+)$/;

/**
 * Parts of an event topic; undefined when the topic is not one.
 * Source: ChirpStack v4 documentation, MQTT integration. Layout:
 * `[prefix/]application/{id}/device/{devEui}/event/{event}`.
 */
export function parseChirpStackTopic(topic: string): ChirpStackTopic | undefined {
  const [, prefix = "", applicationId = "", devEui = "", name] = shape.exec(topic) ?? [];
  const event = chirpStackEvents.find((each) => each === name);
  return event && { prefix, applicationId, devEui: devEui.toLowerCase(), event };
}

/** The topic on which an event is published; source and layout as `parseChirpStackTopic`. */
export function formatChirpStackTopic({ prefix, applicationId, devEui, event }: ChirpStackTopic): string {
  return `${at(prefix)}application/${applicationId}/device/${devEui.toLowerCase()}/event/${event}`;
}

/** The topic that takes commands for a device; source as `parseChirpStackTopic`. */
export function chirpStackDownTopic(device: Omit<ChirpStackTopic, "event">): string {
  return `${at(device.prefix)}application/${device.applicationId}/device/${device.devEui.toLowerCase()}/command/down`;
}

const at = (prefix: string) => (prefix === "" ? "" : `${prefix}/`);
