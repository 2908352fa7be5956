import { createHash } from "node:crypto";
import { networkOf } from "#core";
import type { Kind } from "./limits.ts";

/** What failures are counted for. */
export interface Subject {
  readonly kind: Kind;
  readonly key: Buffer;
}

/** Whose try it is: the account by its e-mail in lower case, and where the try comes from. */
export interface Who {
  readonly account?: string | undefined;
  readonly address: string;
}

/** The subjects of a try, always in the same order, so that two tries never wait for each other in a ring. */
export function subjectsOf({ account, address }: Who): Subject[] {
  const own = account === undefined ? [] : [subject("account", account), subject("code", account)];
  return [...own, subject("address", networkOf(address))].toSorted((a, b) => a.key.compare(b.key));
}

export function subject(kind: Kind, name: string): Subject {
  return { kind, key: createHash("sha256").update(`${kind}:${name}`).digest() };
}
