import type { ReactNode } from "react";

interface Props {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  /** At the end of the title: a state, or the value that matters. */
  readonly aside?: ReactNode;
  readonly line?: ReactNode;
  /** At the end of the line: a time or an age. */
  readonly end?: ReactNode;
  /** Further lines, which wrap. */
  readonly more?: readonly ReactNode[];
  /** At the right of all lines. */
  readonly menu?: ReactNode;
}

/** A row of a list on a phone: a title and one line, each with something at its end. */
export function PhoneRow({ icon, title, aside, line, end, more = [], menu }: Props) {
  return (
    <span className="list-phone">
      {icon}
      <span className="list-phone-lines">
        <span className="list-phone-title">{title}</span>
        <span className="list-phone-aside">{aside}</span>
        {line === undefined && end === undefined ? null : (
          <>
            <span className="list-phone-line">{line}</span>
            <span className="list-phone-end">{end}</span>
          </>
        )}
        {more.map((each, at) => (
          <span key={at} className="list-phone-more">
            {each}
          </span>
        ))}
      </span>
      {menu}
    </span>
  );
}
