import { auth } from "@metrum/contract";
import { send } from "#lib/call";

/** What a provider has sent the browser back with. */
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

/** A proof without a password here. */
export type OtherProof =
  { readonly kind: "kerberos" } | { readonly kind: "provider"; readonly returned: Returned };

/** How somebody says who they are. */
export type Proof = Password | OtherProof;

/** What the server has asked for in addition. */
export interface Additions {
  readonly one_t_p?: string;
  readonly personal_data_access?: boolean;
  readonly captcha?: string;
  readonly captcha_key?: string;
}

type Proven = Promise<{ readonly access_token: string }>;

/** The sign-in of one proof; the form shows refusals itself. */
export async function prove(proof: Proof, additions: Additions): Proven {
  if (proof.kind !== "password") {
    const { proveOther } = await import("./provider.ts");
    return proveOther(proof, additions);
  }
  const { kind: _, ...credentials } = proof;
  return send(auth.login, { body: { ...credentials, ...additions } }, { isQuiet: true });
}
