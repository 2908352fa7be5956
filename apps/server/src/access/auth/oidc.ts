import * as client from "openid-client";
import { problem } from "@metrum/contract";
import type { PublicCtx, Services } from "#core";
import { beginJourney, claimJourney, nameJourney, type Journey } from "./journeyStore.ts";
import { hashOf, newToken } from "./sessionStore.ts";

type Settings = NonNullable<Services["config"]["oidc"]>;

/** How long a journey to the provider may take, and how long each answer of it. */
const journeyMs = 10 * 60_000;
const patienceSec = 5;

/** What the provider says of itself, by its settings: asked once, and again after a failure. */
type OidcProviders = Map<Settings, Promise<client.Configuration>>;

export const createOidcProviders = (): OidcProviders => new Map();

declare module "#core" {
  interface Parts {
    readonly oidcProviders: OidcProviders;
  }
}

/**
 * Begins a journey: where the browser goes, and the ticket that it keeps. State, nonce and PKCE verifier stay here; only
 * the browser with the ticket can end the journey, so that nobody is signed in by a link of somebody else.
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
 * The e-mail address of whoever has come back from the provider, in small letters. The code is exchanged once; while
 * consent or a one-time code is asked for, the same browser may come again. Throws `provider_refused` for a state that is
 * unknown, used or old, and for an ID token that is not signed by the provider, not meant for this journey or not for us.
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

/** Only an address that the provider itself has verified says who somebody is. */
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
    ctx.log.error({ err: error }, "the OpenID provider cannot be asked");
    throw problem("provider_away");
  }
}

function discover({ issuer, clientId, clientSecret }: Settings): Promise<client.Configuration> {
  const server = new URL(issuer);
  // The signature of the ID token is checked too, although it comes over TLS.
  const execute = [client.enableNonRepudiationChecks];
  // Without TLS only on this machine.
  if (["127.0.0.1", "localhost", "[::1]"].includes(server.hostname))
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way there is; marked so that it stands out
    execute.push(client.allowInsecureRequests);
  return client.discovery(server, clientId, undefined, client.ClientSecretPost(clientSecret), {
    execute,
    timeout: patienceSec,
  });
}

/** No connection, or no answer in time. */
function isAway(error: unknown): boolean {
  return (
    error instanceof TypeError || (error instanceof client.ClientError && error.code === "OAUTH_TIMEOUT")
  );
}

function settingsOf({ config }: PublicCtx): Settings {
  if (!config.oidc) throw problem("not_found");
  return config.oidc;
}

/** The page that the provider sends the browser back to: that of the app, without its hash. */
function pageOf({ config }: PublicCtx): string {
  return new URL("/", config.publicUrl).href;
}
