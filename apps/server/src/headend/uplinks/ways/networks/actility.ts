import { createHash, timingSafeEqual } from "node:crypto";
import { problem } from "@metrum/contract/core";
import { actilityDownlink, actilityTokenText } from "@metrum/protocols/actility";
import { destinationOf, OutgoingLate, OutgoingRefused, postOut, type Ctx, type Services } from "#core";
import {
  activeServers,
  codeOf,
  faultOf,
  noteState,
  schemesOf,
  secretOf,
  type Fault,
  type KnownServer,
} from "#headend/network-servers";
import { expired, type Handed, type Route } from "../../orders/dispatch.ts";
import { isNotConnected } from "./notConnected.ts";
import type { Order } from "../../orders/orderStore.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

type Query = Readonly<Record<string, string | undefined>>;

/**
 * The ThingPark server of the company that has pushed a report; undefined when the company has none. One with
 * an AS key must have signed it: SHA-256 over elements of the body, the query and the key (source:
 * `actilityTokenText`). The age of `Time` is not checked: ThingPark repeats unanswered reports, and a repeat
 * is absorbed. Problem: push_token when the company has an AS key and none of its servers has signed this.
 */
export async function pusherOf(ctx: Ctx, body: unknown, query: Query): Promise<number | undefined> {
  const { companyId } = ctx.scope;
  const known = await activeServers(ctx.database.system, { kinds: ["actility"], companyId });
  const candidates = known.filter(({ username }) => username === "" || username === query["AS_ID"]);
  const signed = candidates.find((server) => isSigned(ctx, server, { body, query }));
  if (signed) return signed.id;
  if (known.some(({ sealed }) => sealed !== null)) throw problem("push_token");
  return candidates[0]?.id;
}

function isSigned(
  services: Pick<Services, "secretBox">,
  server: KnownServer,
  { body, query }: { readonly body: unknown; readonly query: Query },
): boolean {
  if (server.sealed === null) return false;
  const given = (query["Token"] ?? "").toLowerCase();
  const parameters = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const text = actilityTokenText(body, parameters, secretOf(services, server));
  const wanted = text === undefined ? "" : sha256(text);
  return (
    wanted.length > 0 &&
    given.length === wanted.length &&
    timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
  );
}

/** Downlinks by HTTP, which every process can send. */
export function actilityRoute(services: Services): Route {
  return {
    reaches: ({ way, serverId }) => way === "actility" && serverId !== null,
    send: (order, isInTime) => sendOrder(services, order, isInTime),
  };
}

async function sendOrder(services: Services, order: Order, isInTime: () => boolean): Promise<Handed> {
  const { database, config, clock } = services;
  const { id, companyId } = { id: order.serverId, companyId: order.companyId };
  const known = await activeServers(database.system, { kinds: ["actility"], companyId });
  const server = known.find((each) => each.id === id);
  if (!server || server.url === "" || server.sealed === null)
    return { state: "refused", message: "no address or AS key for downlinks is entered" };
  try {
    const to = destinationOf(config, server.url, schemesOf("actility"));
    const time = new Date(clock.nowMs()).toISOString();
    const { fPort, payload, confirmed, reference, networkId } = order;
    const key = secretOf(services, server);
    const down = { fPort, payload, confirmed, reference, devEui: networkId, asId: server.username, time };
    const { query, text } = actilityDownlink(down, key);
    const parameters = new URLSearchParams(
      [...query, ["Token", sha256(text)]].map(([name = "", value = ""]) => [name, value]),
    );
    const path = `${to.path}${to.path.includes("?") ? "&" : "?"}${parameters.toString()}`;
    const status = await postOut(config, { ...to, path }, { headers: {}, body: "", isInTime });
    const isTaken = status >= 200 && status < 300;
    await noteAnswer(services, server, isTaken ? null : answeredBy(status));
    return {
      state: isTaken ? "sent" : "refused",
      message: isTaken ? "" : `the network server answered ${status}`,
    };
  } catch (error) {
    if (error instanceof OutgoingLate) return expired;
    const isRefused = error instanceof OutgoingRefused;
    if (!isRefused && !isNotConnected(error)) throw error;
    await noteAnswer(services, server, faultOf(error));
    return { state: isRefused ? "refused" : "no_line", message: isRefused ? error.message : codeOf(error) };
  }
}

const answeredBy = (status: number): Fault => ({
  state: "refused",
  reason: "answered",
  message: `HTTP ${status}`,
});

async function noteAnswer(
  { database, clock }: Services,
  { id, revision }: KnownServer,
  fault: Fault | null,
): Promise<void> {
  await noteState(database.system, { id, revision, fault, at: clock.now() });
}
