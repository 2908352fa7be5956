import { pollResults, type adminBroker, type ReplyOf } from "@metrum/contract";
import { record, type Ctx } from "#core";
import { askModem } from "./askModem.ts";

/**
 * Reads what hangs on a modem, for platform staff. Noted before it is done, in a transaction of its own: the poll takes up to a minute, and
 * no transaction stays open for it. What the device says is an answer, also when it says nothing.
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
