import type { ReactNode } from "react";
import "./status.css";

export const statusKinds = ["ok", "warn", "alarm", "pending", "silent", "off", "online", "offline"] as const;
export type StatusKind = (typeof statusKinds)[number];

/** One shape per state, so that it does not depend on colour. On a grid of 10 by 10. */
const shapes: Readonly<Record<StatusKind, ReactNode>> = {
  ok: <circle cx="5" cy="5" r="4" />,
  warn: <path d="M5 .8 9.7 9.2H.3z" />,
  alarm: <path d="M5 0l5 5-5 5-5-5z" />,
  pending: (
    <>
      <circle className="status-line" cx="5" cy="5" r="3.9" />
      <path d="M5 5V1.4A3.6 3.6 0 0 1 8.6 5z" />
    </>
  ),
  silent: <circle className="status-line status-dots" cx="5" cy="5" r="4" />,
  off: <path className="status-line" d="M1.5 5h7" />,
  online: <path className="status-line" d="M1 5.4 3.8 8.2 9 2.2" />,
  offline: <path className="status-line" d="M1.5 1.5l7 7M8.5 1.5l-7 7" />,
};

export function StatusGlyph({
  kind,
  isWeak = false,
}: {
  readonly kind: StatusKind;
  readonly isWeak?: boolean;
}) {
  return (
    <svg
      className={`status-glyph status-${kind}`}
      data-weak={isWeak ? "" : undefined}
      width="10"
      height="10"
      viewBox="0 0 10 10"
      aria-hidden="true"
    >
      {shapes[kind]}
    </svg>
  );
}

/** Shape and word; the colour only repeats them. */
export function Status(props: {
  readonly kind: StatusKind;
  readonly isWeak?: boolean;
  readonly children: ReactNode;
}) {
  const { kind, isWeak = false, children } = props;
  return (
    <span className="status">
      <StatusGlyph kind={kind} isWeak={isWeak} />
      <span>{children}</span>
    </span>
  );
}
