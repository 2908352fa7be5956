import * as client from "openid-client";
import { problem } from "@metrum/contract/core";
import type { PublicCtx, Services } from "#core";
import { beginJourney, claimJourney, nameJourney, type Journey } from "./journeyStore.ts";
import { hashOf, newToken } from "./sessionStore.ts";

type Settings = NonNullable<Services["config"]["oidc"]>;

/** Time limits of a whole sign-in at the provider, and of each of its answers. */
const journeyMs = 10 * 60_000;
const patienceSec = 5;

/** Metadata of the providers by their settings: discovered once, and again after a failure. */
type OidcProviders = Map<Settings, Promise<client.Configuration>>;

export const createOidcProviders = (): OidcProviders => new Map();

declare module "#core" {
  interface Parts {
    readonly oidcProviders: OidcProviders;
  }
}

/**
 * Begins a sign-in at the provider. Returns the address for the browser and a ticket that the browser keeps.
 * State, nonce and PKCE verifier stay on the server. Only the browser that has the ticket can finish the
 * sign-in, so that a link prepared by an attacker signs in no other browser.
 */
export async function startJourney(ctx: PublicCtx): Promise<{ url: string; ticket: string }> {
  const settings = settingsOf(ctx);
  const configuration = await discovered(ctx, settings);
  const [state, ticket, nonce] = [newToken(), newToken(), client.randomNonce()];
  const verifier = client.randomPKCECodeVerifier();
  await beginJourney(ctx.database.system, {
    state_hash: hashOf(state),
    ticket_hash: hashOf(ticket),
    nonce,
    verifier,
    expires_at: new Date(ctx.clock.nowMs() + journeyMs),
  });
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: pageOf(ctx),
    response_type: "code",
    scope: "openid email",
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return { url: url.href, ticket };
}

export interface Returned {
  readonly state: string;
  readonly ticket: string;
  readonly code: string;
  readonly iss?: string | undefined;
}

/**
 * The e-mail address of the user whom the provider has redirected back, in lower case. The code is exchanged
 * once; the same browser may repeat the call while consent or a one-time code is requested. Throws
 * `provider_refused` for an unknown, used or expired state, and for an ID token that the provider has not
 * signed or that was issued for another sign-in or client.
 */
export async function emailOfReturned(ctx: PublicCtx, returned: Returned): Promise<string> {
  const settings = settingsOf(ctx);
  const configuration = await discovered(ctx, settings);
  const keys = { state: hashOf(returned.state), ticket: hashOf(returned.ticket) };
  const journey = await claimJourney(ctx.database.system, keys, ctx.clock.nowMs());
  if (!journey) throw problem("provider_refused");
  if (journey.email !== null) return journey.email;
  const email = await exchange(ctx, configuration, { returned, journey });
  await nameJourney(ctx.database.system, keys.state, email);
  return email;
}

async function exchange(
  ctx: PublicCtx,
  configuration: client.Configuration,
  { returned, journey }: { readonly returned: Returned; readonly journey: Journey },
): Promise<string> {
  const page = new URL(pageOf(ctx));
  page.searchParams.set("code", returned.code);
  page.searchParams.set("state", returned.state);
  if (returned.iss !== undefined) page.searchParams.set("iss", returned.iss);
  try {
    const tokens = await client.authorizationCodeGrant(configuration, page, {
      expectedState: returned.state,
      expectedNonce: journey.nonce,
      pkceCodeVerifier: journey.verifier,
      idTokenExpected: true,
    });
    return verifiedEmail(tokens.claims());
  } catch (cause) {
    if (isAway(cause)) throw problem("provider_away");
    ctx.log.warn({ err: cause }, "a sign-in at the OpenID provider was refused");
    throw problem("provider_refused");
  }
}

/** Only an address that the provider has verified identifies a user. */
function verifiedEmail(claims: client.IDToken | undefined): string {
  const email = claims?.["email"];
  if (typeof email !== "string" || claims?.["email_verified"] !== true)
    throw new Error("the ID token holds no verified e-mail address");
  return email.toLowerCase();
}

async function discovered(ctx: PublicCtx, settings: Settings): Promise<client.Configuration> {
  const { oidcProviders } = ctx.parts;
  const known = oidcProviders.get(settings) ?? discover(settings);
  oidcProviders.set(settings, known);
  try {
    return await known;
  } catch (error) {
    oidcProviders.delete(settings);
    ctx.log.error({ err: error }, "the OpenID provider could not be queried");
    throw problem("provider_away");
  }
}

function discover({ issuer, clientId, clientSecret }: Settings): Promise<client.Configuration> {
  const server = new URL(issuer);
  // The signature of the ID token is verified although the token arrives over TLS.
  const execute = [client.enableNonRepudiationChecks];
  // Plain HTTP is allowed only for providers on this machine.
  if (["127.0.0.1", "localhost", "[::1]"].includes(server.hostname))
    // oxlint-disable-next-line typescript/no-deprecated -- marked only to stand out; no other way
    execute.push(client.allowInsecureRequests);
  return client.discovery(server, clientId, undefined, client.ClientSecretPost(clientSecret), {
    execute,
    timeout: patienceSec,
  });
}

/** The provider could not be reached or did not answer in time. */
function isAway(error: unknown): boolean {
  return (
    error instanceof TypeError || (error instanceof client.ClientError && error.code === "OAUTH_TIMEOUT")
  );
}

function settingsOf({ config }: PublicCtx): Settings {
  if (!config.oidc) throw problem("not_found");
  return config.oidc;
}

/** The page to which the provider redirects the browser: the address of the app without its hash. */
function pageOf({ config }: PublicCtx): string {
  return new URL("/", config.publicUrl).href;
}
