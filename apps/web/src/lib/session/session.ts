import { useSuspenseQuery } from "@tanstack/react-query";
import { auth, currentCompany, users, type Company } from "@metrum/contract/access";
import { allows, type ReplyOf } from "@metrum/contract/core";
import { callOptions, ignoreFailure, keyOf, queryClient, send } from "#lib/call";
import { endSession, storedToken } from "#lib/token";
import { decide, rightsOf, type Verdict } from "./decide.ts";

type AccessRecord = ReplyOf<typeof users.access>;
type OwnUser = ReplyOf<typeof users.info>["user"];

const forever = { freshMs: Number.POSITIVE_INFINITY, isQuiet: true };
const accessOptions = callOptions(users.access, {}, forever);
const userOptions = callOptions(users.info, {}, forever);
const companyOptions = callOptions(currentCompany.own, {}, forever);

/** User, company and rights of the session. Only for use inside screens admitted by the guard. */
export interface Session {
  readonly access: AccessRecord;
  readonly user: OwnUser;
  readonly company: Company;
  readonly zone: string;
}

export type Loaded =
  | { readonly verdict: Verdict; readonly access?: AccessRecord }
  | { readonly verdict: "accessFailed" | "userFailed"; readonly access?: undefined; readonly error: unknown };

/** Access first, then user and company; each is requested once per session. */
export async function loadSession(): Promise<Loaded> {
  if (storedToken() === null) return { verdict: "login" };
  let access: AccessRecord;
  try {
    access = await queryClient.query(accessOptions);
  } catch (error) {
    return { verdict: "accessFailed", error };
  }
  try {
    const [, { company }] = await Promise.all([
      queryClient.query(userOptions),
      queryClient.query(companyOptions),
    ]);
    return { verdict: decide(storedToken() !== null, access, company), access };
  } catch (error) {
    return { verdict: "userFailed", error };
  }
}

export function useSession(): Session {
  const { data: access } = useSuspenseQuery(accessOptions);
  const { user } = useSuspenseQuery(userOptions).data;
  const { company } = useSuspenseQuery(companyOptions).data;
  return { access, user, company, zone: user.timezone_name ?? user.current_timezone_name };
}

/** Whether the rights of the session satisfy a rule of the contract, such as "4:update". */
export function useAllowed(rule: string | null): boolean {
  const { data: access } = useSuspenseQuery(accessOptions);
  return allows(rule, rightsOf(access));
}

/**
 * View settings of the user; applied at once here, merged key by key on the server, so that other devices get
 * them too.
 */
export function saveSettings(changes: Readonly<Record<string, unknown>>): void {
  queryClient.setQueryData(keyOf(users.info, {}), (old: ReplyOf<typeof users.info> | undefined) =>
    old ? { user: { ...old.user, settings: { ...old.user.settings, ...changes } } } : old,
  );
  // A failure is ignored: the screen already shows the setting.
  send(users.settings, { body: { settings: { ...changes } } }, { isQuiet: true }).catch(ignoreFailure);
}

/** Ends the session on the server and here; here also when the server is not reachable. */
export async function signOut(): Promise<void> {
  if (storedToken() === null) return;
  const isTold = send(auth.logout, {}, { isQuiet: true }).catch(ignoreFailure);
  // At once: pending requests of the screen would get a 401, which is shown as another kind of end.
  endSession("signedOut");
  await isTold;
}
