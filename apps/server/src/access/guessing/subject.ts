import { createHash } from "node:crypto";
import { networkOf } from "#core";
import type { Kind } from "./limits.ts";

/** Kinds of subjects for which failures are counted. */
export interface Subject {
  readonly kind: Kind;
  readonly key: Buffer;
}

/** Subject of an attempt: the account by its e-mail in lower case, and the client address. */
export interface Who {
  readonly account?: string | undefined;
  readonly address: string;
}

/** The subjects of an attempt, always in the same order, which prevents deadlocks between attempts. */
export function subjectsOf({ account, address }: Who): Subject[] {
  const own = account === undefined ? [] : [subject("account", account), subject("code", account)];
  return [...own, subject("address", networkOf(address))].toSorted((a, b) => a.key.compare(b.key));
}

export function subject(kind: Kind, name: string): Subject {
  return { kind, key: createHash("sha256").update(`${kind}:${name}`).digest() };
}
