import { ProtocolError } from "@metrum/protocols";
import type { Services } from "#core";
import { companyPrefix, type MqttMessage } from "#channels";
import { deliver, setAside } from "./deliver.ts";
import type { NetworkServer } from "./delivery.ts";
import { servers } from "./servers.ts";

/**
 * Takes one message of a network server: into the store and the log, or into quarantine. Resolves when that is committed, so the
 * sender may be told. Rejects only when the database is away.
 */
export async function takeMqttMessage(services: Services, message: MqttMessage): Promise<void> {
  const { companyId, payload } = message;
  const topic = message.topic.slice(companyPrefix(companyId).length);
  const server = message.topic.startsWith(companyPrefix(companyId))
    ? servers.find((each) => each.isTopic(topic))
    : undefined;
  const heard = server ? read(server, topic, payload) : "not a topic of a network server";
  if (heard === undefined) return;
  if (typeof heard === "string" || !server)
    await setAside(services, { ...message, reason: typeof heard === "string" ? heard : "" });
  else await deliver(services, { ...heard, companyId, way: server.name, topic: message.topic, raw: payload });
}

/** What a message brings, or why it cannot be used. */
function read(server: NetworkServer, topic: string, body: Uint8Array) {
  try {
    return server.read(topic, body);
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  }
}
