import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkedLookup, connectOut, destinationOf, isPublicAddress, postOut } from "./outgoing.ts";

const nobody = { outgoingHosts: [] };
const schemes = ["https", "http"] as const;

describe("an address", () => {
  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "fe80::1",
    "fd00::1",
    "2002:a00:1::",
    "2001:db8::1",
    "metrum.example",
  ])("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "2a00:1450:4001:81b::200e"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ["ftp://a.example", "https://"],
    ["nonsense", "https://"],
    ["https://user:secret@a.example/x", "fields of their own"],
    ["http://a.example/x", "without TLS"],
    ["https://127.0.0.1/x", "not on the public network"],
    ["https://2130706433/x", "not on the public network"],
    ["https://[::1]/x", "not on the public network"],
    ["https://[::ffff:10.0.0.1]/x", "not on the public network"],
  ])("%s is refused", (text, why) => {
    expect(() => destinationOf(nobody, text, schemes)).toThrow(why);
  });

  test("from the configuration may be private and unencrypted", () => {
    const own = { outgoingHosts: ["10.0.0.5"] };

    expect(destinationOf(own, "http://10.0.0.5:8080/lrc?x=1", schemes)).toEqual({
      host: "10.0.0.5",
      port: 8080,
      isTls: false,
      path: "/lrc?x=1",
    });
    expect(destinationOf(nobody, "mqtts://eu1.example", ["mqtts", "mqtt"])).toMatchObject({ port: 8883 });
  });
});

describe("a connection", () => {
  let hits = 0;
  const server = createServer((_, answer) => {
    hits += 1;
    answer.writeHead(302, { location: `http://localhost:${String(portOf())}/again` }).end();
  });
  const portOf = (): number => (server.address() as AddressInfo).port;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const there = () => ({ host: "localhost", port: portOf(), isTls: false, path: "/" });
  const post = { headers: {}, body: "" };

  test("to a name that resolves to a private address is refused before a byte is sent", async () => {
    await expect(postOut(nobody, there(), post)).rejects.toThrow("not on the public network");
    const socket = connectOut(nobody, there());
    const error = await new Promise<Error>((resolve) => socket.on("error", resolve));

    expect(error.message).toBe("the address is not on the public network");
    expect(hits).toBe(0);
  });

  test("follows no redirect", async () => {
    expect(await postOut({ outgoingHosts: ["localhost"] }, there(), post)).toBe(302);
    expect(hits).toBe(1);
  });

  test("with a single address resolves names the same way", async () => {
    const found = await new Promise((resolve) =>
      checkedLookup({ outgoingHosts: ["localhost"] })("localhost", { family: 4 }, (_, address) =>
        resolve(address),
      ),
    );
    expect(found).toBe("127.0.0.1");
  });
});
