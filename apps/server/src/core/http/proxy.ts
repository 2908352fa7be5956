import { BlockList, isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** Networks behind the names that METRUM_TRUSTED_PROXIES may contain. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * Reads a header that only a trusted proxy may set: undefined when the connection itself does not come from
 * one, whatever address the request claims to be forwarded for.
 */
export function readFromProxy(
  trusted: readonly string[],
): (request: FastifyRequest, header: string) => string | undefined {
  const list = listOf(trusted);
  return (request, header) => {
    const value = request.headers[header];
    const address = request.socket.remoteAddress ?? "";
    return typeof value === "string" && isWithin(list, address) ? value : undefined;
  };
}

function listOf(trusted: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of trusted.flatMap((name) => named[name] ?? [name])) {
    const [address = "", bits] = each.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isWithin(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 6 ? "ipv6" : "ipv4");
}
