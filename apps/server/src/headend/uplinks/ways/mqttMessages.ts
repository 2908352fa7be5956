import { ProtocolError } from "@metrum/protocols/core";
import { isPoison, type Services } from "#core";
import { companyPrefix, type MqttMessage } from "#headend/channels";
import { mappingFor, readMapped } from "#headend/mappings";
import { takeUplink, quarantineMessage, unstorable } from "../intake.ts";
import type { NetworkServer, NetworkUplink, Uplink } from "../uplink.ts";
import { servers } from "./networks/servers.ts";

/**
 * `serverId`: network server that the platform connects to; without one it came through the embedded broker.
 */
export type NetworkMessage = MqttMessage & { readonly serverId?: number };

/**
 * Takes one message of a network server into the store and the log, or into quarantine. Resolves on commit,
 * so that it may be acknowledged. Rejects only when the database is unavailable, never because of its
 * content.
 */
export async function takeMqttMessage(services: Services, message: NetworkMessage): Promise<void> {
  try {
    await take(services, message);
  } catch (error) {
    if (!isPoison(error)) throw error;
    services.log.error({ err: error, company: message.companyId }, "an MQTT message cannot be stored");
    await quarantineMessage(services, { ...message, reason: unstorable });
  }
}

async function take(services: Services, message: NetworkMessage): Promise<void> {
  const { companyId, topic, payload } = message;
  const uplink = await readMqttMessage(services, message);
  if (uplink === undefined) return;
  if (typeof uplink === "string")
    await quarantineMessage(services, { companyId, topic, payload, reason: uplink });
  else await takeUplink(services, uplink);
}

/** The uplink of a message, or why it cannot be used; undefined: there is nothing to store. */
export async function readMqttMessage(
  services: Services,
  message: NetworkMessage,
): Promise<Uplink | string | undefined> {
  const { companyId, payload, serverId } = message;
  const topic = message.topic.slice(companyPrefix(companyId).length);
  const isOwn = message.topic.startsWith(companyPrefix(companyId));
  const reader = isOwn ? await readerOf(services, companyId, topic) : undefined;
  const uplink = reader ? read(reader, topic, payload) : "not a topic of a network server, and of no mapping";
  if (uplink === undefined || typeof uplink === "string" || !reader)
    return typeof uplink === "string" ? uplink : undefined;
  return {
    ...receivedThrough(uplink, serverId),
    companyId,
    way: reader.name,
    topic: message.topic,
    raw: payload,
  };
}

function receivedThrough(uplink: NetworkUplink, serverId: number | undefined): NetworkUplink {
  if (serverId === undefined || !uplink.network) return uplink;
  return { ...uplink, network: { ...uplink.network, serverId } };
}

type Reader = Pick<NetworkServer, "name" | "read">;

/** Network servers have known topics; other publications of a company are read by its mappings. */
async function readerOf(services: Services, companyId: number, topic: string): Promise<Reader | undefined> {
  const server = servers.find((each) => each.isTopic(topic));
  if (server) return server;
  const mapping = await mappingFor(services, companyId, topic);
  return mapping && { name: "mqtt", read: (_, body) => mappedUplink(mapping.definition, topic, body) };
}

function mappedUplink(...message: Parameters<typeof readMapped>): NetworkUplink {
  const { networkId, at, reading } = readMapped(...message);
  return { networkId, at, content: { kind: "readings", readings: [reading] } };
}

/** Content of a message, or why it cannot be used. */
function read(server: Reader, topic: string, body: Uint8Array) {
  try {
    return server.read(topic, body);
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  }
}
