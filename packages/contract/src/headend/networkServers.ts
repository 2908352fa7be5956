import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, Nothing, Seconds, ShortText } from "../core/values.ts";

/** Maximum network servers of a company. */
export const mostNetworkServers = 20;

/**
 * `things` and `chirpstack`: external brokers that the platform connects to; `actility`: pushes over HTTP,
 * and takes downlinks by HTTP.
 */
export const networkServerKinds = ["things", "chirpstack", "actility"] as const;

/**
 * `waiting`: not tried yet, or no connection needed; `refused`: reached, but sign-in or a request is refused;
 * `unreachable`: no connection, retried with growing pauses.
 */
export const networkServerStates = ["waiting", "connected", "refused", "unreachable"] as const;

/**
 * Why a network server is `refused` or `unreachable`. `sign_in`: unknown name or key; `topics`: signed in,
 * but no access to its topics; `busy`: it reports that it cannot serve now; `declined`: refused for another
 * reason; `answered`: an HTTP status other than success, in the detail. `not_allowed`: METRUM_OUTGOING_HOSTS
 * would have to name the host; `name_unknown`, `not_listening`, `no_route`, `no_answer`, `certificate`,
 * `closed`: the stage at which the connection failed; `secret`: the stored key cannot be unsealed and must be
 * entered again; `other`: see the detail.
 */
export const networkServerReasons = [
  "sign_in",
  "topics",
  "busy",
  "declined",
  "answered",
  "not_allowed",
  "name_unknown",
  "not_listening",
  "no_route",
  "no_answer",
  "certificate",
  "closed",
  "secret",
  "other",
] as const;

const Url = z
  .string()
  .check(
    z.maxLength(255),
    z.describe(
      "mqtts://host:port of a broker; https:// address at which ThingPark accepts downlinks, empty: none are sent. Private hosts, and hosts without TLS, only if METRUM_OUTGOING_HOSTS names them",
    ),
  );

const NetworkServer = z.object({
  id: Id,
  kind: z.enum(networkServerKinds),
  name: z.string(),
  is_active: z.boolean(),
  url: z.string(),
  username: z.string(),
  has_secret: z.boolean(),
  state: z.enum(networkServerStates),
  state_reason: z.nullable(z.enum(networkServerReasons)),
  state_message: z.string().check(z.describe("message of the network server, in English; may be empty")),
  state_at: z.nullable(Seconds),
});
export type NetworkServer = z.infer<typeof NetworkServer>;

/** Network servers of a company that the platform connects to, and the keys of those that push. */
export const networkServers = {
  list: call({
    id: "networkServer.list",
    isOwn: true,
    method: "GET",
    path: "company/network_servers",
    right: "admin",
    reach: "company",
    summary: "Network servers of the company with the state of their connections, without secrets",
    reply: z.object({ network_servers: z.array(NetworkServer) }),
  }),
  save: call({
    id: "networkServer.save",
    isOwn: true,
    method: "POST",
    path: "company/network_server/save",
    right: "admin",
    reach: "company",
    summary: "Creates or changes a network server; the connection is updated within seconds",
    body: z.object({
      id: z.optional(Id),
      kind: z.enum(networkServerKinds),
      name: ShortText.check(z.minLength(1)),
      is_active: z.optional(z.boolean()),
      url: Url,
      username: z
        .optional(ShortText)
        .check(
          z.describe("application@tenant of The Things Stack; id of the application server at ThingPark"),
        ),
      secret: z
        .optional(z.string().check(z.maxLength(1_000)))
        .check(z.describe("API key, password or AS key; absent: unchanged; empty: none")),
    }),
    reply: z.object({ network_server: NetworkServer }),
    problems: ["not_found", "network_server_limit", "demo_refused"],
  }),
  remove: call({
    id: "networkServer.delete",
    isOwn: true,
    method: "DELETE",
    path: "company/network_server/:id",
    right: "admin",
    reach: "company",
    summary: "Deletes a network server and ends its connection",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
