import { problem } from "@metrum/contract/core";
import { isStorable, storableValue } from "../database/storable.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Maximum nesting of objects and lists (security rule 5.1). */
const deepest = 32;

type Wrong = "unstorable" | "depth";

/**
 * Refuses input that no table can store, before it is processed: a NUL or a lone surrogate in a text or a
 * name, and excessive nesting. Problem: wrong_input with the path of the first such place.
 */
export function refuseUnstorable(
  { params, query, body }: FastifyRequest,
  _reply: FastifyReply,
  done: (refusal?: Error) => void,
): void {
  for (const part of [params, query, body]) {
    const found = wrongIn(part);
    if (found) {
      done(problem("wrong_input", { attributes: { [found.path]: [found.wrong] } }));
      return;
    }
  }
  done();
}

/**
 * The same for calls by which other systems deliver device data (`hasForeignText`): their text is cleaned,
 * because a refusal would make them repeat it forever. Excessive nesting is still refused.
 */
export function cleanUnstorable(
  request: FastifyRequest,
  reply: FastifyReply,
  done: (refusal?: Error) => void,
): void {
  request.query = cleaned(request.query);
  request.body = cleaned(request.body);
  refuseUnstorable(request, reply, done);
}

const cleaned = (part: unknown): unknown =>
  wrongIn(part)?.wrong === "unstorable" ? storableValue(part) : part;

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/** Iterative, because a body can be nested deeper than the call stack allows. */
function wrongIn(part: unknown): { path: string; wrong: Wrong } | undefined {
  const places: Place[] = [{ value: part, path: "", depth: 0 }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { value, path, depth } = place;
    if (typeof value === "string") {
      if (!isStorable(value)) return { path: path || "body", wrong: "unstorable" };
    } else if (typeof value === "object" && value !== null) {
      if (depth >= deepest) return { path: topOf(path), wrong: "depth" };
      for (const [name, each] of Object.entries(value)) {
        if (!isStorable(name)) return { path: path || "body", wrong: "unstorable" };
        places.push({ value: each, path: path === "" ? name : `${path}.${name}`, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

function topOf(path: string): string {
  return path.split(".")[0] ?? "body";
}
