import { administration } from "@metrum/contract/platform";
import { send } from "#lib/call";
import { enterSession } from "#lib/token";

/** Redeems an entry code and continues in its session. Errors: ApiError; the present session then stays. */
export async function enterBy(code: string): Promise<void> {
  const { access_token } = await send(administration.redeemEntry, { body: { code } }, { isQuiet: true });
  enterSession(access_token);
}
