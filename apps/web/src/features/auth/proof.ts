import { auth } from "@metrum/contract";
import { send } from "#lib/call";

/** What a provider has sent the browser back with. */
export interface Returned {
  readonly ticket: string;
  readonly state: string;
  readonly code: string;
  readonly iss?: string;
}

/** How somebody says who they are. */
export type Proof =
  | {
      readonly kind: "password";
      readonly email: string;
      readonly password: string;
      readonly directory?: boolean;
    }
  | { readonly kind: "kerberos" }
  | { readonly kind: "provider"; readonly returned: Returned };

/** What the server has asked for in addition. */
export interface Additions {
  readonly one_t_p?: string;
  readonly personal_data_access?: boolean;
  readonly captcha?: string;
  readonly captcha_key?: string;
}

/** The sign-in of one proof; the form shows refusals itself. */
export function prove(proof: Proof, additions: Additions): Promise<{ readonly access_token: string }> {
  const quietly = { isQuiet: true };
  const { captcha, captcha_key, ...given } = additions;
  if (proof.kind === "kerberos") return send(auth.kerberos, { body: given }, quietly);
  if (proof.kind === "provider")
    return send(auth.oidcFinish, { body: { ...given, ...proof.returned } }, quietly);
  const { kind: _, ...credentials } = proof;
  const read = captcha === undefined || captcha_key === undefined ? {} : { captcha, captcha_key };
  return send(auth.login, { body: { ...credentials, ...given, ...read } }, quietly);
}
