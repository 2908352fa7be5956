import {
  fieldFault,
  problem,
  type Call,
  type FieldFault,
  type ParsedOf,
  type WrongFields,
} from "@metrum/contract/core";
import type { FastifyError, FastifyRequest } from "fastify";

type Issue = NonNullable<FastifyError["validation"]>[number];

/**
 * Faults found by the schemas of a call, by the path of the field; a list index is part of the path
 * ("ids.3").
 */
export function wrongFields(error: FastifyError, request: FastifyRequest): WrongFields {
  return fieldsOf(error.validation ?? [], inputOf(error, request));
}

/** The body of a call that no request has brought, checked like that of a request. Problem: wrong_input. */
export function checked<C extends Call>(call: C, body: unknown): ParsedOf<C>["body"] {
  const found = call.body?.safeParse(body);
  if (found?.success) return found.data;
  const issues = (found?.error.issues ?? []).map(({ code: keyword, path, message, ...params }) => ({
    keyword,
    instancePath: `/${path.join("/")}`,
    schemaPath: "",
    message,
    params,
  }));
  throw problem("wrong_input", { attributes: fieldsOf(issues, body) });
}

function fieldsOf(issues: readonly Issue[], input: unknown): WrongFields {
  const fields: Record<string, (string | FieldFault)[]> = {};
  for (const issue of issues) {
    const path = issue.instancePath.split("/").filter((part) => part !== "");
    for (const [at, fault] of faultsOf(issue, path, input))
      (fields[at.join(".") || "body"] ??= []).push(fault);
  }
  return fields;
}

function inputOf({ validationContext }: FastifyError, { body, query, params }: FastifyRequest): unknown {
  if (validationContext === "querystring") return query;
  return validationContext === "params" ? params : body;
}

type Found = readonly [at: readonly string[], fault: string | FieldFault];

/** Fault code of a custom check of a schema; messages of the library are not codes. */
const code = /^[a-z]+(_[a-z]+)*$/;

/** Each unknown field is reported by its own path. */
function faultsOf({ keyword, params, message }: Issue, path: readonly string[], input: unknown): Found[] {
  if (keyword === "unrecognized_keys" && Array.isArray(params["keys"]))
    return params["keys"].map((key): Found => [[...path, String(key)], fieldFault("unknown_field")]);
  if (message !== undefined && code.test(message)) return [[path, message]];
  if (path.length > 0 && valueAt(input, path) === undefined) return [[path, fieldFault("required")]];
  return [[path, faultOf(keyword, params)]];
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let value = input;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

const typeFaults = {
  string: "text_needed",
  number: "number_needed",
  int: "whole_needed",
  boolean: "yes_or_no_needed",
  array: "list_needed",
  object: "object_needed",
  record: "object_needed",
} as const;

function faultOf(keyword: string, params: Issue["params"]): FieldFault {
  switch (keyword) {
    case "invalid_type":
      return fieldFault(typeFault(params["expected"]));
    case "too_small":
      return smallFault(params);
    case "too_big":
      return largeFault(params);
    case "invalid_value":
      return fieldFault("not_one_of", { values: listed(params["values"]) });
    case "not_multiple_of":
      return fieldFault("not_multiple", { of: Number(params["divisor"]) });
    case "invalid_format":
      return fieldFault("format");
    default:
      return fieldFault("wrong");
  }
}

function typeFault(expected: unknown) {
  return typeof expected === "string" && isNamed(expected) ? typeFaults[expected] : "wrong";
}

const isNamed = (name: string): name is keyof typeof typeFaults => Object.hasOwn(typeFaults, name);

function smallFault({ origin, minimum, inclusive }: Issue["params"]): FieldFault {
  const least = Number(minimum);
  if (origin === "string") return fieldFault("text_short", { least });
  if (origin === "array") return fieldFault("few", { least });
  return fieldFault(inclusive === false ? "above" : "small", { least });
}

function largeFault({ origin, maximum, inclusive }: Issue["params"]): FieldFault {
  const most = Number(maximum);
  if (origin === "string") return fieldFault("text_long", { most });
  if (origin === "array") return fieldFault("many", { most });
  return fieldFault(inclusive === false ? "below" : "large", { most });
}

/** Maximum number of reported faults. */
const mostListed = 20;

function listed(values: unknown): string {
  if (!Array.isArray(values)) return "";
  const shown = values.slice(0, mostListed).map(String).join(", ");
  return values.length > mostListed ? `${shown}, …` : shown;
}
