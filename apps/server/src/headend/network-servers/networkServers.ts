import { problem, type ParsedOf } from "@metrum/contract/core";
import { mostNetworkServers, type NetworkServer, type networkServers } from "@metrum/contract/headend";
import { destinationOf, OutgoingRefused, record, resolveOne, type Ctx } from "#core";
import { sealFor } from "./secrets.ts";
import {
  addServer,
  changeServer,
  putSecret,
  removeServer,
  serversOf,
  tellServers,
  type ServerKind,
} from "./store.ts";

type Given = ParsedOf<typeof networkServers.save>["body"];

/** Schemes of the addresses, with TLS first. */
export const schemesOf = (kind: ServerKind): readonly [string, string] =>
  kind === "actility" ? ["https", "http"] : ["mqtts", "mqtt"];

/** Makes or changes a server. Problems: wrong_input that names the field, not_found, network_server_limit. */
export async function saveServer(ctx: Ctx, given: Given): Promise<NetworkServer> {
  const { companyId } = ctx.scope;
  const known = await serversOf(ctx.db, companyId);
  const before = given.id === undefined ? undefined : await resolveOne(ctx, "networkServer", given.id);
  if (before === undefined && known.length >= mostNetworkServers)
    throw problem("network_server_limit", { params: { max: mostNetworkServers } });
  const { kind, name, url } = given;
  refuseWrong(ctx, given);
  const row = {
    companyId,
    kind,
    name,
    url,
    is_active: given.is_active ?? true,
    username: given.username ?? "",
  };
  const id = before ?? (await addServer(ctx.db, row));
  if (before !== undefined) await changeServer(ctx.db, before, row);
  if (given.secret !== undefined) await putSecret(ctx.db, id, sealFor(ctx, id, given.secret));
  const after = (await serversOf(ctx.db, companyId)).find((each) => each.id === id);
  if (!after) throw problem("not_found");
  await record(ctx, {
    action: "networkServer.save",
    subject: name,
    after: { ...row, has_secret: after.has_secret, is_secret_new: given.secret !== undefined },
  });
  await tellServers(ctx.db);
  return after;
}

export async function dropServer(ctx: Ctx, given: number): Promise<void> {
  const { companyId } = ctx.scope;
  const id = await resolveOne(ctx, "networkServer", given);
  const known = (await serversOf(ctx.db, companyId)).find((each) => each.id === id);
  await removeServer(ctx.db, companyId, id);
  await record(ctx, { action: "networkServer.delete", subject: known?.name ?? "" });
  await tellServers(ctx.db);
}

/** `application` or `application@tenant`: it is also part of the topics. */
const thingsUser = /^[a-z0-9][a-z0-9-]*(@[a-z0-9][a-z0-9-]*)?$/;

function refuseWrong({ config }: Ctx, { kind, url, username = "" }: Given): void {
  if (kind === "things" && !thingsUser.test(username))
    throw wrong("username", "expected application@tenant, or the application alone");
  if (kind === "actility" && url === "") return;
  try {
    destinationOf(config, url, schemesOf(kind));
  } catch (error) {
    if (error instanceof OutgoingRefused) throw wrong("url", error.message);
    throw error;
  }
}

const wrong = (field: string, why: string) => problem("wrong_input", { attributes: { [field]: [why] } });
