import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Child process: a program that refuses every request unread and closes the connection; sends its port. */
const server = createServer((_, response) => {
  response.writeHead(429, { connection: "close" }).end();
});
server.on("clientError", (_, socket) => socket.destroy());
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
