import { isFieldFaultCode, problems, type Problem, type ProblemCode } from "@metrum/contract/core";
import type { Language } from "@metrum/vocabulary";
import { faultWords, problemWords } from "#core";
import { columnOfField, type FieldOfSheet } from "./fields.ts";
import type { StoredFault } from "./store.ts";

/** The faults of a refused row, at the columns of their fields. */
export function faultsOf(refusal: Problem, mapping: readonly (string | null)[]): StoredFault[] {
  const { code, params, attributes } = refusal;
  const faults = Object.entries(attributes).flatMap(([path, given]) => {
    const [field = ""] = path.split(".");
    return given.map((each) => {
      if (typeof each !== "string") return faultAt(field, mapping, { code: each.fault, params: each.params });
      return faultAt(field, mapping, isFieldFaultCode(each) ? { code: each, params: {} } : { code, params });
    });
  });
  return faults.length > 0 ? faults : [{ column: null, code, params }];
}

export function faultAt(
  field: string,
  mapping: readonly (string | null)[],
  fault: Pick<StoredFault, "code" | "params">,
): StoredFault {
  const column = columnOfField(mapping, field);
  return column === -1 ? { column: null, field, ...fault } : { column, ...fault };
}

/** Names of the columns and fields of an import. */
export interface Naming {
  readonly fields: readonly FieldOfSheet[];
  readonly headers: readonly string[];
  readonly language: Language;
}

/** A fault in the language of the user. */
export function wordsOf({ code, params }: StoredFault, language: Language): string {
  if (isFieldFaultCode(code)) return faultWords({ fault: code, params }, language);
  return isProblemCode(code) ? problemWords(code, language, params) : code;
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** A fault with the heading of its column, or the title of a field that has none. */
export function reasonOf(fault: StoredFault, { fields, headers, language }: Naming): string {
  const { column, field } = fault;
  const title = fields.find((each) => each.field === field)?.title[language] ?? field;
  const heading = column === null ? title : headers[column];
  const words = wordsOf(fault, language);
  return heading === undefined || heading === "" ? words : `${heading}: ${words}`;
}
