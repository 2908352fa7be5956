import { parseChirpStackEvent, parseChirpStackTopic, ProtocolError } from "@metrum/protocols";
import type { NetworkServer } from "./delivery.ts";

/** ChirpStack v4 over MQTT, JSON encoding. */
export const chirpStack: NetworkServer = {
  name: "chirpstack",
  isTopic: (topic) => parseChirpStackTopic(topic) !== undefined,
  read(topic, body) {
    const parts = parseChirpStackTopic(topic);
    if (parts?.event !== "up") return undefined;
    const event = parseChirpStackEvent("up", new TextDecoder().decode(body));
    if (event.event !== "up") return undefined;
    if (event.devEui !== parts.devEui)
      throw new ProtocolError("unexpected", "topic and message name different devices");
    return {
      networkId: event.devEui,
      at: event.at,
      ...(event.deduplicationId === "" ? {} : { deduplicationId: event.deduplicationId }),
      content: { kind: "payload", bytes: event.payload, fPort: event.fPort, fCnt: event.fCnt },
    };
  },
};
