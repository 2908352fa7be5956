import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What is read of a body that nobody waits for, so that its connection can go on. net/http of Go reads as much. */
const mostDiscarded = 256 * 1024;
/** The sender has so long to read the answer before its connection is reset. net/http of Go waits as long. */
const lingerMs = 500;

/**
 * Closes the connection of whoever is answered before a long body was read (a bound that was reached): Node would read
 * all of it to keep the connection, which costs a refused import of 19 MiB as much as one that is taken.
 */
export function closeOnUnreadBody(fastify: FastifyInstance): void {
  fastify.addHook("onSend", (request, reply, _payload, done) => {
    if (!isLongUnread(request)) {
      done();
      return;
    }
    reply.header("connection", "close");
    linger(request.raw);
    done();
  });
}

function isLongUnread({ raw }: FastifyRequest): boolean {
  if (raw.complete || raw.readableDidRead) return false;
  const length = raw.headers["content-length"];
  return length === undefined
    ? raw.headers["transfer-encoding"] !== undefined
    : Number(length) > mostDiscarded;
}

/** Node calls `destroySoon` once the answer is written, and would read the rest of the body first if nothing else had begun to. */
function linger(request: IncomingMessage): void {
  request.read(0);
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
