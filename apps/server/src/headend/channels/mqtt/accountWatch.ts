import { startRounds, type Services, type Stop } from "#core";
import type { Broker } from "./broker.ts";
import { mqttAccountChannel, mqttSecrets } from "./accountStore.ts";

/** Accounts are re-checked without a notification too: one may be lost while the listener connects. */
const defaultMs = 30_000;

/**
 * Closes the connections of accounts that are no longer valid: at once when a password was changed in any
 * process, and within half a minute when the company was switched off or the notification was lost.
 */
export function watchAccounts(
  { database, log }: Pick<Services, "database" | "log">,
  broker: Pick<Broker, "admitted">,
  everyMs = defaultMs,
): Stop {
  const check = async (of: (companyId: number) => boolean): Promise<void> => {
    // Listed before the query: clients that connect meanwhile were checked against the present state.
    const clients = broker.admitted().filter(({ account }) => of(account.companyId));
    if (clients.length === 0) return;
    const secrets = await mqttSecrets(database, [...new Set(clients.map(({ account }) => account.username))]);
    for (const { account, close } of clients)
      if (!secrets.get(account.username)?.equals(account.secretHash)) close();
  };
  const onError = (error: unknown): void =>
    log.warn({ err: error }, "accounts of the broker were not checked");
  const unsubscribe = database.listener.on(mqttAccountChannel, (payload) => {
    check((id) => String(id) === payload).catch(onError);
  });
  const rounds = startRounds({ everyMs, round: () => check(() => true), onError });
  return async () => {
    unsubscribe();
    await rounds.stop();
  };
}
