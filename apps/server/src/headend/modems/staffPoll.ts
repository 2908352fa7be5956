import type { ReplyOf } from "@metrum/contract/core";
import { pollResults, type adminBroker } from "@metrum/contract/headend";
import { record, type Ctx } from "#core";
import { askModem } from "./askModem.ts";

/**
 * Polls the device behind a modem, for platform staff. The request is stored first, in a separate
 * transaction: the poll takes up to a minute, and no transaction stays open for it. Silence of the device is
 * an outcome too.
 */
export async function pollBehind(
  ctx: Ctx,
  modem: { readonly port: number; readonly identity: string },
): Promise<ReplyOf<typeof adminBroker.requestData>> {
  const { database, scope, session, address, language } = ctx;
  await database.scoped(scope, (db) =>
    record(
      { db, scope, session, address },
      { action: "modem.poll", subject: `modem ${String(modem.port)}/${modem.identity}` },
    ),
  );
  const { result, answer } = await askModem(ctx, modem);
  return {
    answer,
    result: result === "ok",
    error: result === "ok" ? "" : pollResults[result].title[language],
  };
}
