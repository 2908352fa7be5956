import { DateField } from "#ui/dateField";
import type { FilterProps, ListFilter } from "./types.ts";

const edges = ["from", "to"] as const;

/** From one day to another, both inclusive; the titles are the keys of the two ends. */
export function period<Context>(
  labels: Readonly<Record<(typeof edges)[number], string>>,
): ListFilter<Context> {
  function Period({ state, put, context }: FilterProps<Context>) {
    return (
      <span className="list-period">
        {edges.map((edge) => (
          <DateField
            key={edge}
            label={context.t(labels[edge])}
            value={state.filters[edge]?.[0] ?? ""}
            onValue={(day) => put(edge, day === "" ? [] : [day])}
          />
        ))}
      </span>
    );
  }
  return { ids: edges, Draw: Period };
}
