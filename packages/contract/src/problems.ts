import type { FieldFault, Params } from "./fieldFaults.ts";
import { coreProblems } from "./problems/core.ts";
import { accessProblems } from "./problems/access.ts";
import { meteringProblems } from "./problems/metering.ts";
import { headendProblems } from "./problems/headend.ts";
import { platformProblems } from "./problems/platform.ts";
import type { ProblemKinds } from "./problems/kind.ts";

/**
 * Every refusal a user can meet: code on the wire, HTTP status, text in three languages. `{name}` is filled from the
 * parameters of the problem. Statuses: 400 unreadable body, 401 no or dead token, 403 right missing, 404 unknown or foreign,
 * 409 conflict, 413 too large, 422 wrong input and refused sign-in, 429 rate, 449 consent, 503 away.
 */
export const problems = {
  ...coreProblems,
  ...accessProblems,
  ...meteringProblems,
  ...headendProblems,
  ...platformProblems,
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof problems;

/** Wrong fields by their path with what is wrong: a code of fieldFaults, with or without parameters, or a code that the reader words. */
export type WrongFields = Readonly<Record<string, readonly (string | FieldFault)[]>>;

export interface ProblemInput {
  readonly params?: Params;
  readonly attributes?: WrongFields;
}

/** A refusal that a user meets; everything else that is thrown is a bug. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly params: Params;
  readonly attributes: WrongFields;

  constructor(code: ProblemCode, input: ProblemInput = {}) {
    super(code);
    this.code = code;
    this.params = input.params ?? {};
    this.attributes = input.attributes ?? {};
  }
}

/** Makes the refusal to throw: `throw problem("not_found")`. A not-found problem never echoes the id. */
export function problem(code: ProblemCode, input: ProblemInput = {}): Problem {
  return new Problem(code, input);
}
