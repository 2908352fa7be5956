import { loraOfChirpStack, parseChirpStackEvent, readActility, readThings } from "@metrum/protocols";
import type { NetworkUplink } from "../../uplink.ts";
import { uplinkOf } from "../networks/lora.ts";

/** How a message of a network server that came by HTTP is read. */
export interface PushReader {
  readonly way: string;
  /** Undefined: nothing to take (places, remarks). Errors: ProtocolError when it cannot be used. */
  readonly read: (message: Readonly<Record<string, unknown>>) => NetworkUplink | undefined;
}

/** The HTTP integration names the event in the query. */
export const readChirpStackPush = (event: Parameters<typeof parseChirpStackEvent>[0]): PushReader => ({
  way: "chirpstack",
  read(message) {
    const told = loraOfChirpStack(parseChirpStackEvent(event, JSON.stringify(message)));
    return told && uplinkOf(told, { topic: "", application: told.application });
  },
});

export const readThingsPush: PushReader = {
  way: "things",
  read(message) {
    const told = readThings(message);
    return told && uplinkOf(told, { topic: "", application: told.application });
  },
};

/** `serverId`: where the company takes downlinks to its devices. */
export const readActilityPush = (serverId: number | undefined): PushReader => ({
  way: "actility",
  read(message) {
    const told = readActility(message);
    const path = { topic: "", application: told?.application ?? "" };
    return told && uplinkOf(told, serverId === undefined ? path : { ...path, serverId });
  },
});
