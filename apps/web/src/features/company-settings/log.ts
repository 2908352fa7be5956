import type { auditLog } from "@metrum/contract/access";
import type { InputOf } from "@metrum/contract/core";
import type { GridState } from "#ui/grid";

type Body = NonNullable<InputOf<typeof auditLog.log>["body"]>;

/** The call for the filters of the address; days are those of the user's zone, the last one inclusive. */
export function logInput(
  state: GridState,
  instantOf: (day: string, edge: "start" | "end") => number | undefined,
): Body {
  const value = (id: string) => state.filters[id]?.[0];
  const action = value("action");
  const person = Number(value("person"));
  const from = instantOf(value("from") ?? "", "start");
  const to = instantOf(value("to") ?? "", "end");
  return {
    page: state.page,
    per_page: state.size,
    ...(action === undefined ? {} : { action }),
    ...(Number.isInteger(person) && person > 0 ? { person_id: person } : {}),
    ...(from === undefined ? {} : { start_date: from }),
    ...(to === undefined ? {} : { stop_date: to }),
  };
}
