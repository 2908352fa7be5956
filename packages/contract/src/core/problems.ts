import type { FieldFault, Params } from "./fieldFaults.ts";
import { coreProblems } from "../problems/core.ts";
import { accessProblems } from "../problems/access.ts";
import { meteringProblems } from "../problems/metering.ts";
import { headendProblems } from "../problems/headend.ts";
import { accountingProblems } from "../problems/accounting.ts";
import { platformProblems } from "../problems/platform.ts";
import type { ProblemKinds } from "../problems/kind.ts";

/**
 * Every refusal shown to users: code on the wire, HTTP status, text in three languages. `{name}` is replaced
 * by a parameter of the problem. Statuses: 400 unreadable body, 401 missing or invalid token, 403 right
 * missing, 404 unknown or foreign, 409 conflict, 413 too large, 422 wrong input and refused sign-in, 429
 * rate, 449 consent, 503 unavailable.
 */
export const problems = {
  ...coreProblems,
  ...accessProblems,
  ...meteringProblems,
  ...headendProblems,
  ...accountingProblems,
  ...platformProblems,
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof problems;

/**
 * Wrong fields by their path with the fault: a code of fieldFaults, with or without parameters, or a code
 * with a text in the web app.
 */
export type WrongFields = Readonly<Record<string, readonly (string | FieldFault)[]>>;

export interface ProblemInput {
  readonly params?: Params;
  readonly attributes?: WrongFields;
}

/** A refusal shown to a user; any other thrown error is a bug. */
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

/** Creates the error of a refusal: `throw problem("not_found")`. A not-found problem never echoes the id. */
export function problem(code: ProblemCode, input: ProblemInput = {}): Problem {
  return new Problem(code, input);
}
