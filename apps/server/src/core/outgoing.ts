import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { BlockList, connect as connectPlain, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Config } from "#config";

type Allowed = Pick<Config, "outgoingHosts">;

/** A user-entered address to which this installation does not connect. */
export class OutgoingRefused extends Error {
  override readonly name = "OutgoingRefused";
}

/**
 * IANA special-purpose registries; of IPv6 only global unicast is allowed, without ranges that embed IPv4 or
 * are for documentation.
 */
const special = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  special.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  special.addSubnet(network, bits, "ipv6");
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** Whether an address (not a name) lies on the public network. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && globalUnicast.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Destination of an entered address. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly path: string;
}

const usualPorts: Readonly<Record<string, number>> = { mqtt: 1883, mqtts: 8883, http: 80, https: 443 };

/**
 * Parses a user-entered address: security rule 5.7. `schemes`: the one with TLS first, then the plain one.
 * Hosts of the setting METRUM_OUTGOING_HOSTS may be private and plain. Errors: OutgoingRefused with the
 * reason; the host is not resolved here.
 */
export function destinationOf(
  { outgoingHosts }: Allowed,
  text: string,
  schemes: readonly [string, string],
): Destination {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url?.protocol.slice(0, -1) ?? "";
  if (!url || url.hostname === "" || !schemes.includes(scheme))
    throw new OutgoingRefused(`expected an address that begins with ${schemes[0]}://`);
  if (url.username !== "" || url.password !== "")
    throw new OutgoingRefused("name and password have fields of their own");
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const isTls = scheme === schemes[0];
  if (!outgoingHosts.includes(host)) {
    if (!isTls) throw new OutgoingRefused("without TLS only hosts of METRUM_OUTGOING_HOSTS are connected to");
    refuseHost({ outgoingHosts }, host);
  }
  const port = url.port === "" ? (usualPorts[scheme] ?? 0) : Number(url.port);
  return { host, port, isTls, path: `${url.pathname}${url.search}` };
}

const refusal = "the address is not on the public network";

/**
 * Refuses an address outside the public network; a name is checked when it is resolved. Errors:
 * OutgoingRefused.
 */
export function refuseHost({ outgoingHosts }: Allowed, host: string): void {
  if (isIP(host) !== 0 && !outgoingHosts.includes(host) && !isPublicAddress(host))
    throw new OutgoingRefused(refusal);
}

/**
 * Resolves a name once and returns only permitted addresses, so that the caller connects to the address that
 * was checked.
 */
export function checkedLookup({ outgoingHosts }: Allowed): LookupFunction {
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, found: readonly LookupAddress[]) => {
      const [first] = error ? [] : found;
      if (error || !first) callback(error ?? new Error(`${host} has no address`), "");
      else if (!outgoingHosts.includes(host) && !found.every(({ address }) => isPublicAddress(address)))
        callback(new OutgoingRefused(refusal), "");
      else if (options.all === true) callback(null, [...found]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Connects to an entered address. Errors are emitted as the socket's `error`. */
export function connectOut(allowed: Allowed, { host, port, isTls }: Destination): Socket {
  const lookup = checkedLookup(allowed);
  if (!isTls) return connectPlain({ host, port, lookup });
  return connectTls({ host, port, lookup, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

const answerMs = 5_000;

/** The connection was made too late for what was to be sent: nothing was. */
export class OutgoingLate extends Error {
  override readonly name = "OutgoingLate";
}

export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isInTime?: () => boolean;
}

/**
 * Posts to an entered address and returns only the status: redirects are not followed and the body is not
 * read. `isInTime` is asked once connected, before the first byte. Errors: Error when there is no answer within five
 * seconds; OutgoingRefused; OutgoingLate.
 */
export function postOut(
  allowed: Allowed,
  { host, port, isTls, path }: Destination,
  { headers, body, isInTime }: Posted,
): Promise<number> {
  const ask = isTls ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const clientRequest = ask(
      {
        method: "POST",
        host,
        port,
        path,
        headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
        lookup: checkedLookup(allowed),
        agent: false,
        signal: AbortSignal.timeout(answerMs),
      },
      (answer) => {
        answer.destroy();
        resolve(answer.statusCode ?? 0);
      },
    );
    clientRequest.on("error", reject);
    // Node writes the head with the first byte of the body, so nothing leaves before the connection is there.
    clientRequest.on("socket", (socket) => {
      socket.once(isTls ? "secureConnect" : "connect", () => {
        if (isInTime?.() === false) clientRequest.destroy(new OutgoingLate("too late"));
        else clientRequest.end(body);
      });
    });
  });
}
