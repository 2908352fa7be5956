import { singleSignOn } from "@metrum/contract/access";
import type { InputOf } from "@metrum/contract/core";
import { send } from "#lib/call";
import type { Additions, OtherProof, Returned } from "./proof.ts";

const ticketKey = "metrum.ticket";

/** Redirects to the OpenID provider. The ticket stays in this tab: the sign-in can only be completed here. */
export async function leaveForProvider(): Promise<void> {
  const { url, ticket } = await send(singleSignOn.oidcStart, {}, { isQuiet: true });
  sessionStorage.setItem(ticketKey, ticket);
  location.assign(url);
}

/**
 * Parameters that the provider has added to the address, read once: the address is cleaned first. Null if
 * there are none; "refused" when the provider denies the sign-in.
 */
export function takeReturned(): Returned | "refused" | null {
  const search = new URLSearchParams(location.search);
  const [state, code, iss] = ["state", "code", "iss"].map((name) => search.get(name));
  if (!state || (!code && !search.has("error"))) return null;
  history.replaceState(null, "", location.pathname + location.hash);
  const ticket = sessionStorage.getItem(ticketKey);
  sessionStorage.removeItem(ticketKey);
  if (!code || ticket === null) return "refused";
  return { ticket, state, code, ...(iss ? { iss } : {}) };
}

/** The sign-in with a password that the directory of the company checks. */
export const proveByDirectory = (body: NonNullable<InputOf<typeof singleSignOn.directory>["body"]>) =>
  send(singleSignOn.directory, { body }, { isQuiet: true });

/** The sign-in of a user confirmed by a provider. No captcha: only the code could be guessed. */
export function proveOther(
  proof: OtherProof,
  { one_t_p, personal_data_access }: Additions,
): Promise<{ readonly access_token: string }> {
  const given = {
    ...(one_t_p === undefined ? {} : { one_t_p }),
    ...(personal_data_access === undefined ? {} : { personal_data_access }),
  };
  const quietly = { isQuiet: true };
  return proof.kind === "kerberos"
    ? send(singleSignOn.kerberos, { body: given }, quietly)
    : send(singleSignOn.oidcFinish, { body: { ...given, ...proof.returned } }, quietly);
}
