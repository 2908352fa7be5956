import type { ReactNode } from "react";
import "./facts.css";

export interface Fact {
  readonly name: string;
  readonly title: ReactNode;
  readonly value: ReactNode;
}

/** A list of properties: label on the left, value on the right. */
export function FactLines({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="fact-lines">
      {facts.map(({ name, title, value }) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
