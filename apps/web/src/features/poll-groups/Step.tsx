import { useId, type ReactNode } from "react";

interface Props {
  readonly at: number;
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}

/** A numbered part of the form. */
export function Step({ at, title, text, children }: Props) {
  const id = useId();
  return (
    <section className="group-step" aria-labelledby={id}>
      <h2 id={id}>
        <span className="group-step-number">{at}</span>
        {title}
      </h2>
      {text === undefined ? null : <p className="group-step-text">{text}</p>}
      {children}
    </section>
  );
}
