/** Events that The Things Stack publishes of a device, by the end of the topic. */
export const thingsEvents = [
  "up",
  "join",
  "down/queued",
  "down/sent",
  "down/ack",
  "down/nack",
  "down/failed",
] as const;
export type ThingsEventName = (typeof thingsEvents)[number];

export interface ThingsTopic {
  /** The part before `v3/`, without the last slash; empty by default. */
  readonly prefix: string;
  /** "app1@tenant"; without the tenant on the open-source edition. */
  readonly application: string;
  readonly deviceId: string;
  readonly event: ThingsEventName;
}

const shape = /^(?:(.+)\/)?v3\/([^/]+)\/devices\/([^/]+)\/([a-z]+(?:\/[a-z]+)?)$/;

/**
 * Parts of an event topic; undefined when the topic is not one, or of an event without device data (places,
 * service data).
 * Source: The Things Stack documentation, MQTT Server. Layout:
 * `[prefix/]v3/{application}[@{tenant}]/devices/{device}/{event}`.
 */
export function parseThingsTopic(topic: string): ThingsTopic | undefined {
  const [, prefix = "", application = "", deviceId = "", name] = shape.exec(topic) ?? [];
  const event = thingsEvents.find((each) => each === name);
  return event && { prefix, application, deviceId, event };
}

/** The topic on which an event is published; source and layout as `parseThingsTopic`. */
export function formatThingsTopic({ event, ...device }: ThingsTopic): string {
  return `${deviceTopic(device)}/${event}`;
}

/** The topic that adds to the queue of a device (`push`) or replaces it; source as `parseThingsTopic`. */
export function thingsDownTopic(
  device: Omit<ThingsTopic, "event">,
  how: "push" | "replace" = "push",
): string {
  return `${deviceTopic(device)}/down/${how}`;
}

function deviceTopic({ prefix, application, deviceId }: Omit<ThingsTopic, "event">): string {
  return `${prefix === "" ? "" : `${prefix}/`}v3/${application}/devices/${deviceId}`;
}
