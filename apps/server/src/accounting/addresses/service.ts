import { addressBounds, type ObjectAddress } from "@metrum/contract/accounting";
import type { Config, AddressServiceSettings } from "#config";
import type { Clock, Log } from "#core";
import { adapters, type Adapter, type Asking, type Question } from "./adapters.ts";

const answerMs = 5_000;
const answerBytes = 256 * 1024;
/** Answers are remembered for so long, and so many of them. */
const keptSec = 600;
const kept = 1_000;

/** What the service of the installation has answered. */
export interface ServiceAnswer {
  readonly is_configured: boolean;
  readonly is_reached: boolean;
  readonly found: readonly ObjectAddress[];
}

export interface AddressService {
  readonly ask: (companyId: number, question: Question) => Promise<ServiceAnswer>;
}

/** The outside services of addresses, as configured. */
export interface AddressServices {
  /** Suggestions and geocoding. */
  readonly maps: AddressService;
  /** Hints of the state address register. */
  readonly register: AddressService;
}

declare module "#core" {
  interface Parts {
    readonly addressServices: AddressServices;
  }
}

export interface Given {
  readonly config: Pick<Config, "addressService" | "addressRegister">;
  readonly clock: Clock;
  readonly log: Log;
}

export function createAddressServices(given: Given): AddressServices {
  const { addressService, addressRegister } = given.config;
  return {
    maps: addressService ? serviceOf(given, addressService, adapters[addressService.kind]) : none,
    register: addressRegister ? serviceOf(given, addressRegister, adapters.gar) : none,
  };
}

const none: AddressService = {
  ask: () => Promise.resolve({ is_configured: false, is_reached: true, found: [] }),
};

/** A service with the memory of its last answers and the counts of the present minute by company. */
function serviceOf(
  { clock, log }: Given,
  { url, key }: AddressServiceSettings,
  adapter: Adapter,
): AddressService {
  const answers = new Map<string, { readonly at: number; readonly found: readonly ObjectAddress[] }>();
  const counts = { minute: 0, of: new Map<number, number>() };
  const isTooOften = (companyId: number): boolean => {
    const minute = Math.floor(clock.now() / 60);
    if (minute !== counts.minute) {
      counts.minute = minute;
      counts.of.clear();
    }
    const count = (counts.of.get(companyId) ?? 0) + 1;
    counts.of.set(companyId, count);
    return count > addressBounds.perMinute;
  };
  return {
    async ask(companyId, question) {
      const asking = adapter.ask(question, key);
      const wanted = JSON.stringify(asking);
      const known = answers.get(wanted);
      const isKnown = known && clock.now() - known.at < keptSec;
      if (!asking || isKnown)
        return { is_configured: true, is_reached: true, found: isKnown ? known.found : [] };
      if (isTooOften(companyId)) return { is_configured: true, is_reached: false, found: [] };
      try {
        const found = adapter.read(await answerOf(url, asking)).slice(0, addressBounds.suggestions);
        answers.delete(wanted);
        answers.set(wanted, { at: clock.now(), found });
        const [oldest] = answers.keys();
        if (answers.size > kept && oldest !== undefined) answers.delete(oldest);
        return { is_configured: true, is_reached: true, found };
      } catch (error) {
        // Neither the text asked for nor the key may stand in the log.
        log.warn({ reason: reasonOf(error) }, "the address service did not answer as expected");
        return { is_configured: true, is_reached: false, found: [] };
      }
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");

/**
 * The answer of a service, whose address the operator has configured: redirects are refused, and an answer longer
 * than the bound. Errors: Error.
 */
async function answerOf(url: string, { path, query = {}, body, headers }: Asking): Promise<unknown> {
  const target = new URL(`${url.replace(/\/$/, "")}${path}`);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  const response = await fetch(target, {
    method: body === undefined ? "GET" : "POST",
    redirect: "error",
    signal: AbortSignal.timeout(answerMs),
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok || !response.body) throw new Error(`status ${String(response.status)}`);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body) {
    length += part.length;
    if (length > answerBytes) throw new Error("the answer is too long");
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString()) as unknown;
}
