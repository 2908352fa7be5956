import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { mbus, sharedLine } from "@metrum/protocols/mbus";
import { afterEach, expect, test } from "vitest";
import { search } from "./search.ts";

const driver = mbus({
  resource: "heat",
  manufacturer: "MTR",
  version: 1,
  medium: 4,
  records: [{ code: "0C 13", field: "in1" }],
});

let server: Server | undefined;
afterEach(() => server?.close());

/** A converter with meters of these numbers behind it. */
async function aLine(ids: readonly string[]): Promise<string> {
  const line = sharedLine(
    ids.map((id) =>
      driver.respond(
        { insideAddr: id, deviceID: id },
        () => 12,
        () => 1_795_251_600,
      ),
    ),
  );
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      for (const each of line.receive(bytes)) socket.write(each);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `127.0.0.1:${String(typeof address === "object" && address ? address.port : 0)}`;
}

test("finds the meter with this number on a line", async () => {
  const tcp = await aLine(["12345678", "12345679"]);

  const atOnce: string[] = [];
  const args = ["--tcp", tcp, "--baud", "115200", "--mask", "12345679"];
  const found = await search(args, ({ id }) => void atOnce.push(id));

  expect(found.meters).toMatchObject([{ id: "12345679", manufacturer: "MTR", version: 1, medium: 4 }]);
  expect(atOnce).toEqual(["12345679"]);
  expect([found.isComplete, found.unresolved]).toEqual([true, []]);
});

test.each([
  [["--baud", "9600"], "search --tcp"],
  [["--tcp", "a:1", "--serial", "/dev/ttyS0"], "search --tcp"],
  [["--tcp", "nowhere"], "--tcp"],
  [["--tcp", "a:1", "--baud", "fast"], "--baud"],
  [["--tcp", "a:1", "--mask", "12"], "--mask"],
])("%j is refused with the name of the argument", async (args, named) => {
  await expect(search(args)).rejects.toThrow(named);
});
