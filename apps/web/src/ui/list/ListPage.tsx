import type { ReactNode } from "react";
import "./list.css";

interface Props {
  readonly title: string;
  /** A sentence below the title. */
  readonly about?: string;
  /** Above the title: the path to a page below the first level. */
  readonly path?: ReactNode;
  /** Anchor of the styles of the page. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** The page of a list: heading, bar and table. A phone has a title without a sentence in its top bar. */
export function ListPage({ title, about, path, className = "", children }: Props) {
  return (
    <section className={`${className} list-page`}>
      <header className={about === undefined ? "list-head is-title" : "list-head"}>
        {path}
        <h1>{title}</h1>
        {about === undefined ? null : <p>{about}</p>}
      </header>
      {children}
    </section>
  );
}
