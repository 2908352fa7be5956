import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Faults that a provider can simulate. */
export type Fault = "none" | "signature" | "nonce" | "audience" | "unverified" | "expired" | "unsigned";

export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs a user in: returns the redirect for the URL with which the sign-in began. */
  readonly comeBack: (
    url: string,
    email: string,
    fault?: Fault,
  ) => { readonly state: string; readonly code: string };
  readonly close: () => Promise<void>;
}

interface Grant {
  readonly email: string;
  readonly fault: Fault;
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

const clientId = "metrum";
const clientSecret = "secret of the test";
const keyId = "key-1";

/** An OpenID provider that signs its ID tokens (RS256), requires PKCE, and accepts each code once. */
export async function openOidcProvider(): Promise<OidcProvider> {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const others = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  let issuer = "";
  const server = createServer((request, response) => {
    void handle(request).then(
      (body) => reply(response, 200, body),
      (error: unknown) => reply(response, 400, { error: "invalid_grant", error_description: String(error) }),
    );
  });
  const handle = async (request: IncomingMessage): Promise<object> => {
    if (request.url === "/.well-known/openid-configuration") return describe(issuer);
    if (request.url === "/keys")
      return {
        keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: keyId, use: "sig", alg: "RS256" }],
      };
    const form = new URLSearchParams(await bodyOf(request));
    const grant = granted(grants, form);
    const key = grant.fault === "signature" ? others.privateKey : keys.privateKey;
    return { access_token: "none", token_type: "bearer", id_token: idToken(issuer, grant, key) };
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    issuer,
    clientId,
    clientSecret,
    comeBack(url, email, fault = "none") {
      const query = new URL(url).searchParams;
      const of = (name: string): string => query.get(name) ?? "";
      const code = crypto.randomUUID();
      const challenge = of("code_challenge");
      grants.set(code, { email, fault, nonce: of("nonce"), challenge, redirectUri: of("redirect_uri") });
      return { state: of("state"), code };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function describe(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
  };
}

/** Throws Error when code, secret, redirect address or PKCE verifier do not match. */
function granted(grants: Map<string, Grant>, form: URLSearchParams): Grant {
  const code = form.get("code") ?? "";
  const grant = grants.get(code);
  grants.delete(code);
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (!grant) throw new Error("unknown code");
  if (form.get("client_secret") !== clientSecret) throw new Error("wrong client");
  if (grant.challenge !== challenge) throw new Error("wrong verifier");
  if (grant.redirectUri !== form.get("redirect_uri")) throw new Error("wrong address");
  return grant;
}

function idToken(issuer: string, { email, fault, nonce }: Grant, key: KeyObject): string {
  const now = Math.floor(Date.now() / 1000);
  const head = { alg: fault === "unsigned" ? "none" : "RS256", kid: keyId };
  const claims = {
    iss: issuer,
    sub: email,
    aud: fault === "audience" ? "somebody else" : clientId,
    iat: fault === "expired" ? now - 7200 : now,
    exp: fault === "expired" ? now - 3600 : now + 60,
    nonce: fault === "nonce" ? "another" : nonce,
    email,
    email_verified: fault !== "unverified",
  };
  const text = [head, claims]
    .map((each) => Buffer.from(JSON.stringify(each)).toString("base64url"))
    .join(".");
  const signature =
    fault === "unsigned" ? "" : sign("RSA-SHA256", Buffer.from(text), key).toString("base64url");
  return `${text}.${signature}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
