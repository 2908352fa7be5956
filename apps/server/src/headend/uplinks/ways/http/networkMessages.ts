import { readActility } from "@metrum/protocols/actility";
import { loraOfChirpStack, parseChirpStackEvent } from "@metrum/protocols/chirpstack";
import { readThings } from "@metrum/protocols/thethings";
import type { NetworkUplink } from "../../uplink.ts";
import { uplinkOf } from "../networks/lora.ts";

/** Reader of the HTTP messages of a network server. */
export interface PushReader {
  readonly way: string;
  /** Undefined: nothing to store (locations, log events). Errors: ProtocolError when it is malformed. */
  readonly read: (message: Readonly<Record<string, unknown>>) => NetworkUplink | undefined;
}

/** The HTTP integration names the event in the query. */
export const readChirpStackPush = (event: Parameters<typeof parseChirpStackEvent>[0]): PushReader => ({
  way: "chirpstack",
  read(message) {
    const lora = loraOfChirpStack(parseChirpStackEvent(event, JSON.stringify(message)));
    return lora && uplinkOf(lora, { topic: "", application: lora.application });
  },
});

export const readThingsPush: PushReader = {
  way: "things",
  read(message) {
    const uplink = readThings(message);
    return uplink && uplinkOf(uplink, { topic: "", application: uplink.application });
  },
};

/** `serverId`: the network server that takes downlinks to the devices of the company. */
export const readActilityPush = (serverId: number | undefined): PushReader => ({
  way: "actility",
  read(message) {
    const uplink = readActility(message);
    const path = { topic: "", application: uplink?.application ?? "" };
    return uplink && uplinkOf(uplink, serverId === undefined ? path : { ...path, serverId });
  },
});
