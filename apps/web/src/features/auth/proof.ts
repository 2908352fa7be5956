import { auth } from "@metrum/contract/access";
import { send } from "#lib/call";

/** Parameters with which a provider has redirected the browser back. */
export interface Returned {
  readonly ticket: string;
  readonly state: string;
  readonly code: string;
  readonly iss?: string;
}

interface Password {
  readonly kind: "password";
  readonly email: string;
  readonly password: string;
  readonly directory?: boolean;
}

/** A proof without a local password. */
export type OtherProof =
  | { readonly kind: "kerberos" }
  | { readonly kind: "provider"; readonly returned: Returned };

/** How the user proves their identity. */
export type Proof = Password | OtherProof;

/** Additional input required by the server. */
export interface Additions {
  readonly one_t_p?: string;
  readonly personal_data_access?: boolean;
  readonly captcha?: string;
  readonly captcha_key?: string;
}

type Proven = Promise<{ readonly access_token: string }>;

/** The sign-in call of a proof; the form shows refusals itself. */
export async function prove(proof: Proof, additions: Additions): Proven {
  if (proof.kind !== "password") {
    const { proveOther } = await import("./provider.ts");
    return proveOther(proof, additions);
  }
  const { email, password, directory } = proof;
  const body = { email, password, ...additions };
  if (directory !== true) return send(auth.login, { body }, { isQuiet: true });
  const { proveByDirectory } = await import("./provider.ts");
  return proveByDirectory(body);
}
