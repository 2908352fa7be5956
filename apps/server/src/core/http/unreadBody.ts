import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Bytes of an unwanted body that are still read, so that its connection can be reused. net/http of Go reads
 * as much.
 */
const mostDiscarded = 256 * 1024;
/** Time for the sender to read the answer before its connection is reset. net/http of Go waits as long. */
const lingerMs = 500;

/**
 * Closes the connection of a request that is answered before its long body was read (a limit exceeded): Node
 * would read all of it to keep the connection, which makes a refused import of 19 MiB cost as much as an
 * accepted one.
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

/**
 * Node calls `destroySoon` once the answer is written, and would first read the rest of the body if no reader
 * had started. `read(0)` starts none once the buffer is full.
 */
function linger(request: IncomingMessage): void {
  request.read();
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
